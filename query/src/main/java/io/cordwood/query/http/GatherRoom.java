package io.cordwood.query.http;

import io.cordwood.common.http.server.HttpError;
import io.cordwood.query.result.QueryAbandonedException;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;

/**
 * Memory for what other nodes answer at the same time. A query takes a part for each of them, all
 * at once before it asks: what it needs next may come from any node, so none may wait for memory
 * that others of the same query hold. In a large cluster fewer queries run at once, therefore; one
 * alone always does. For all threads.
 */
public final class GatherRoom {
  /**
   * Memory of one answer: the window of its call, a frame that is read, and what waits to be
   * merged, as long as the records of a batch are not larger than usual.
   */
  static final int PART_BYTES = 128 << 10;

  private static final int PART_OF_HEAP = 4;
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(2);
  private static final int RETRY_AFTER_SECONDS = 1;

  private final int most;
  private final IntSupplier nodes;
  private final Duration longestWait;
  private final Semaphore parts;
  private final Counter waits;
  private final Counter refused;

  /**
   * @param most parts at once, of all queries
   * @param nodes that a query asks now
   */
  GatherRoom(int most, IntSupplier nodes, Duration longestWait, MeterRegistry meters) {
    this.most = most;
    this.nodes = nodes;
    this.longestWait = longestWait;
    this.parts = new Semaphore(most, true);
    this.waits = meters.counter("cordwood.query.room.waits");
    this.refused = meters.counter("cordwood.query.refused");
  }

  /**
   * A quarter of the heap.
   *
   * @param nodes that a query asks now
   */
  public static GatherRoom ofHeap(IntSupplier nodes, MeterRegistry meters) {
    long most = Runtime.getRuntime().maxMemory() / PART_OF_HEAP / PART_BYTES;
    return new GatherRoom(Math.clamp(most, 1, Integer.MAX_VALUE), nodes, LONGEST_WAIT, meters);
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
          throw HttpError.busy(
              "expected memory for the answers of %d nodes, found that of %d parts taken by other"
                      .formatted(wanted, most - parts.availablePermits())
                  + " queries; try again in %d s".formatted(RETRY_AFTER_SECONDS),
              RETRY_AFTER_SECONDS);
        }
      }
    } catch (InterruptedException e) {
      throw new QueryAbandonedException();
    }
    return new Taken(parts, wanted);
  }
}
