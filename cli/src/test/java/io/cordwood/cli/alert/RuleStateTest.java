package io.cordwood.cli.alert;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.cli.alert.Condition.Kind;
import io.cordwood.cli.alert.RuleState.Kept;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Test;

/** Alerts by the numbers of window after window, known exactly or not. */
final class RuleStateTest {
  private static final Condition MORE_THAN_TEN = new Condition(Kind.ABOVE, 10);
  private static final Condition LESS_THAN_FIVE = new Condition(Kind.BELOW, 5);
  private static final Instant START = Instant.parse("2026-11-27T10:00:00Z");
  private static final String HOOK = "exec";
  private static final String PARTIAL = "store s3 is missing";

  private final WatchCounters counters = new WatchCounters();
  private Semaphore room = new Semaphore(Watch.MAX_ALERT_BYTES);
  private int minute;

  private RuleState state(Condition condition, Duration hold, String... by) {
    return state(condition, hold, Kept.NOTHING, by);
  }

  private RuleState state(Condition condition, Duration hold, Kept kept, String... by) {
    var timing =
        new Rule.Timing(
            Duration.ofMinutes(1),
            Duration.ofMinutes(5),
            Duration.ZERO,
            hold,
            Duration.ofHours(4),
            Duration.ofMinutes(10));
    var rule =
        new Rule(
            "errors",
            List.of(),
            List.of(by),
            condition,
            timing,
            Map.of("severity", "page"),
            Map.of(),
            "http://node:7650/?q=&");
    var target = new CommandTarget("true", Duration.ZERO, "", new Semaphore(1));
    return new RuleState(rule, List.of(target), kept, room, counters);
  }

  private RuleState state(Condition condition, String... by) {
    return state(condition, Duration.ZERO, by);
  }

  private Instant next() {
    return START.plus(Duration.ofMinutes(minute++));
  }

  private List<String> take(RuleState state, long records) {
    return state.take(next(), Counted.all(records, Optional.empty()));
  }

  private List<String> takeAtLeast(RuleState state, long records) {
    return state.take(next(), Counted.all(records, Optional.of(PARTIAL)));
  }

  private List<String> takeGroups(RuleState state, Object... hostsAndCounts) {
    return state.take(next(), new Counted(groups(hostsAndCounts), 0, Optional.empty()));
  }

  private static Map<Map<String, String>, Long> groups(Object... hostsAndCounts) {
    Map<Map<String, String>, Long> groups = new LinkedHashMap<>();
    for (int i = 0; i < hostsAndCounts.length; i += 2) {
      groups.put(
          Map.of("host", hostsAndCounts[i].toString()),
          ((Number) hostsAndCounts[i + 1]).longValue());
    }
    return groups;
  }

  /** The alerts that the webhook gets now, as statuses. */
  private static List<String> sent(RuleState state) {
    List<Alert> owed = state.owed(HOOK, 100);
    state.paid(HOOK, owed);
    return owed.stream().map(Alert::status).toList();
  }

  @Test
  void anAlertFiresOnceAndIsResolvedOnce() {
    RuleState state = state(MORE_THAN_TEN);
    assertThat(take(state, 10)).isEmpty();
    assertThat(take(state, 11)).containsExactly("firing: 11 records in 5m, expected at most 10");
    assertThat(sent(state)).containsExactly("firing");
    assertThat(take(state, 12)).isEmpty();
    assertThat(sent(state)).isEmpty();
    assertThat(take(state, 1)).containsExactly("resolved: 1 record in 5m, expected at most 10");
    assertThat(sent(state)).containsExactly("resolved");
    assertThat(take(state, 0)).isEmpty();
    assertThat(sent(state)).isEmpty();
  }

  @Test
  void anAlertFiresOnlyWhenTheConditionHasHeldForLongEnough() {
    RuleState state = state(MORE_THAN_TEN, Duration.ofMinutes(2));
    take(state, 11);
    take(state, 11);
    take(state, 3);
    take(state, 11);
    take(state, 11);
    assertThat(sent(state)).isEmpty();
    take(state, 11);
    assertThat(sent(state)).containsExactly("firing");
  }

  @Test
  void silenceFires() {
    RuleState state = state(Condition.ABSENT);
    assertThat(take(state, 0)).containsExactly("firing: no record in 5m, expected one at least");
    assertThat(take(state, 1)).hasSize(1);
    assertThat(sent(state)).containsExactly("resolved");
  }

  @Test
  void aLowerBoundIsEnoughForTooMany() {
    RuleState state = state(MORE_THAN_TEN);
    assertThat(takeAtLeast(state, 11))
        .containsExactly("firing: at least 11 records in 5m, expected at most 10");
  }

  @Test
  void anIncompleteAnswerNeitherFiresNorResolvesWhatItCannotDecide() {
    RuleState above = state(MORE_THAN_TEN);
    take(above, 11);
    assertThat(takeAtLeast(above, 3)).containsExactly("cannot tell: " + PARTIAL);
    assertThat(takeAtLeast(above, 3)).isEmpty();
    assertThat(above.isFiring()).isTrue();
    assertThat(take(above, 3))
        .containsExactly("resolved: 3 records in 5m, expected at most 10", "can tell again");

    RuleState absent = state(Condition.ABSENT);
    assertThat(takeAtLeast(absent, 0)).containsExactly("cannot tell: " + PARTIAL);
    assertThat(absent.isFiring()).isFalse();
    assertThat(counters.undecided.sum()).isEqualTo(3);
  }

  @Test
  void aLowerBoundIsEnoughToResolveSilence() {
    RuleState state = state(LESS_THAN_FIVE);
    take(state, 0);
    assertThat(takeAtLeast(state, 5)).hasSize(1);
    assertThat(state.isFiring()).isFalse();
    assertThat(state.isUndecided()).isFalse();
  }

  @Test
  void aRuleThatCannotBeDecidedForLongIsAnAlertOfItsOwn() {
    RuleState state = state(Condition.ABSENT);
    for (int i = 0; i < 10; i++) {
      state.take(next(), Counted.failed("node1: cannot connect"));
    }
    assertThat(sent(state)).isEmpty();
    assertThat(state.take(next(), Counted.failed("node1: cannot connect"))).hasSize(1);
    Alert alert = state.owed(HOOK, 100).getFirst();
    assertThat(alert.labels())
        .containsEntry("alertname", "CordwoodCannotTell")
        .containsEntry("rule", "errors")
        .containsEntry("severity", "page");
    assertThat(alert.annotations().get("summary"))
        .isEqualTo("errors: cannot be decided for 10m: node1: cannot connect");
    take(state, 1);
    assertThat(sent(state)).containsExactly("resolved");
  }

  @Test
  void eachGroupIsAnAlertOfItsOwn() {
    RuleState state = state(MORE_THAN_TEN, "host");
    assertThat(takeGroups(state, "a", 11, "b", 3, "c", 12))
        .containsExactly(
            "firing {host=\"a\"}: 11 records in 5m, expected at most 10",
            "firing {host=\"c\"}: 12 records in 5m, expected at most 10");
    assertThat(takeGroups(state, "c", 12))
        .containsExactly("resolved {host=\"a\"}: no record in 5m, expected at most 10");
    assertThat(state.owed(HOOK, 100))
        .extracting(alert -> alert.labels().get("host") + " " + alert.status())
        .containsExactly("a resolved", "c firing");
  }

  @Test
  void aGroupThatFallsSilentFiresUntilItIsForgotten() {
    RuleState state = state(Condition.ABSENT, "host");
    assertThat(takeGroups(state, "a", 1, "b", 1)).isEmpty();
    assertThat(takeGroups(state, "a", 1)).hasSize(1);
    assertThat(state.isFiring()).isTrue();
    minute += 24 * 60;
    assertThat(takeGroups(state, "a", 1)).hasSize(1);
    assertThat(sent(state)).containsExactly("resolved");
    assertThat(takeGroups(state, "a", 1)).isEmpty();
    assertThat(state.kept().alerts()).containsOnlyKeys(Map.of("host", "a"));
  }

  @Test
  void groupsThatAnAnswerHadNoRoomForAreNotTakenForSilent() {
    RuleState state = state(MORE_THAN_TEN, "host");
    takeGroups(state, "a", 11);
    var few = new Counted(groups("b", 9), 9, Optional.empty());
    assertThat(state.take(next(), few)).hasSize(1);
    takeGroups(state, "a", 11);
    var many = new Counted(groups("b", 20), 20, Optional.empty());
    assertThat(state.take(next(), many))
        .containsExactly(
            "firing {host=\"b\"}: 20 records in 5m, expected at most 10",
            "cannot tell: more groups than the 1000 listed");
    assertThat(state.kept().alerts()).hasSize(2);
  }

  @Test
  void groupsBeyondTheBoundAreCountedAndSaidOnce() {
    RuleState state = state(MORE_THAN_TEN, "host");
    Object[] many = new Object[2 * Rule.MAX_GROUPS + 10];
    for (int i = 0; i < many.length; i += 2) {
      many[i] = i;
      many[i + 1] = 11;
    }
    assertThat(takeGroups(state, many))
        .contains("there is room for 1000 groups: the others are left out")
        .hasSize(Rule.MAX_GROUPS + 1);
    assertThat(counters.groupsLeftOut.sum()).isEqualTo(5);
    assertThat(takeGroups(state, many)).isEmpty();
  }

  @Test
  void alertsOfAllRulesShareMemoryAndGiveItBack() {
    room = new Semaphore(AlertKey.of(Map.of("host", "a")).bytes());
    RuleState state = state(MORE_THAN_TEN, "host");
    assertThat(takeGroups(state, "a", 11, "b", 11)).hasSize(2);
    assertThat(counters.groupsLeftOut.sum()).isEqualTo(1);
    takeGroups(state, "b", 11);
    sent(state);
    takeGroups(state, "b", 11);
    assertThat(takeGroups(state, "b", 11)).hasSize(1);
    assertThat(state.owed(HOOK, 100)).hasSize(1);
  }

  @Test
  void whatStillFiresIsSentAgainAfterAWhile() {
    RuleState state = state(MORE_THAN_TEN);
    take(state, 11);
    sent(state);
    minute += 238;
    take(state, 11);
    assertThat(sent(state)).isEmpty();
    assertThat(take(state, 11)).isEmpty();
    assertThat(sent(state)).containsExactly("firing");
  }

  @Test
  void theNewestStateWinsOverOneThatWasNotSent() {
    RuleState state = state(MORE_THAN_TEN);
    take(state, 11);
    List<Alert> onItsWay = state.owed(HOOK, 100);
    take(state, 1);
    state.paid(HOOK, onItsWay);
    assertThat(sent(state)).containsExactly("resolved");
    assertThat(sent(state)).isEmpty();
  }

  @Test
  void aRestartNeitherFiresAgainNorForgetsWhatIsNotSent() {
    RuleState before = state(MORE_THAN_TEN, "host");
    takeGroups(before, "a", 11);
    sent(before);
    takeGroups(before, "a", 11, "b", 11);
    String line = StateJson.write("errors", before.kept());
    Kept kept = StateJson.read(line).getValue();
    assertThat(kept).isEqualTo(before.kept());

    RuleState after = state(MORE_THAN_TEN, Duration.ZERO, kept, "host");
    assertThat(after.owed(HOOK, 100)).hasSize(1);
    assertThat(takeGroups(after, "a", 11, "b", 11)).isEmpty();
    assertThat(sent(after)).containsExactly("firing");
    assertThat(takeGroups(after)).hasSize(2);
  }

  /** Alertmanager takes no alert that ends when it begins. */
  @Test
  void anAlertThatEndsAsTheClockIsSetBackEndsAfterItsBegin() {
    RuleState state = state(MORE_THAN_TEN);
    minute = 600;
    take(state, 11);
    minute = 0;
    take(state, 1);
    Alert resolved = state.owed(HOOK, 100).getFirst();
    assertThat(resolved.endsAt().orElseThrow()).isAfter(resolved.startsAt());
  }

  @Test
  void aClockThatIsSetBackMakesNoSecondAlertAndNoEndBeforeItsBegin() {
    RuleState state = state(MORE_THAN_TEN);
    minute = 600;
    take(state, 11);
    sent(state);
    minute = 0;
    assertThat(take(state, 11)).isEmpty();
    assertThat(sent(state)).isEmpty();
    take(state, 1);
    Alert resolved = state.owed(HOOK, 100).getFirst();
    assertThat(resolved.endsAt().orElseThrow()).isAfter(resolved.startsAt());
  }
}
