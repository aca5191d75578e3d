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
 * @param counted the last window; empty if none was counted yet
 * @param doubt why the rule cannot tell; empty if it can
 * @param lastError the last doubt or failure to send, over or not
 * @param failing by the name of a target, why it gets nothing just now
 * @param alerts that fire or are about to, and those that were resolved last
 */
public record RuleStatus(
    Rule rule,
    State state,
    Optional<Window> counted,
    String doubt,
    Optional<LastError> lastError,
    Map<String, String> failing,
    List<AlertStatus> alerts) {
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
   * A window that was counted.
   *
   * @param records in it; of a rule with groups, those of the largest
   * @param atLeast whether there may be more records
   * @param link to the records
   */
  public record Window(Instant end, long records, boolean atLeast, String link) {}

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
