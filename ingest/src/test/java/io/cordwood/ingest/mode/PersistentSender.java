package io.cordwood.ingest.mode;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.common.segment.Records;
import io.cordwood.common.ulid.UlidStamper;
import io.cordwood.ingest.node.RunningNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * A sender for tests that does what a forwarder does: stamps its records once, a batch each, and
 * sends those again that were not acknowledged, until all are.
 */
final class PersistentSender {
  private static final long PAUSE_NANOS = 5_000_000;

  private final List<String> records = new ArrayList<>();
  private final List<byte[]> batches = new ArrayList<>();
  private final AtomicInteger acknowledged = new AtomicInteger();
  private int connections;

  PersistentSender(int count) {
    this(count, "");
  }

  PersistentSender(int count, String padding) {
    var stamper = new UlidStamper(InstantSource.system());
    for (int i = 0; i < count; i++) {
      String text = "record " + i + padding;
      records.add(text);
      batches.add(Records.wire(Records.lines(stamper.stamp(1), text)));
    }
  }

  List<String> all() {
    return List.copyOf(records);
  }

  List<String> acknowledged() {
    return List.copyOf(records.subList(0, acknowledged.get()));
  }

  int connections() {
    return connections;
  }

  /** Connects to the durable port again and again, until all is acknowledged. */
  void sendAll(RunningNode node) throws IOException {
    long end = System.nanoTime() + RunningNode.PATIENCE.toNanos();
    while (acknowledged.get() < records.size()) {
      assertThat(System.nanoTime() - end).as("patience").isNegative();
      sendUntilRefused(node);
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  void sendAllUnchecked(RunningNode node) {
    try {
      sendAll(node);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Sends record after record, each when the one before is acknowledged. */
  void sendUntilRefused(RunningNode node) throws IOException {
    connections++;
    try (Socket socket = node.connectDurable();
        var answers =
            new BufferedReader(
                new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8))) {
      int sent = 0;
      while (acknowledged.get() < records.size()) {
        socket.getOutputStream().write(batches.get(acknowledged.get()));
        sent++;
        String answer = answers.readLine();
        if (answer == null || !answer.equals("ack " + sent)) {
          assertThat(answer == null || answer.startsWith("error: ")).as(answer).isTrue();
          return;
        }
        acknowledged.incrementAndGet();
      }
    } catch (SocketException e) {
      // The node closed while this was being sent; what was acknowledged is known.
    }
  }
}
