package io.cordwood.cli.plan;

import java.util.List;

/**
 * The work of a cluster.
 *
 * @param bytesPerSecond of lines, the mean of a day
 * @param peak the busiest time over the mean
 * @param retentionSeconds how long lines are kept
 * @param copies stores that keep each line
 * @param growth of the load in a month: 0.05 for a twentieth
 * @param outageSeconds for how long ingest nodes are to hold all lines while no store takes any
 */
record Load(
    double bytesPerSecond,
    double peak,
    double retentionSeconds,
    int copies,
    double growth,
    double outageSeconds,
    List<Question> questions) {
  /** Most stores that can have each line. */
  public static final int MAX_COPIES = 16;

  /**
   * @throws IllegalArgumentException if it makes no sense; the message says what was expected
   */
  public Load {
    check(bytesPerSecond > 0, "a load of more than 0", bytesPerSecond);
    check(peak >= 1, "a peak of 1 or more times the load", peak);
    check(retentionSeconds > 0, "a retention of more than 0", retentionSeconds);
    check(
        copies >= 1 && copies <= MAX_COPIES,
        "a replication factor from 1 to " + MAX_COPIES,
        copies);
    check(growth >= 0, "a growth of 0 or more", growth);
    check(outageSeconds >= 0, "an outage of 0 or more", outageSeconds);
    questions = List.copyOf(questions);
  }

  private static void check(boolean holds, String expected, Object found) {
    if (!holds) {
      throw new IllegalArgumentException("expected " + expected + ", found " + found);
    }
  }

  /** This one with another mean of what comes. */
  public Load withBytesPerSecond(double bytes) {
    return new Load(bytes, peak, retentionSeconds, copies, growth, outageSeconds, questions);
  }
}
