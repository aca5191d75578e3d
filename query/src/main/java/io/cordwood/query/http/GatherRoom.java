package io.cordwood.query.http;

import io.cordwood.common.http.server.HttpError;
import io.cordwood.common.text.Sizes;
import io.cordwood.query.result.QueryAbandonedException;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;

/**
 * Memory for what other nodes answer at the same time, but for large frames of records, which have
 * their own. A query takes a part for each of the nodes, all at once before it asks: what it needs
 * next may come from any node, so none may wait for memory that others of the same query hold. In a
 * large cluster fewer queries run at once, therefore; one alone always does. For all threads.
 */
public final class GatherRoom {
  /**
   * Memory of one answer: the window of its call, a frame that is not large while it is read and
   * decoded, and a bit that waits to be merged.
   */
  public static final int PART_BYTES = 128 << 10;

  private static final int PART_OF_HEAP = 4;
  private static final int PART_OF_HEAP_FOR_RULES = 16;
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(2);

  /** Less than a rule waits for its answer. */
  private static final Duration LONGEST_WAIT_OF_RULES = Duration.ofSeconds(5);

  private static final int RETRY_AFTER_SECONDS = 1;
  static final String CLIENTS = "cordwood.query";

  private final int most;
  private final IntSupplier nodes;
  private final Duration longestWait;
  private final Semaphore parts;
  private final Counter waits;
  private final Counter refused;

  /**
   * @param most parts at once, of all queries
   * @param nodes that a query asks now
   * @param name that those metrics begin with
   */
  GatherRoom(int most, IntSupplier nodes, Duration longestWait, String name, MeterRegistry meters) {
    this.most = most;
    this.nodes = nodes;
    this.longestWait = longestWait;
    this.parts = new Semaphore(most, true);
    this.waits = meters.counter(name + ".room.waits");
    this.refused = meters.counter(name + ".refused");
  }

  /**
   * For what clients ask: a quarter of the heap.
   *
   * @param nodes that a query asks now
   */
  public static GatherRoom forClients(IntSupplier nodes, MeterRegistry meters) {
    return new GatherRoom(parts(PART_OF_HEAP), nodes, LONGEST_WAIT, CLIENTS, meters);
  }

  /**
   * For what the node asks itself: a sixteenth of the heap, so that clients cannot take it.
   *
   * @param nodes that a query asks now
   */
  public static GatherRoom forRules(IntSupplier nodes, MeterRegistry meters) {
    return new GatherRoom(
        parts(PART_OF_HEAP_FOR_RULES),
        nodes,
        LONGEST_WAIT_OF_RULES,
        "cordwood.rules.query",
        meters);
  }

  private static int parts(int partOfHeap) {
    long most = Runtime.getRuntime().maxMemory() / partOfHeap / PART_BYTES;
    return Math.clamp(most, 1, Integer.MAX_VALUE);
  }

  /** The room of a query, until it is closed. */
  record Taken(Semaphore from, int parts) implements AutoCloseable {
    @Override
    public void close() {
      from.release(parts);
    }
  }

  /**
   * Takes the room of a query; waits for it, shortly.
   *
   * @throws HttpError 503 if there is none
   */
  Taken take() throws QueryAbandonedException {
    int wanted = Math.min(nodes.getAsInt(), most);
    try {
      if (!parts.tryAcquire(wanted)) {
        waits.increment();
        if (!parts.tryAcquire(wanted, longestWait.toNanos(), TimeUnit.NANOSECONDS)) {
          refused.increment();
          int taken = most - parts.availablePermits();
          throw HttpError.busy(
              "expected %s of memory for the answers of %d nodes, found %s of %s taken by other"
                      .formatted(bytes(wanted), nodes.getAsInt(), bytes(taken), bytes(most))
                  + " queries; try again in %d s".formatted(RETRY_AFTER_SECONDS),
              RETRY_AFTER_SECONDS);
        }
      }
    } catch (InterruptedException e) {
      throw new QueryAbandonedException();
    }
    return new Taken(parts, wanted);
  }

  private static String bytes(int parts) {
    return Sizes.format((long) parts * PART_BYTES);
  }
}
