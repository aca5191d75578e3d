package io.cordwood.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cordwood.common.file.Filesystem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The guide's table of versions of {@code nc}: those that this machine has send lines as it says,
 * end by themselves, and print the last answer.
 */
final class NetcatTest {
  private static final Pattern ROW = Pattern.compile("(?m)^\\| ([^|]+) \\| `nc( ?[^`]*)`");
  private static final Pattern LINE = Pattern.compile("\\bnc( -\\w( \\d+)?)? localhost (765\\d)");

  /** The programs' names, by the first word of the table's row. */
  private static final Map<String, List<String>> PROGRAMS =
      Map.of(
          "OpenBSD", List.of("nc.openbsd"),
          "traditional", List.of("nc.traditional"),
          "Ncat", List.of("ncat", "busybox nc"),
          "any", List.of("nc.openbsd", "nc.traditional", "ncat", "busybox nc"));

  @TempDir private Path folder;

  private InProcessNode node;

  @BeforeEach
  void start() throws IOException {
    node = new InProcessNode(folder, Filesystem.real(), 0);
  }

  @AfterEach
  void stop() throws IOException {
    node.close();
  }

  /** An {@code nc} with flags, and whether it closes its half when its input ends. */
  private record Way(String program, String flags, boolean closes) {
    /** Sends a line; what it printed. */
    String send(String line, int port) throws IOException {
      String nc = "printf '%s\\n' '" + line + "' | " + program + flags + " localhost " + port;
      return Tool.run("sh", "-c", nc);
    }

    /** The same again, if it has waited some seconds only and the node was busy for longer. */
    String sendUntilAnswered(String line, int port) throws IOException {
      return await()
          .pollDelay(Duration.ZERO)
          .until(() -> send(line, port), answer -> closes || !answer.isEmpty());
    }
  }

  @Test
  void everyVersionSendsAndEndsAsTheGuideSays() throws Exception {
    List<Way> ways = ways();
    if (ways.isEmpty()) {
      Skipped.say("versions of nc", "there is none on the PATH");
      return;
    }
    List<Future<String>> fast = new ArrayList<>();
    List<Future<String>> durable = new ArrayList<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (Way way : ways) {
        String line = way.program + way.flags;
        fast.add(threads.submit(() -> way.send(line + " fast", node.fastPort())));
        durable.add(
            threads.submit(() -> way.sendUntilAnswered(line + " durable", node.durablePort())));
        if (way.closes) {
          durable.add(threads.submit(() -> way.send(line + " bulk", node.bulkPort())));
        }
      }
    }
    for (Future<String> answer : fast) {
      assertThat(answer.get()).isEmpty();
    }
    for (Future<String> answer : durable) {
      assertThat(answer.get()).isEqualTo("ack 1\n");
    }
    Set<String> sent =
        ways.stream()
            .flatMap(way ->
                Stream.of("fast", "durable", "bulk")
                    .filter(port -> way.closes || !port.equals("bulk"))
                    .map(port -> way.program + way.flags + " " + port))
            .collect(Collectors.toSet());
    await().untilAsserted(() -> assertThat(Set.copyOf(node.stored().values())).isEqualTo(sent));
  }

  private static List<Way> ways() throws IOException {
    List<Way> ways = new ArrayList<>();
    for (MatchResult row : rows()) {
      String name = row.group(1).split(" ", -1)[0];
      assertThat(PROGRAMS).containsKey(name);
      for (String program : PROGRAMS.getOrDefault(name, List.of())) {
        if (isHere(program)) {
          ways.add(new Way(program, row.group(2), !name.equals("any")));
        }
      }
    }
    return ways;
  }

  private static List<MatchResult> rows() throws IOException {
    String guide = read("docs/guide.md");
    int start = guide.indexOf("| `nc` |");
    List<MatchResult> rows =
        ROW.matcher(guide.substring(start, guide.indexOf("\n\n", start))).results().toList();
    assertThat(rows).hasSize(PROGRAMS.size());
    return rows;
  }

  private static boolean isHere(String program) throws IOException {
    String tool = program.split(" ", -1)[0];
    return !Tool.run("sh", "-c", "command -v " + tool + " || :").isEmpty();
  }

  /** On the fast port whichever {@code nc} there is must end; elsewhere its end is an answer. */
  @Test
  void documentsUseTheFlagsOfTheTable() throws IOException {
    List<String> all = new ArrayList<>();
    for (String document : List.of("README.md", "docs/guide.md")) {
      for (MatchResult line : LINE.matcher(read(document)).results().toList()) {
        all.add(line.group(3));
        String flags = line.group(3).equals("7651") ? " -w 3" : " -N";
        assertThat(line.group(1)).as(document + ": " + line.group()).isEqualTo(flags);
      }
    }
    assertThat(all).contains("7651", "7652", "7653");
  }

  private static String read(String document) throws IOException {
    return Files.readString(Path.of("..", document), UTF_8);
  }
}
