package io.cordwood.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code cordwood tail} over processes: two that receive, and one that answers. */
final class TailIT {
  @TempDir private Path folder;

  /** Started so that SIGINT ends it even if it does not end this process. */
  private static Program tail(List<NodeProcess> nodes, String... arguments) throws IOException {
    List<String> all = new ArrayList<>(List.of("tail"));
    nodes.forEach(node -> all.addAll(List.of("--node", "localhost:" + node.apiPort())));
    all.addAll(List.of(arguments));
    return Program.startBy("exec env --default-signal=INT \"$@\"", all.toArray(String[]::new));
  }

  private static void interrupt(Program program) throws IOException {
    signal(program, "INT");
  }

  private static void signal(Program program, String name) throws IOException {
    Tool.run("kill", "-" + name, Long.toString(program.pid()));
  }

  @Test
  void recordsOfAllNodesArePrintedAsTheyComeOrLateWhateverNodeDiesUntilCtrlC() throws IOException {
    try (NodeProcess one = NodeProcess.start("ingest", folder.resolve("1"))) {
      String peer = "--peer=127.0.0.1:" + one.port("gossip");
      try (NodeProcess other = NodeProcess.start("ingest", folder.resolve("2"), peer);
          NodeProcess query = NodeProcess.start("query", folder.resolve("3"), peer)) {
        await().until(() -> query.get("/cluster").split("\talive\t", -1).length == 3);
        one.send("line 1\nline 2\nline 3\nnothing\n");
        query.awaitCount("line", 3);
        try (Program tail = tail(List.of(query, other), "-n", "2", "LINE", "-i")) {
          tail.awaitOut(Pattern.compile("line 3\n"));
          byte[] late = Sender.batch(List.of("line late"));
          other.send("line 4\n");
          tail.awaitOut(Pattern.compile("line 4\n"));
          other.send(Sender.batch(Duration.ofHours(1), List.of("line ahead")));
          tail.awaitOut(Pattern.compile("line ahead\n"));
          tail.pause();
          query.kill();
          one.send(late);
          other.awaitCount("line", 6);
          tail.resume();
          tail.awaitErr("asking localhost:" + other.apiPort() + ", from 0");
          tail.awaitOut(Pattern.compile("line late\n"));
          one.send("line 5\n");
          tail.awaitOut(Pattern.compile("line 5\n"));
          one.kill();
          tail.awaitErr("cordwood tail: node ");
          other.send("line 6\nnothing\n");
          tail.awaitOut(Pattern.compile("line 6\n"));
          interrupt(tail);
          Program.Result result = tail.end();
          assertThat(result.exitCode()).isZero();
          assertThat(result.text())
              .isEqualTo("line 2\nline 3\nline 4\nline ahead\nline late\nline 5\nline 6\n");
        }
      }
    }
  }

  @Test
  void formsAndTopicsAreAsOfGrep() throws IOException {
    try (NodeProcess node = NodeProcess.start(folder)) {
      node.send("CORDWOOD/1 topic=billing\nold\n");
      node.awaitCount("old", 1);
      List<NodeProcess> nodes = List.of(node);
      try (Program json = tail(nodes, "--json", "--topic", "billing");
          Program ulid = tail(nodes, "--ulid", "-n", "1", "--color=always", "-E", "n.w|old")) {
        json.awaitOut(Pattern.compile("old"));
        ulid.awaitOut(Pattern.compile("old"));
        node.send("CORDWOOD/1 topic=billing\nnew\n");
        node.send("new of another topic\n");
        ulid.awaitOut(Pattern.compile("[0-9A-Z]{26} \033\\[01;31mnew\033\\[m of another topic\n"));
        String fields = ",\"topic\":\"billing\",\"record\":\"new\"}";
        json.awaitOut(Pattern.compile("\\{\"ulid\":\"\\w{26}\",.*" + Pattern.quote(fields)));
        interrupt(json);
        assertThat(json.end().text().lines())
            .hasSize(2)
            .allMatch(line -> line.contains("\"topic\":\"billing\""));
      }
    }
  }

  @Test
  void grepFollowsBehindAllThatWasThereAndTemplatesSayWhatIsPrinted() throws IOException {
    try (NodeProcess node = NodeProcess.start(folder)) {
      node.send("CORDWOOD/1 topic=billing\nline 1\nother\nline 2\n");
      node.awaitCount("line", 2);
      String address = "localhost:" + node.apiPort();
      String template = "{topic}:{{{line}}\\t{time}";
      String[] asked = {"grep", "--node", address, "--template", template, "--color=always"};
      assertThat(Program.run(withArguments(asked, "-o", "LINE .", "-E", "-i")).text())
          .matches("(billing:\\{\033\\[01;31mline \\d\033\\[m\\}\t20\\d\\d-\\S+Z\n){2}");
      try (Program follow = Program.start(withArguments(asked, "--follow", "line"))) {
        follow.awaitOut(Pattern.compile("2\\}"));
        node.send("CORDWOOD/1 topic=more\nline 3\nother\n");
        follow.awaitOut(Pattern.compile("more:\\{\033\\[01;31mline\033\\[m 3\\}"));
        assertThat(follow.out().lines()).hasSize(3);
      }
      try (Program last = Program.start("grep", "--node", address, "--follow", "-n1", "line")) {
        last.awaitOut(Pattern.compile("line 3\n"));
        assertThat(last.out()).isEqualTo("line 3\n");
      }
    }
  }

  private static String[] withArguments(String[] first, String... more) {
    List<String> all = new ArrayList<>(List.of(first));
    all.addAll(List.of(more));
    return all.toArray(String[]::new);
  }

  @Test
  void whoCannotBeReachedAtTheBeginningIsAnErrorAndABadPatternToo() throws IOException {
    Program.Result nobody = Program.run("tail", "--node", "localhost:1");
    assertThat(nobody.exitCode()).isEqualTo(2);
    assertThat(nobody.errors()).startsWith("cordwood tail: localhost:1: cannot connect");
    try (NodeProcess node = NodeProcess.start(folder)) {
      Program.Result bad = Program.run("tail", "--node", "localhost:" + node.apiPort(), "-E", "(");
      assertThat(bad.exitCode()).isEqualTo(2);
      assertThat(bad.errors()).contains("the node refused the query (400)");
    }
  }
}
