package io.cordwood.it;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cordwood.common.net.HostPort;
import io.cordwood.forwarder.Forwarder;
import io.cordwood.forwarder.ForwarderListener;
import io.cordwood.forwarder.ForwarderOptions;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

/**
 * A thread that sends numbered records, {@code NAME 0}, {@code NAME 1} and so on, by the forwarder
 * that programs embed. The node may go and come back. Since acknowledgements are cumulative, those
 * of the first N records are known to be stored.
 */
final class AcknowledgedLoad implements AutoCloseable {
  /** Small batches make many borders at which a node can be killed. */
  private static final int BATCH_BYTES = 4 << 10;

  /** Records that are sent and not acknowledged, so that a test's results stay small. */
  private static final int MOST_PENDING = 2000;

  /** A pause behind each record keeps the rate to some thousand a second. */
  private static final Duration PAUSE = Duration.ofNanos(200_000);

  private final String name;
  private final long pauseNanos;
  private final Forwarder forwarder;
  private final Thread thread;
  private volatile boolean held;
  private volatile boolean stopping;
  private volatile long sent;

  private AcknowledgedLoad(String name, Duration pause, Forwarder forwarder) {
    this.name = name;
    this.pauseNanos = pause.toNanos();
    this.forwarder = forwarder;
    this.thread = Thread.ofPlatform().name(name).start(this::run);
  }

  static AcknowledgedLoad start(String name, int port) {
    return start(name, PAUSE, List.of(new HostPort("localhost", port)));
  }

  /**
   * Sends to one of several nodes, and to another when that is not there.
   *
   * @param pause behind each record
   */
  static AcknowledgedLoad start(String name, Duration pause, List<HostPort> targets) {
    return start(name, pause, targets, Optional.empty());
  }

  /** The same to nodes that may speak TLS. */
  static AcknowledgedLoad start(
      String name, Duration pause, List<HostPort> targets, Optional<ClusterTls> tls) {
    ForwarderOptions.Builder options =
        ForwarderOptions.builder()
            .batchBytes(BATCH_BYTES)
            .linger(Duration.ofMillis(1))
            .connectTimeout(Duration.ofSeconds(2))
            .backoff(Duration.ofMillis(20), Duration.ofMillis(200));
    for (HostPort target : targets) {
      tls.ifPresentOrElse(
          its -> its.addTarget(target, options),
          () -> options.target(target.host(), target.port()));
    }
    Forwarder forwarder = Forwarder.start(options.build(), ForwarderListener.NONE);
    return new AcknowledgedLoad(name, pause, forwarder);
  }

  private void run() {
    for (long i = 0; !stopping; i++) {
      while (!stopping && (held || i - acknowledged() > MOST_PENDING)) {
        LockSupport.parkNanos(pauseNanos);
      }
      sent = i + 1;
      forwarder.send(record(i).getBytes(US_ASCII));
      LockSupport.parkNanos(pauseNanos);
    }
  }

  String name() {
    return name;
  }

  /** What it sends as its record of this number. */
  String record(long number) {
    return name + " " + number;
  }

  /** Waits until the first so many records can be found, and checks that nothing else is. */
  void assertFound(NodeProcess node, long count) throws IOException {
    node.awaitCount(name + " ", count);
    List<String> found = node.find(name + " ");
    // AssertJ's own comparison of lists takes time with the square of their length.
    for (int i = 0; i < Math.min(count, found.size()); i++) {
      if (!found.get(i).equals(record(i))) {
        assertThat(found.get(i)).as("found record %d of %d", i, found.size()).isEqualTo(record(i));
      }
    }
    assertThat((long) found.size()).isEqualTo(count);
  }

  /** How many records are acknowledged: the first so many. */
  long acknowledged() {
    return forwarder.counters().acknowledged();
  }

  /** Sends nothing until it is {@link #resume resumed}; at most one record is under way to it. */
  void hold() {
    held = true;
  }

  void resume() {
    held = false;
  }

  /** Connections that were lost, or given up by the node. */
  long disconnects() {
    return forwarder.counters().connections().disconnects();
  }

  /** How many records were given to the forwarder. */
  long sent() {
    return sent;
  }

  void awaitAcknowledged(long records) {
    await()
        .alias(records + " acknowledged records of " + name)
        .pollInterval(Duration.ofMillis(10))
        .until(() -> acknowledged() >= records);
  }

  /** Ends sending and waits until all is acknowledged; how many records that are. */
  long finish() {
    stopping = true;
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
    if (!forwarder.close(Program.LONG).isNothing()) {
      throw new AssertionError("expected all to be acknowledged: " + forwarder.counters());
    }
    return sent;
  }

  /** Ends at once, whatever is acknowledged. */
  @Override
  public void close() {
    stopping = true;
    forwarder.close(Duration.ZERO);
  }
}
