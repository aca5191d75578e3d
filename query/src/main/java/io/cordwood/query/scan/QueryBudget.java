package io.cordwood.query.scan;

import io.cordwood.query.request.QueryLimits.Effort;
import java.util.function.BooleanSupplier;

/**
 * How far a search on one node goes.
 *
 * @param bytes of blocks, before compression, that are searched at most
 * @param deadlineNanos of {@link System#nanoTime}
 * @param abandoned whether nobody wants the answer any more, from then on; asked by all threads
 *     that work for the query, before each block
 */
public record QueryBudget(long bytes, long deadlineNanos, BooleanSupplier abandoned) {
  /** From now on. */
  public static QueryBudget of(Effort effort, BooleanSupplier abandoned) {
    return new QueryBudget(effort.bytes(), System.nanoTime() + effort.time().toNanos(), abandoned);
  }

  boolean isTimeUp() {
    return System.nanoTime() - deadlineNanos >= 0;
  }
}
