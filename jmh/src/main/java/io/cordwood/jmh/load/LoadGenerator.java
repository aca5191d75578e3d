package io.cordwood.jmh.load;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Sends lines to an ingest node over many connections from one thread, and prints throughput and
 * the latency of acknowledgements: from the first byte of a group to the acknowledgement of its
 * last record.
 *
 * <pre>
 *   java -cp jmh/target/benchmarks.jar io.cordwood.jmh.load.LoadGenerator \
 *     --corpus FILE --port PORT [--host 127.0.0.1] [--connections 1]
 *     [--form batches|lines|unacknowledged_lines|bulk]
 *     [--group 16K]     bytes of lines that are acknowledged together
 *     [--window 0]      bytes that a connection may have unacknowledged; one group in any case
 *     [--rate 0]        bytes a second of each connection; 0 for as fast as it goes
 *     [--warm-up 1s] [--time 2s]
 * </pre>
 *
 * After the measured time nothing more is begun, and what was sent has to be acknowledged within a
 * minute. Exit code 1 if it is not, or if the node answers anything but acknowledgements.
 */
public final class LoadGenerator {
  private static final String[] FLAGS = {
    "corpus", "host", "port", "connections", "form", "group", "window", "rate", "warm-up", "time"
  };

  private static final Duration LONGEST_WAIT = Duration.ofMinutes(1);
  private static final long TICK_MILLIS = 50;
  private static final long PACED_TICK_MILLIS = 1;

  private final Load load;
  private final Selector selector;
  private final Tally tally;
  private final List<Sender> senders = new ArrayList<>();
  private final ByteBuffer buffer = ByteBuffer.allocateDirect(4096);

  private LoadGenerator(Load load, Groups groups) throws IOException {
    this.load = load;
    this.selector = Selector.open();
    long start = System.nanoTime() + load.warmUp().toNanos();
    this.tally = new Tally(start, start + load.measured().toNanos());
    for (int i = 0; i < load.connections(); i++) {
      senders.add(new Sender(load, groups, tally, selector, i));
    }
  }

  /** Sends, and prints the figures. */
  public static void main(String[] args) {
    try {
      Flags flags = Flags.parse(args, FLAGS);
      var groups = Groups.of(flags.path("corpus"), flags.bytes("group", "16K"));
      System.out.println(run(Load.of(flags), groups));
    } catch (IllegalArgumentException | IOException e) {
      System.err.println("load: " + e.getMessage());
      System.exit(1);
    }
  }

  /** Sends; returns the figures, one a line. */
  static String run(Load load, Groups groups) throws IOException {
    var generator = new LoadGenerator(load, groups);
    try {
      generator.run();
      return generator.tally.report();
    } finally {
      generator.close();
    }
  }

  private void run() throws IOException {
    while (!tally.over(System.nanoTime())) {
      turn();
    }
    long end = System.nanoTime() + LONGEST_WAIT.toNanos();
    while (!senders.stream().allMatch(Sender::settled)) {
      if (System.nanoTime() - end >= 0) {
        throw new IOException("expected all to be acknowledged within " + LONGEST_WAIT);
      }
      turn();
    }
  }

  private void close() throws IOException {
    for (Sender sender : senders) {
      sender.close();
    }
    selector.close();
  }

  private void turn() throws IOException {
    boolean paced = load.bytesPerSecond() > 0;
    selector.select(paced ? PACED_TICK_MILLIS : TICK_MILLIS);
    for (SelectionKey key : selector.selectedKeys()) {
      ((Sender) key.attachment()).ready(buffer, System.nanoTime());
    }
    selector.selectedKeys().clear();
    if (paced) {
      long now = System.nanoTime();
      for (Sender sender : senders) {
        sender.send(now);
      }
    }
  }
}
