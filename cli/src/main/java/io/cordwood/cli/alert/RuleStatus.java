package io.cordwood.cli.alert;

import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * How a rule stands, for people.
 *
 * @param state the worst of its alerts, if it has any
 * @param counted the end of the last window; empty if none was counted yet
 * @param records in it; of a rule with groups, those of the largest
 * @param atLeast whether there may be more records
 * @param doubt why the rule cannot tell; empty if it can
 * @param lastError the last doubt or failure to send, over or not
 * @param failing by the name of a target, why it gets nothing just now
 * @param alerts that fire or are about to, and those that were resolved last
 * @param link to the records of that window
 */
public record RuleStatus(
    Rule rule,
    State state,
    Optional<Instant> counted,
    long records,
    boolean atLeast,
    String doubt,
    Optional<LastError> lastError,
    Map<String, String> failing,
    List<AlertStatus> alerts,
    String link) {
  /** The most alerts that are shown. */
  static final int MAX_ALERTS = 100;

  /** From what matters most to what matters least. */
  public enum State {
    FIRING,
    CANNOT_TELL,
    PENDING,
    RESOLVED,
    QUIET,
    NEW;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  /**
   * Something that went wrong.
   *
   * @param time by the clock of the windows
   */
  public record LastError(Instant time, String text) {}

  /**
   * An alert of a rule.
   *
   * @param group by labels; none of a rule without groups
   * @param since the end of the window in which the state began
   */
  public record AlertStatus(
      Map<String, String> group, State state, Instant since, long records, boolean atLeast) {}
}
