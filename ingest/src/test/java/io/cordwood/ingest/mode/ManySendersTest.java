package io.cordwood.ingest.mode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cordwood.common.segment.Batch;
import io.cordwood.common.segment.Topic;
import io.cordwood.common.ulid.UlidStamper;
import io.cordwood.common.wire.Delimiter;
import io.cordwood.ingest.node.RunningNode;
import io.netty.util.internal.PlatformDependent;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Many senders that send on without waiting for acks, to a disk that is slower than they are. */
class ManySendersTest {
  private static final int SENDERS = 400;
  private static final int BATCHES = 32;
  private static final byte[] RECORD =
      ("x".repeat((16 << 10) - 1) + "\n").getBytes(StandardCharsets.UTF_8);

  /** Half of what nodes are given: what waits for a force, and a buffer for each connection. */
  private static final long MOST_BYTES = 96 << 20;

  @TempDir Path folder;

  @Test
  void memoryHasABound() throws Exception {
    var files = new HeldForces();
    files.hold();
    long before = PlatformDependent.usedDirectMemory();
    try (var node = new RunningNode(RunningNode.options(folder), files.filesystem());
        var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<String>> lastAcks = new ArrayList<>();
      for (int i = 0; i < SENDERS; i++) {
        lastAcks.add(threads.submit(() -> send(node)));
      }
      await().until(() -> node.counted("pauses", "reason", "force") > 0);
      files.letGo();
      assertThat(mostUsed(lastAcks) - before).isLessThan(MOST_BYTES);
      for (Future<String> lastAck : lastAcks) {
        assertThat(lastAck.get()).isEqualTo("ack " + BATCHES);
      }
      node.assertLedgerIsExact();
    }
  }

  private static long mostUsed(List<Future<String>> senders) {
    long[] most = {0};
    await()
        .pollInterval(Duration.ofMillis(1))
        .until(() -> {
          most[0] = Math.max(most[0], PlatformDependent.usedDirectMemory());
          return senders.stream().allMatch(Future::isDone);
        });
    return most[0];
  }

  /** Gives the last line that the node said. */
  private static String send(RunningNode node) throws IOException {
    var stamper = new UlidStamper(InstantSource.system());
    try (Socket socket = node.connectDurable()) {
      OutputStream out = socket.getOutputStream();
      for (int i = 0; i < BATCHES; i++) {
        out.write(header(stamper));
        out.write(RECORD);
      }
      socket.shutdownOutput();
      String said = new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
      return said.lines().toList().getLast();
    }
  }

  private static byte[] header(UlidStamper stamper) {
    ByteBuffer header =
        Batch.head(Topic.DEFAULT, Delimiter.LF, stamper.stamp(1), 1, ByteBuffer.wrap(RECORD));
    byte[] bytes = new byte[header.remaining()];
    header.get(bytes);
    return bytes;
  }
}
