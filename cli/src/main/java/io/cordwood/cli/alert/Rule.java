package io.cordwood.cli.alert;

import io.cordwood.common.text.Durations;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * When an alert fires, and what is said then.
 *
 * @param topics whose records are counted, as {@code --topic} has them; none for all
 * @param by fields: records of the same values of them are an alert of their own
 * @param labels of each alert, besides its name and its group
 * @param annotations of each alert, besides its summary
 * @param search address of a page that shows the records, to which the times are added
 */
public record Rule(
    String name,
    List<String> topics,
    List<String> by,
    Condition condition,
    Timing timing,
    Map<String, String> labels,
    Map<String, String> annotations,
    String search) {
  /** The label that holds a rule's name, as Prometheus has it. */
  public static final String NAME_LABEL = "alertname";

  /** The most groups that alerts are kept of. */
  public static final int MAX_GROUPS = 1000;

  /**
   * The times of a rule.
   *
   * @param every windows end at its multiples since 1970, in UTC
   * @param window length of what is counted
   * @param delay how long after the end of a window it is counted
   * @param hold how long a condition holds before it fires
   * @param repeat how long after a firing alert was sent it is sent again
   * @param unknownAfter how long a rule may be undecided before that is an alert
   */
  public record Timing(
      Duration every,
      Duration window,
      Duration delay,
      Duration hold,
      Duration repeat,
      Duration unknownAfter) {}

  /** A link to the records of a window. */
  String link(Instant end) {
    Instant last = end.minusMillis(1);
    return search + "from=" + end.minus(timing.window) + "&to=" + last;
  }

  /** The window's length, for people. */
  String windowText() {
    return Durations.exact(timing.window);
  }
}
