package io.cordwood.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Lines that were damaged or lost between a program's output and the systems before this one. */
final class ForwardedLinesIT {
  @TempDir private Path folder;

  @Test
  void percentSignsAndLongLinesPassThroughForwardUnchanged() throws IOException {
    List<String> lines =
        List.of(
            "line 1: 100% done %d %s %n %!d(MISSING) %",
            "line 2: " + "z".repeat(70_000),
            "line 3: " + "z".repeat((1 << 20) - 8),
            "line 4: behind the long ones");
    try (NodeProcess node = NodeProcess.start(folder);
        Program forward = forward(node)) {
      try (OutputStream in = forward.in()) {
        in.write((String.join("\n", lines) + "\n").getBytes(UTF_8));
        in.write(("line 5: " + "w".repeat(1 << 20)).getBytes(UTF_8));
      }
      assertThat(forward.exitCode()).isZero();
      node.awaitCount("", 6);
      List<String> found = node.find("");
      assertThat(found.subList(0, 4)).containsExactlyElementsOf(lines);
      assertThat(found.get(4) + found.get(5)).isEqualTo("line 5: " + "w".repeat(1 << 20));
    }
  }

  private Program forward(NodeProcess node) throws IOException {
    return Program.start("forward", "localhost:" + node.fastPort());
  }

  @Test
  void forwarderWaitsForANodeThatIsNotThereYet() throws IOException {
    NodeProcess node = NodeProcess.start(folder);
    node.close();
    try (Program forward = forward(node)) {
      send(forward, 5000);
      forward.awaitErr("trying on");
      try (NodeProcess again = node.startAgain(folder)) {
        assertThat(forward.exitCode()).isZero();
        again.awaitRecords(5000);
      }
    }
  }

  @Test
  void linesToTheDurablePortAreThereOnceAfterKills() throws Exception {
    NodeProcess node = NodeProcess.start(folder);
    try (ForwardedLoad load = ForwardedLoad.start(node.durablePort())) {
      for (int kills = 0; kills < 2; kills++) {
        long enough = load.written() + 1000;
        await().until(() -> load.written() >= enough);
        node.close();
        node = node.startAgain(folder);
      }
      load.finish();
      load.assertFound(node);
    } finally {
      node.close();
    }
  }

  @Test
  void forwarderThatGivesUpSaysSo() throws IOException {
    try (Program forward = Program.start("forward", "--drain", "200ms", "localhost:1")) {
      send(forward, 5000);
      Program.Result result = forward.end();
      assertThat(result.exitCode()).isEqualTo(2);
      assertThat(result.errors()).contains("5000 lines were not acknowledged");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "--bulk --durable,           'expected --durable or --bulk, found both'",
    "--bulk --upload-size=1GiB,  '--upload-size: expected 2MiB to 32MiB, found 1GiB'",
    "--upload-size=3MiB,         '--upload-size: expected with --bulk, found without'",
    "--bulk --spool-dir=x,       '--spool-dir: expected without --bulk, found with it'",
    "--exec=x --listen=1,        'expected --exec or --listen, found both'",
    "--file=x --exec=x,          '--exec: expected without --file, found with it'"
  })
  void flagsThatDoNotGoTogetherAreRefused(String flags, String error) throws IOException {
    Program.Result result = Program.run(("forward localhost:1 " + flags).split(" ", -1));
    assertThat(result.exitCode()).isEqualTo(2);
    assertThat(result.errors()).isEqualTo("cordwood forward: " + error + "\n");
  }

  private static void send(Program forward, int lines) throws IOException {
    try (OutputStream in = forward.in()) {
      for (int i = 0; i < lines; i++) {
        in.write(("line number " + i + "\n").getBytes(UTF_8));
      }
    }
  }

  @Test
  void orderlyEndStoresAllThatSendersHadSent() throws IOException {
    try (NodeProcess node = NodeProcess.start(folder);
        Sender lines = node.connect();
        Sender batches = node.connect()) {
      for (int i = 0; i < 200; i++) {
        lines.send("raw %d %s\n".formatted(i, "r".repeat(1000)));
        batches.send(Sender.batch(List.of("batch " + i + " a", "batch " + i + " b")));
        if (i == 0) {
          node.awaitCount("", 3); // A connection that was not accepted yet would be reset.
        }
      }
      node.stop();
      assertThat(lines.rest()).isEmpty();
      assertThat(batches.rest()).endsWith("ack 400\n");
      try (NodeProcess again = node.startAgain(folder)) {
        again.awaitCount("", 600);
        assertThat(again.find("raw ")).hasSize(200).doesNotHaveDuplicates();
        assertThat(again.find("batch ")).hasSize(400).doesNotHaveDuplicates();
        again.awaitStored(600);
        assertStoreSegmentsAreIntact();
      }
    }
  }

  private void assertStoreSegmentsAreIntact() throws IOException {
    try (Stream<Path> files = Files.list(folder.resolve("data/store"))) {
      List<String> segments =
          files.map(Path::toString).filter(name -> name.endsWith(".flushed")).toList();
      List<String> verify = new ArrayList<>(List.of("segment", "verify"));
      verify.addAll(segments);
      Program.Result result = Program.run(verify.toArray(String[]::new));
      assertThat(result.text().lines())
          .hasSize(segments.size())
          .allMatch(line -> line.contains(": intact, store segment of "));
      assertThat(result.exitCode()).isZero();
    }
  }

  @Test
  void whatWasAcknowledgedBeforeAnEndUnderLoadIsFound() throws IOException {
    NodeProcess node = NodeProcess.start(folder);
    try (AcknowledgedLoad load = AcknowledgedLoad.start("load", node.fastPort())) {
      load.awaitAcknowledged(5000);
      node.stop();
      long acknowledged = load.acknowledged();
      node = node.startAgain(folder);
      load.awaitAcknowledged(acknowledged + 5000);
      long all = load.finish();
      load.assertFound(node, all);
    } finally {
      node.close();
    }
  }
}
