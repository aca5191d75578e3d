package io.cordwood.forwarder;

import io.cordwood.common.wire.Preamble;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Set;

/**
 * Which target is connected to next: those of the options in turn; when all have failed in a row, a
 * few of those that nodes told of; and before any of them, one that a node has sent the forwarder
 * on to. Owned by the sender thread.
 */
final class Route {
  private static final int MAX_LEARNED_A_ROUND = 3;
  private static final int MAX_SENT_ON_A_ROUND = 3;

  private final List<Target> targets;
  private final LearnedNodes learned;
  private final Greeting.Features features;
  private final Deque<Target> first = new ArrayDeque<>();
  private final LegacyNodes withoutHints = new LegacyNodes();
  private final LegacyNodes withoutClock = new LegacyNodes();
  private final LegacyNodes withoutLabels = new LegacyNodes();
  private int next;
  private long failures;
  private int sentOn;

  /**
   * @param features of connections, except to nodes of earlier versions
   */
  Route(List<Target> targets, LearnedNodes learned, Greeting.Features features) {
    this.targets = new ArrayList<>(targets);
    Collections.shuffle(this.targets);
    this.learned = learned;
    this.features = features;
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

  /** Those that the node there is to be asked for. */
  Greeting.Features features(Target target) {
    return new Greeting.Features(
        features.hints() && !withoutHints.has(target),
        features.clock() && !withoutClock.has(target),
        features.labels() && !withoutLabels.has(target));
  }

  /**
   * The node there has refused; one of an earlier version does that for what it is asked. Who does
   * not know a word does not know those that came later.
   */
  void refused(Target target, String why) {
    boolean knowsNoHints = why.contains(Preamble.HINTS);
    boolean knowsNoClock = knowsNoHints || why.contains(Preamble.CLOCK);
    if (knowsNoHints) {
      withoutHints.add(target);
    }
    if (knowsNoClock) {
      withoutClock.add(target);
    }
    if (knowsNoClock || why.contains(Preamble.LABELS)) {
      withoutLabels.add(target);
    }
  }
}
