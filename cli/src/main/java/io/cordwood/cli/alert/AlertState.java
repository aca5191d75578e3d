package io.cordwood.cli.alert;

import io.cordwood.cli.alert.Condition.Truth;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * How far an alert has come.
 *
 * <pre>
 *   QUIET ──holds──► PENDING ──for long enough──► FIRING ──holds no more──► RESOLVED
 *     ▲                 │                           ▲                          │
 *     └──holds no more──┘                           └────────── holds ─────────┘
 * </pre>
 *
 * <p>While nobody knows whether the condition holds, nothing changes. Guarded by its {@link
 * RuleState}.
 */
final class AlertState {
  enum Status {
    QUIET,
    PENDING,
    FIRING,
    RESOLVED
  }

  /** A step that others are told of. */
  enum Change {
    NONE,
    FIRES,
    FIRES_AGAIN,
    RESOLVES
  }

  /**
   * When things happened, by the ends of windows.
   *
   * @param since the status began
   * @param seen the last that had a record
   */
  record Times(Instant since, Instant starts, Instant ends, Instant sent, Instant seen) {
    static final Times NONE =
        new Times(Instant.EPOCH, Instant.EPOCH, Instant.EPOCH, Instant.EPOCH, Instant.EPOCH);
  }

  /** All that is kept over a restart. */
  record Saved(Status status, Times times, long count, boolean atLeast, Set<String> owed) {
    static final Saved NEW = new Saved(Status.QUIET, Times.NONE, 0, false, Set.of());
  }

  private Status status;

  /** The end of the window in which the status began. */
  private Instant since;

  private Instant startsAt;
  private Instant endsAt;
  private Instant sentAt;

  /** The end of the last window that had a record. */
  private Instant seenAt;

  private long count;
  private boolean atLeast;
  private long version;
  private final Set<String> owed;

  AlertState(Saved saved) {
    this.status = saved.status;
    this.since = saved.times.since;
    this.startsAt = saved.times.starts;
    this.endsAt = saved.times.ends;
    this.sentAt = saved.times.sent;
    this.seenAt = saved.times.seen;
    this.count = saved.count;
    this.atLeast = saved.atLeast;
    this.owed = new TreeSet<>(saved.owed);
  }

  Saved saved() {
    var times = new Times(since, startsAt, endsAt, sentAt, seenAt);
    return new Saved(status, times, count, atLeast, new TreeSet<>(owed));
  }

  /** No time of it is after that one, to which the clock was set back. */
  void rewind(Instant now) {
    since = earlier(since, now);
    startsAt = earlier(startsAt, now);
    endsAt = earlier(endsAt, now);
    sentAt = earlier(sentAt, now);
    seenAt = earlier(seenAt, now);
  }

  private static Instant earlier(Instant one, Instant other) {
    return one.isBefore(other) ? one : other;
  }

  void count(Instant end, long records, boolean isAtLeast) {
    count = records;
    atLeast = isAtLeast;
    if (records > 0) {
      seenAt = end;
    }
  }

  Change take(Truth truth, Instant end, Duration hold, Duration repeat) {
    return switch (truth) {
      case UNKNOWN -> again(end, repeat);
      case NO -> end(end);
      case YES -> hold(end, hold, repeat);
    };
  }

  private Change end(Instant end) {
    if (status == Status.FIRING) {
      become(Status.RESOLVED, end);
      endsAt = end;
      return Change.RESOLVES;
    }
    if (status == Status.PENDING) {
      become(Status.QUIET, end);
    }
    return Change.NONE;
  }

  private Change hold(Instant end, Duration hold, Duration repeat) {
    if (status == Status.FIRING) {
      return again(end, repeat);
    }
    if (status != Status.PENDING) {
      become(Status.PENDING, end);
    }
    if (Duration.between(since, end).compareTo(hold) < 0) {
      return Change.NONE;
    }
    become(Status.FIRING, end);
    startsAt = end;
    sentAt = end;
    return Change.FIRES;
  }

  private Change again(Instant end, Duration repeat) {
    if (status != Status.FIRING || Duration.between(sentAt, end).compareTo(repeat) < 0) {
      return Change.NONE;
    }
    sentAt = end;
    return Change.FIRES_AGAIN;
  }

  private void become(Status next, Instant end) {
    status = next;
    since = end;
  }

  /** From now on these targets have to get it. */
  void owe(Collection<String> targets) {
    version++;
    owed.addAll(targets);
  }

  boolean isOwed(String target) {
    return owed.contains(target);
  }

  /** A target has got it, as it was. */
  boolean paid(String target, long seen) {
    return seen == version && owed.remove(target);
  }

  /** Targets that are there no more get nothing. */
  void keepOwed(Collection<String> targets) {
    owed.retainAll(targets);
  }

  boolean isFiring() {
    return status == Status.FIRING;
  }

  RuleStatus.AlertStatus status(Map<String, String> group) {
    RuleStatus.State state =
        switch (status) {
          case QUIET -> RuleStatus.State.QUIET;
          case PENDING -> RuleStatus.State.PENDING;
          case FIRING -> RuleStatus.State.FIRING;
          case RESOLVED -> RuleStatus.State.RESOLVED;
        };
    return new RuleStatus.AlertStatus(group, state, since, count, atLeast);
  }

  /** Whether nobody has to hear of it any more. */
  boolean isOver() {
    return owed.isEmpty() && (status == Status.QUIET || status == Status.RESOLVED);
  }

  /** Whether it would be forgotten but for a group that was seen not long ago. */
  boolean isUnseenSince(Instant moment) {
    return seenAt.isBefore(moment);
  }

  Instant startsAt() {
    return startsAt;
  }

  /** The end of the last time that it fired; empty if it does. */
  Optional<Instant> endsAt() {
    return isFiring() ? Optional.empty() : Optional.of(endsAt);
  }

  long version() {
    return version;
  }

  /** The last count, for people. */
  String countText() {
    String records = count == 0 ? "no record" : count == 1 ? "1 record" : count + " records";
    return atLeast && count > 0 ? "at least " + records : records;
  }
}
