package io.cordwood.cli.alert;

import io.cordwood.cli.alert.AlertState.Change;
import io.cordwood.cli.alert.AlertState.Saved;
import io.cordwood.cli.alert.Condition.Truth;
import io.cordwood.cli.alert.RuleStatus.AlertStatus;
import io.cordwood.cli.alert.RuleStatus.LastError;
import io.cordwood.cli.alert.RuleStatus.State;
import io.cordwood.common.text.Durations;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * The alerts of a rule, decided window by window, and what targets have not got yet. Safe for all
 * threads.
 */
final class RuleState {
  /** How long a group without records is remembered, if alerts are of those that have too few. */
  static final Duration REMEMBERED = Duration.ofDays(1);

  private final Rule rule;
  private final List<String> targets;
  private final List<String> eachWindow;
  private final WatchCounters counters;
  private final Semaphore room;
  private final Map<AlertKey, AlertState> alerts = new LinkedHashMap<>();
  private final AlertState undecided;
  private @Nullable Instant last;
  private String doubt = "";
  private long records;
  private boolean atLeast;
  private @Nullable LastError lastError;
  private @Nullable AlertStatus lastResolved;
  private boolean full;
  private boolean changed;

  /**
   * All that is kept over a restart.
   *
   * @param last the end of the last window
   */
  record Kept(@Nullable Instant last, Saved undecided, Map<Map<String, String>, Saved> alerts) {
    static final Kept NOTHING = new Kept(null, Saved.NEW, Map.of());
  }

  /**
   * @param targets all that alerts are sent to
   * @param room for the alerts of all rules, in bytes
   */
  RuleState(Rule rule, List<Target> targets, Kept kept, Semaphore room, WatchCounters counters) {
    this.rule = rule;
    this.targets = targets.stream().map(Target::name).toList();
    this.eachWindow = targets.stream().filter(Target::wantsEachWindow).map(Target::name).toList();
    this.counters = counters;
    this.room = room;
    this.last = kept.last;
    this.undecided = new AlertState(kept.undecided);
    kept.alerts.forEach((group, saved) -> {
      AlertKey key = AlertKey.of(group);
      if (hasRoom(key)) {
        alerts.put(key, new AlertState(saved));
      }
    });
    alerts.values().forEach(alert -> alert.keepOwed(this.targets));
    undecided.keepOwed(this.targets);
  }

  Rule rule() {
    return rule;
  }

  synchronized Kept kept() {
    Map<Map<String, String>, Saved> saved = new LinkedHashMap<>();
    alerts.forEach((key, alert) -> saved.put(key.group(), alert.saved()));
    return new Kept(last, undecided.saved(), saved);
  }

  synchronized @Nullable Instant last() {
    return last;
  }

  /** Whether there is something to keep that was not taken yet. */
  synchronized boolean takeChanged() {
    boolean taken = changed;
    changed = false;
    return taken;
  }

  synchronized boolean isFiring() {
    return undecided.isFiring() || alerts.values().stream().anyMatch(AlertState::isFiring);
  }

  synchronized boolean isUndecided() {
    return !doubt.isEmpty();
  }

  /** Decides by a window's count. Returns lines about what has changed. */
  synchronized List<String> take(Instant end, Counted counted) {
    if (last != null && last.isAfter(end)) {
      Instant before = end.minusMillis(1); // and so what ends now does so after its begin
      alerts.values().forEach(alert -> alert.rewind(before));
      undecided.rewind(before);
    }
    last = end;
    changed = true;
    records = counted.largest();
    atLeast = !counted.isExact();
    List<String> lines = new ArrayList<>();
    boolean open = false;
    for (Map<String, String> group : groups(counted)) {
      open |= take(AlertKey.of(group), end, counted, lines) == Truth.UNKNOWN;
    }
    decide(open || isOpenElsewhere(counted), end, counted, lines);
    alerts.entrySet().removeIf(each -> isDone(each.getKey(), each.getValue(), end));
    return lines;
  }

  private boolean hasRoom(AlertKey key) {
    return alerts.size() < Rule.MAX_GROUPS && room.tryAcquire(key.bytes());
  }

  private boolean isDone(AlertKey key, AlertState alert, Instant end) {
    boolean done = alert.isOver() && (rule.condition().isAbove() || isForgotten(alert, end));
    if (done) {
      room.release(key.bytes());
    }
    return done;
  }

  private Set<Map<String, String>> groups(Counted counted) {
    Set<Map<String, String>> groups = new LinkedHashSet<>();
    if (rule.by().isEmpty()) {
      groups.add(Map.of());
    }
    alerts.keySet().forEach(key -> groups.add(key.group()));
    groups.addAll(counted.groups().keySet());
    return groups;
  }

  private Truth take(AlertKey key, Instant end, Counted counted, List<String> lines) {
    long least = counted.least(key.group());
    AlertState alert = alerts.get(key);
    Truth truth =
        alert != null && isForgotten(alert, end)
            ? Truth.NO
            : rule.condition().of(least, counted.most(key.group()));
    if (alert == null) {
      if (rule.condition().isAbove() && truth != Truth.YES) {
        return truth;
      }
      if (!hasRoom(key)) {
        leaveOut(lines);
        return truth;
      }
      alert = new AlertState(Saved.NEW);
      alerts.put(key, alert);
    }
    if (truth != Truth.UNKNOWN || least > 0) {
      alert.count(end, least, !counted.isExact());
    }
    step(key, alert, truth, end, rule.timing().hold(), lines);
    return truth;
  }

  private void leaveOut(List<String> lines) {
    counters.groupsLeftOut.increment();
    if (!full) {
      full = true;
      lines.add("there is room for " + alerts.size() + " groups: the others are left out");
    }
  }

  private void step(
      AlertKey key, AlertState alert, Truth truth, Instant end, Duration hold, List<String> lines) {
    Change change = alert.take(truth, end, hold, rule.timing().repeat());
    if (change == Change.RESOLVES && !key.undecided()) {
      lastResolved = alert.status(key.group());
    }
    switch (change) {
      case NONE -> {
        if (alert.isFiring()) {
          alert.owe(eachWindow);
        }
      }
      case FIRES, RESOLVES -> {
        alert.owe(targets);
        boolean fires = change == Change.FIRES;
        (fires ? counters.fired : counters.resolved).increment();
        lines.add((fires ? "firing" : "resolved") + key + ": " + summary(key, alert));
      }
      case FIRES_AGAIN -> alert.owe(targets);
    }
  }

  private String summary(AlertKey key, AlertState alert) {
    if (key.undecided()) {
      return alert.isFiring()
          ? "cannot be decided for " + Durations.exact(rule.timing().unknownAfter()) + ": " + doubt
          : "can be decided again";
    }
    return "%s in %s, %s".formatted(alert.countText(), rule.windowText(), rule.condition());
  }

  /** Whether an alert may hold of a group that is not known. */
  private boolean isOpenElsewhere(Counted counted) {
    return !rule.by().isEmpty()
        && (rule.condition().isAbove()
            ? rule.condition().of(0, counted.mostOfOthers()) != Truth.NO
            : !counted.isExact());
  }

  private void decide(boolean open, Instant end, Counted counted, List<String> lines) {
    String before = doubt;
    doubt =
        open ? counted.doubt().orElse("more groups than the " + Rule.MAX_GROUPS + " listed") : "";
    if (open) {
      counters.undecided.increment();
      lastError = new LastError(end, doubt);
    }
    if (before.isEmpty() != doubt.isEmpty()) {
      lines.add(open ? "cannot tell: " + doubt : "can tell again");
    }
    Truth truth = open ? Truth.YES : Truth.NO;
    step(AlertKey.UNDECIDED, undecided, truth, end, rule.timing().unknownAfter(), lines);
  }

  /** Whether a group has been away for so long that no records of it are expected any more. */
  private boolean isForgotten(AlertState alert, Instant end) {
    return !rule.condition().isAbove()
        && !rule.by().isEmpty()
        && alert.isUnseenSince(end.minus(REMEMBERED));
  }

  /** A target has failed to get alerts. */
  synchronized void failed(Instant time, String why) {
    lastError = new LastError(time, why);
  }

  /**
   * How it stands.
   *
   * @param failing by the name of a target, why it gets nothing
   */
  synchronized RuleStatus status(Map<String, String> failing) {
    List<AlertStatus> all = new ArrayList<>();
    alerts.forEach((key, alert) -> all.add(alert.status(key.group())));
    all.removeIf(alert -> alert.state() == State.QUIET);
    AlertStatus resolved = lastResolved;
    if (resolved != null && all.stream().noneMatch(each -> each.group().equals(resolved.group()))) {
      all.add(resolved);
    }
    all.sort(Comparator.comparing(AlertStatus::state).thenComparingLong(each -> -each.records()));
    State worst = all.isEmpty() ? (last == null ? State.NEW : State.QUIET) : all.getFirst().state();
    return new RuleStatus(
        rule,
        worst != State.FIRING && !doubt.isEmpty() ? State.CANNOT_TELL : worst,
        Optional.ofNullable(last)
            .map(end -> new RuleStatus.Window(end, records, atLeast, rule.link(end))),
        doubt,
        Optional.ofNullable(lastError),
        failing,
        List.copyOf(all.subList(0, Math.min(all.size(), RuleStatus.MAX_ALERTS))));
  }

  /** The alerts that a target has not got yet, the newest state of each. */
  synchronized List<Alert> owed(String target, int most) {
    List<Alert> owed = new ArrayList<>();
    if (undecided.isOwed(target)) {
      owed.add(alert(AlertKey.UNDECIDED, undecided));
    }
    for (Map.Entry<AlertKey, AlertState> each : alerts.entrySet()) {
      if (owed.size() < most && each.getValue().isOwed(target)) {
        owed.add(alert(each.getKey(), each.getValue()));
      }
    }
    return owed;
  }

  private Alert alert(AlertKey key, AlertState alert) {
    Map<String, String> labels = new TreeMap<>(rule.labels());
    labels.putAll(key.group());
    labels.put(Rule.NAME_LABEL, key.undecided() ? AlertKey.UNDECIDED_NAME : rule.name());
    if (key.undecided()) {
      labels.put("rule", rule.name());
    }
    Map<String, String> annotations = new TreeMap<>(rule.annotations());
    annotations.put("summary", rule.name() + ": " + summary(key, alert));
    Instant end = last == null ? alert.startsAt() : last;
    return new Alert(
        key,
        alert.version(),
        labels,
        annotations,
        alert.startsAt(),
        alert.endsAt(),
        rule.link(end));
  }

  /** A target has got these. */
  synchronized void paid(String target, Collection<Alert> sent) {
    changed = true;
    for (Alert each : sent) {
      AlertState alert = each.key().undecided() ? undecided : alerts.get(each.key());
      Optional.ofNullable(alert).ifPresent(state -> state.paid(target, each.version()));
    }
  }
}
