package io.cordwood.forwarder;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Which target is connected to next: those of the options in turn; when all have failed in a row, a
 * few of those that nodes told of; and before any of them, one that a node has sent the forwarder
 * on to. Owned by the sender thread.
 */
final class Route {
  private static final int MAX_LEARNED_A_ROUND = 3;
  private static final int MAX_SENT_ON_A_ROUND = 3;

  /** For how long a node of an earlier version is not asked for hints again. */
  private static final long WITHOUT_HINTS_NANOS = TimeUnit.HOURS.toNanos(1);

  private final List<Target> targets;
  private final LearnedNodes learned;
  private final boolean asks;
  private final Deque<Target> first = new ArrayDeque<>();
  private final Map<Target, Long> withoutHints = new HashMap<>();
  private int next;
  private long failures;
  private int sentOn;

  /**
   * @param asks whether nodes are asked for hints at all
   */
  Route(List<Target> targets, LearnedNodes learned, boolean asks) {
    this.targets = new ArrayList<>(targets);
    Collections.shuffle(this.targets);
    this.learned = learned;
    this.asks = asks;
  }

  Target next() {
    Target preferred = first.poll();
    return preferred != null ? preferred : targets.get(next);
  }

  /** One was left as it should be: for its age, or since its upload is done. */
  void left(Target target, boolean stays) {
    if (stays) {
      first.clear();
      first.add(target);
    } else {
      goOn(target);
    }
  }

  private void goOn(Target target) {
    if (targets.get(next).equals(target)) {
      next = (next + 1) % targets.size();
    }
  }

  /** Tries that one next, unless it failed lately or there was enough of that in this round. */
  void prefer(Target target) {
    if (sentOn < MAX_SENT_ON_A_ROUND && learned.isUsable(target)) {
      sentOn++;
      first.addFirst(target);
    }
  }

  /**
   * One failed; goes on to the next.
   *
   * @return whether all have failed since the last pause, so that it is time for one
   */
  boolean failed(Target target) {
    learned.failed(target);
    if (targets.contains(target)) {
      goOn(target);
      failures++;
      if (first.isEmpty() && failures % targets.size() == 0) {
        first.addAll(learned.some(MAX_LEARNED_A_ROUND, Set.copyOf(targets)));
      }
    }
    boolean isOver = first.isEmpty() && failures > 0 && failures % targets.size() == 0;
    sentOn = isOver ? 0 : sentOn;
    return isOver;
  }

  /** One works. */
  void worked(Target target) {
    learned.worked(target);
    failures = 0;
    sentOn = 0;
    first.clear();
  }

  /** Whether the node there is to be asked for hints. */
  boolean asksForHints(Target target) {
    Long since = withoutHints.get(target);
    return asks && (since == null || System.nanoTime() - since > WITHOUT_HINTS_NANOS);
  }

  /** The node there refuses who asks. */
  void refusesToHint(Target target) {
    if (withoutHints.size() > LearnedNodes.MAX + targets.size()) {
      withoutHints.clear();
    }
    withoutHints.put(target, System.nanoTime());
  }
}
