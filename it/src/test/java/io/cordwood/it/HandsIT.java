package io.cordwood.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What people type who know other programs. The table in {@code docs/coming-from-grep.md} is run
 * line by line: what stands in the second column is printed, and the exit code is that of the
 * third.
 */
final class HandsIT {
  private static final Pattern ROW =
      Pattern.compile("(?m)^\\| `(.*?)` \\| (?:`(.*?)`|nothing).* \\| (\\d) \\|$");
  private static final String END = "== end ==";

  /** About as many commands are the longest of the scripts. */
  private static final int COMMANDS = 40;

  private static final String SHOP =
      """
      start
      listening on 8080
      order 17 taken
      order 17 paid
      order 18 taken
      ERROR timeout after 30 s
      order 18 given up
      order 19 taken
      stop
      """;

  @TempDir private static Path folder;
  private static NodeProcess node;

  private record Row(String typed, String printed, String exitCode) {}

  @BeforeAll
  static void start() throws IOException {
    node = NodeProcess.start(folder.resolve("node"), "--flush-age", "1h");
    Path files = Files.createDirectory(folder.resolve("files"));
    Files.writeString(files.resolve("shop.log"), SHOP);
    Files.writeString(files.resolve("svc-pay.log"), "card 4711 asked\nError: card refused\n");
    Files.writeString(files.resolve("flags.log"), "-foo bar\n");
    Files.writeString(files.resolve("utf16.log"), "\uFEFFstart\nstop\n", StandardCharsets.UTF_16LE);
    Files.writeString(files.resolve("unmarked.log"), "start\nstop\n", StandardCharsets.UTF_16LE);
    Files.write(files.resolve("log.xz"), new byte[] {(byte) 0xFD, '7', 'z', 'X', 'Z', 0, 0, 0});
    node.send(SHOP);
    node.awaitCount("", 9);
  }

  @AfterAll
  static void stop() {
    node.close();
  }

  private static List<Row> rows() throws IOException {
    String manual = Files.readString(Path.of("..", "docs", "coming-from-grep.md"));
    return ROW.matcher(manual)
        .results()
        .map(row -> new Row(plain(row.group(1)), plain(row.group(2)), row.group(3)))
        .toList();
  }

  private static String plain(String cell) {
    return cell == null ? "" : cell.replace("\\|", "|");
  }

  private static String run(String script) throws IOException {
    String all =
        """
        export CORDWOOD_NODE=localhost:%d
        cordwood() { "$CORDWOOD" "$@"; }
        exec 2>&1
        set +e
        """
            .formatted(node.apiPort());
    try (Program shell = Program.shell(folder.resolve("files"), all + script)) {
      shell.in().close();
      return shell.end(COMMANDS).text();
    }
  }

  @Test
  void theTableOfTheManualSaysWhatHappens() throws IOException {
    List<Row> rows = rows();
    assertThat(rows).hasSizeGreaterThan(30);
    var script = new StringBuilder();
    rows.forEach(row -> script.append(row.typed).append("\necho \"").append(END).append("$?\"\n"));
    List<String> printed = new ArrayList<>(List.of(run(script.toString()).split(END, -1)));
    assertThat(printed).hasSize(rows.size() + 1);
    for (int i = 0; i < rows.size(); i++) {
      Row row = rows.get(i);
      String text = i == 0 ? printed.get(i) : printed.get(i).substring(2);
      assertThat(text).as(row.typed).contains(row.printed);
      if (row.printed.isEmpty()) {
        assertThat(text).as(row.typed).isEmpty();
      }
      assertThat(printed.get(i + 1)).as(row.typed + ": " + text).startsWith(row.exitCode + "\n");
    }
  }

  @Test
  void aTerminalIsToldThatARegularExpressionWasSearchedAsAText() throws IOException {
    if (!Tool.hasScript()) {
      return;
    }
    String hint = "the pattern was searched as a text; -E makes it a regular expression";
    String grep = "\"$CORDWOOD\" grep %s shop.log; echo code $?";
    String script = "export TERM=dumb\nscript -qec '" + grep + "' /dev/null\n";
    assertThat(run(script.formatted("\"ERROR|stop\""))).contains(hint).contains("code 1");
    assertThat(run(script.formatted("-E \"ERROR|stop\""))).doesNotContain(hint).contains("code 0");
    assertThat(run(script.formatted("absent"))).doesNotContain(hint).contains("code 1");
    String tail = "script -qec '\"$CORDWOOD\" tail shop.log -f flags.log | head -n 0' /dev/null";
    assertThat(run(tail + " </dev/null"))
        .contains("'cordwood forward --file shop.log' sends the lines of the file")
        .contains("the lines of flags.log are patterns here; tail follows without -f");
  }

  @Test
  void aPortForLinesRefusesHttpAndStoresNothingOfIt() throws IOException {
    for (String port : List.of("fast", "durable", "bulk")) {
      String printed =
          run("cordwood grep --node localhost:" + node.port(port) + " x </dev/null; echo code $?");
      assertThat(printed).contains("is this its API port?").contains("code 2");
      try (Sender sender = new Sender(node.port(port))) {
        sender.send("GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n");
        assertThat(sender.answer())
            .startsWith("error: expected lines or batches, found an HTTP request");
      }
    }
    assertThat(run("cordwood grep -c -e HTTP/1.1 -e Host; echo code $?")).isEqualTo("0\ncode 1\n");
  }

  /** Of those, a tail never ends. */
  @Test
  void theQuestionsOfTheGuideAreTaken() throws IOException {
    String guide = Files.readString(Path.of("..", "docs", "guide.md"));
    String block = guide.substring(guide.indexOf("## Ask"));
    List<String> lines =
        block
            .substring(0, block.indexOf("```\n\n"))
            .lines()
            .filter(line -> line.startsWith("cordwood ") && !line.startsWith("cordwood tail"))
            .toList();
    assertThat(lines).hasSizeGreaterThan(10);
    var script = new StringBuilder("cp shop.log app.log; gzip -c app.log > old.log.gz\n");
    lines.forEach(line -> script.append("{ ").append(line).append("\n} >/dev/null </dev/null\n"));
    script.append("cordwood grep -c -i error app.log old.log.gz - <shop.log\n");
    assertThat(run(script.toString())).isEqualTo("app.log:1\nold.log.gz:1\n(standard input):1\n");
  }

  @Test
  void theApiPortIsNoTargetOfForward() throws IOException {
    assertThat(run("echo x | cordwood forward $CORDWOOD_NODE; echo code $?"))
        .contains("no target takes records: ")
        .contains("is this its fast, durable or bulk port?")
        .contains("1 lines were not acknowledged")
        .contains("code 2");
  }

  /** No node of a test has the usual port, so none is reached. */
  @Test
  void aPipeThatIsNotSearchedIsNamedHoweverSlowItIs() throws IOException {
    String hint = "standard input is searched if FILE is -";
    String unnamed = "unset CORDWOOD_NODE; ";
    assertThat(run(unnamed + "(sleep 2; echo x) | cordwood grep y")).contains(hint);
    assertThat(run(unnamed + "cordwood grep y </dev/null")).doesNotContain(hint);
  }

  @Test
  void theLauncherWorksWithoutAHome() throws IOException {
    assertThat(run("env -i PATH=\"$PATH\" CORDWOOD_CACHE=off \"$CORDWOOD\" grep -c order shop.log"))
        .isEqualTo("5\n");
  }
}
