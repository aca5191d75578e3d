package io.cordwood.cli.alert;

import java.time.Instant;

/** Counts the records of a rule. */
@FunctionalInterface
public interface Counts {
  /**
   * Counts a window; whatever fails is a doubt about the numbers.
   *
   * @param from its beginning, included
   * @param to its end, excluded
   */
  Counted count(Instant from, Instant to) throws InterruptedException;
}
