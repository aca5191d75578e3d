package io.cordwood.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Whole nodes as processes: lines in, grep out. */
final class NodeIT {
  private static final String LINES =
      "one apple\ntwo Apples\nthree pears\nfour \u00e4pfel\nfive \u001b[31mapple\u0007\n";

  @TempDir private Path folder;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          apple               | 0 | one apple~five ^[[31mapple^G~
          -i apple            | 0 | one apple~two Apples~five ^[[31mapple^G~
          -v apple            | 0 | two Apples~three pears~four \u00e4pfel~
          -E ^t.*s$           | 0 | two Apples~three pears~
          \u00e4pfel               | 0 | four \u00e4pfel~
          -c apple            | 0 | 2~
          -c plum             | 1 | 0~
          plum                | 1 | ``
          -m 1 e              | 0 | one apple~
          -n 2 e              | 0 | four \u00e4pfel~five ^[[31mapple^G~
          --since 1h -c e     | 0 | 5~
          --to yesterday e    | 1 | ``
          --since -3d -c e    | 0 | 5~
          --to=-3d e          | 1 | ``
          --from now-1w -c e  | 0 | 5~
          --topic default -c e| 0 | 5~
          --topic other e     | 1 | ``
          -- -v               | 1 | ``
          -e three -e one     | 0 | one apple~three pears~
          -w -i APPLE         | 0 | one apple~
          -x -S FOUR          | 1 | ``
          -o -E [a-z]+a[a-z]+ | 0 | pears~mapple~
          """)
  void linesAreFoundByteExact(String arguments, int exitCode, String expected) throws IOException {
    Program.Result result = Shared.node().grep(arguments.split(" "));
    assertThat(result.errors()).isEmpty();
    assertThat(result.text().replace("\n", "~").replace("\u001b", "^[").replace("\u0007", "^G"))
        .isEqualTo(expected);
    assertThat(result.exitCode()).isEqualTo(exitCode);
  }

  @Test
  void formsStatisticsAndBadPatterns() throws IOException {
    NodeProcess node = Shared.node();
    assertThat(node.grep("--ulid", "pears").text()).matches("[0-9A-Z]{26} three pears\n");
    assertThat(node.grep("--json", "pears").text())
        .startsWith("{\"ulid\":\"")
        .containsPattern(
            ",\"topic\":\"default\",\"labels\":\\{\"host\":\"[^\"]+\"},"
                + "\"record\":\"three pears\"}\n")
        .endsWith("{\"verdict\":\"complete\",\"matches\":1}\n");
    assertThat(node.grep("--stats", "pears").errors()).containsPattern("matches +1\n");
    Program.Result plan = node.grep("--dry-run", "pears");
    assertThat(plan.output()).isEmpty();
    assertThat(plan.errors()).containsPattern("records-in-range +5\n");
    Program.Result wrong = node.grep("-E", "(");
    assertThat(wrong.exitCode()).isEqualTo(2);
    assertThat(wrong.errors().lines())
        .singleElement()
        .asString()
        .contains("refused the query (400)");
    assertThat(node.grep("x".repeat(100_000)).errors())
        .contains("expected at most 4096 bytes of UTF-8, found 100000");
  }

  @Test
  void nextNodeIsAskedWhenOneCannotBeReached() throws IOException {
    Program.Result result =
        Program.run(
            "grep", "--node=localhost:1", "--node=localhost:" + Shared.node().apiPort(), "pears");
    assertThat(result.text()).isEqualTo("three pears\n");
    assertThat(result.errors()).contains("localhost:1: cannot connect").contains("next node");
  }

  @ParameterizedTest
  @ValueSource(strings = {"health", "health --ready"})
  void healthIsTold(String command) throws IOException {
    String[] words = (command + " --node localhost:").split(" ");
    words[words.length - 1] += Shared.node().apiPort();
    Program.Result result = Program.run(words);
    assertThat(result.text()).isEqualTo("ok\n");
    assertThat(result.exitCode()).isZero();
  }

  @Test
  void healthOfNoNodeIsNone() throws IOException {
    Program.Result result = Program.run("health", "--node", "localhost:1");
    assertThat(result.errors()).startsWith("cordwood health: localhost:1: cannot connect");
    assertThat(result.exitCode()).isEqualTo(1);
  }

  @Test
  void folderInUseIsRefused() throws IOException {
    Path data = Shared.data();
    Program.Result second =
        Program.run(
            "ingeststore",
            "--data=" + data.resolve("data"),
            "--api-port=0",
            "--fast-port=0",
            "--durable-port=0",
            "--bulk-port=0",
            "--gossip-port=0");
    assertThat(second.exitCode()).isEqualTo(2);
    assertThat(second.errors().lines())
        .singleElement()
        .asString()
        .contains("in use by another process (process " + Shared.node().program().pid() + ")");
  }

  @ParameterizedTest
  @CsvSource({"--api-port", "--fast-port", "--durable-port", "--bulk-port", "--gossip-port"})
  void portInUseIsRefused(String flag) throws IOException {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.ofLiteral("127.0.0.1"))) {
      List<String> ports =
          Stream.of("--api-port", "--fast-port", "--durable-port", "--bulk-port", "--gossip-port")
              .map(name -> name + "=" + (name.equals(flag) ? taken.getLocalPort() : 0))
              .toList();
      Program.Result result =
          Program.run(
              "ingeststore",
              "--data=" + folder.resolve("data"),
              ports.get(0),
              ports.get(1),
              ports.get(2),
              ports.get(3),
              ports.get(4));
      assertThat(result.exitCode()).isEqualTo(2);
      assertThat(result.errors().lines())
          .singleElement()
          .asString()
          .contains("" + taken.getLocalPort())
          .containsIgnoringCase("address already in use");
    }
  }

  @Test
  void readerThatLeavesEndsTheGrepInPeace() throws IOException {
    try (NodeProcess node = NodeProcess.start(folder)) {
      node.send(numbered(200_000));
      node.awaitRecords(200_000);
      try (Program grep = Program.start("grep", "--node=localhost:" + node.apiPort(), "")) {
        grep.closeOut();
        Program.Result result = grep.end();
        assertThat(result.errors()).isEmpty();
        assertThat(result.exitCode()).isZero();
      }
    }
  }

  @Test
  void rolesWorkApart() throws IOException {
    try (NodeProcess ingest = NodeProcess.start("ingest", folder.resolve("a"));
        NodeProcess store =
            NodeProcess.start(
                "store",
                folder.resolve("b"),
                "--replication-factor=1",
                "--peer=127.0.0.1:" + ingest.port("gossip"))) {
      ingest.send(numbered(1000));
      store.awaitRecords(1000);
      assertThat(store.grep("").output()).isEqualTo(numbered(1000));
      await()
          .untilAsserted(() ->
              assertThat(store.get("/cluster").lines().filter(line -> !line.startsWith("#")))
                  .hasSize(3)
                  .anyMatch(line -> line.contains("\tstore,query\t") && line.contains("\tself\t"))
                  .anyMatch(line -> line.contains("\tingest\t") && line.contains("\talive\t")));
      assertThat(store.get("/-/ready")).isEqualTo("ok\n");
      assertThat(ingest.get("/metrics")).contains("cordwood_ingest_records_received_total");
    }
  }

  @Test
  void itsStoreReadsItsOwnSegmentsInPlaceAndLetsTheirFilesBeReused() throws IOException {
    int lines = 400_000;
    try (NodeProcess node = NodeProcess.start(folder)) {
      node.send(numbered(lines));
      node.awaitStored(lines);
      assertThat(node.count("line number")).isEqualTo(lines);
      await().until(() -> node.metric("cordwood_ingest_segments") == 0);
      await().until(() -> node.metrics().contains("route=\"/ingest/commit\""));
      assertThat(node.metrics()).doesNotContain("route=\"/ingest/read\"");
      await().until(this::aFileIsSpare);
    }
  }

  private boolean aFileIsSpare() throws IOException {
    try (Stream<Path> files = Files.list(folder.resolve("data/ingest"))) {
      return files.anyMatch(file -> file.toString().endsWith(".spare"));
    }
  }

  private static byte[] numbered(int count) {
    StringBuilder text = new StringBuilder();
    IntStream.range(0, count).forEach(i -> text.append("line number ").append(i).append('\n'));
    return text.toString().getBytes(StandardCharsets.UTF_8);
  }

  /** One node for all tests that only ask; ended with this JVM. */
  private static final class Shared {
    private static final Path DATA = temporary();
    private static final NodeProcess NODE = start();

    private static Path temporary() {
      try {
        return Files.createTempDirectory(Path.of("target"), "node");
      } catch (IOException e) {
        throw new java.io.UncheckedIOException(e);
      }
    }

    private static NodeProcess start() {
      try {
        NodeProcess node = NodeProcess.start(DATA);
        Runtime.getRuntime().addShutdownHook(new Thread(node::close));
        String fast = "localhost:" + node.fastPort();
        try (Program forward = Program.start("forward", "--quiet", fast)) {
          try (OutputStream input = forward.in()) {
            input.write(LINES.getBytes(StandardCharsets.UTF_8));
          }
          assertThat(forward.end()).returns(0, Program.Result::exitCode);
          assertThat(forward.end().errors()).isEmpty();
        }
        node.awaitRecords(5);
        return node;
      } catch (IOException e) {
        throw new java.io.UncheckedIOException(e);
      }
    }

    static NodeProcess node() {
      return NODE;
    }

    static Path data() {
      return DATA;
    }
  }
}
