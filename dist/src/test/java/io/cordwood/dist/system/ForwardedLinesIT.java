package io.cordwood.dist.system;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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
    return Program.start(folder, "forward", "localhost:" + node.fastPort());
  }

  @Test
  void forwardLosesAndDoublesNothingWhileItsNodeIsKilledAndRestarted() throws IOException {
    NodeProcess node = NodeProcess.start(folder);
    try (Program forward = forward(node)) {
      OutputStream in = forward.in();
      for (int round = 0; round < 3; round++) {
        in.write(linesOf(round).getBytes(UTF_8));
        in.flush();
        NodeProcess running = node;
        await()
            .atMost(Program.LONG)
            .until(() -> running.metric("cordwood_ingest_records_stored_total") > 0);
        node.program().kill();
        in.write(linesOf(round + 10).getBytes(UTF_8));
        in.flush();
        node = node.startAgain(folder);
      }
      in.close();
      assertThat(forward.exitCode()).isZero();
      assertThat(forward.err()).contains("lost ", "connected to ");
      node.awaitCount("line ", 6 * 5000);
      assertThat(node.find("line ")).hasSize(6 * 5000).doesNotHaveDuplicates();
    } finally {
      node.close();
    }
  }

  private static String linesOf(int round) {
    var text = new StringBuilder();
    IntStream.range(0, 5000)
        .forEach(i -> text.append("line ").append(round).append(' ').append(i).append('\n'));
    return text.toString();
  }

  @Test
  void orderlyEndStoresAllThatSendersHadSent() throws IOException {
    try (NodeProcess node = NodeProcess.start(folder);
        Sender lines = node.connect();
        Sender batches = node.connect()) {
      for (int i = 0; i < 200; i++) {
        lines.send("raw %d %s\n".formatted(i, "r".repeat(1000)));
        batches.send(Sender.batch(List.of("batch " + i + " a", "batch " + i + " b")));
      }
      node.stop();
      assertThat(lines.rest()).isEmpty();
      assertThat(batches.rest()).endsWith("ack 400\n");
      try (NodeProcess again = node.startAgain(folder)) {
        again.awaitCount("", 600);
        assertThat(again.find("raw ")).hasSize(200).doesNotHaveDuplicates();
        assertThat(again.find("batch ")).hasSize(400).doesNotHaveDuplicates();
      }
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
