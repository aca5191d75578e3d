package io.cordwood.common.cluster;

import java.time.Duration;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

/**
 * The description of this node that others have been given, and when they are given another: a
 * description goes to every node, so that those of all of them together are bounded.
 *
 * <p>A change of anything but the figures of its load is published at once. Figures are when one
 * differs by more than a tenth, at most once in a pause that grows with the cluster: one load
 * interval for each {@link #MEMBERS_A_PAUSE} members, or part of these. Lesser differences wait for
 * {@link #LESSER_INTERVALS} load intervals, or the pause if that is longer. A change that could not
 * be published is published the next time.
 */
final class Publication {
  static final int MEMBERS_A_PAUSE = 10;
  static final int LESSER_INTERVALS = 20;

  private static final Logger LOG = LoggerFactory.getLogger(Publication.class);

  private final Duration loadInterval;
  private final LongSupplier nanoTime;
  private volatile Given given;

  /** At the moment of joining, no load was known. */
  private record Given(NodeInfo node, boolean hasLoad, long nanos) {}

  /**
   * @param joined with which this node joins
   * @param nanoTime as {@link System#nanoTime}
   */
  Publication(NodeInfo joined, Duration loadInterval, LongSupplier nanoTime) {
    this.loadInterval = loadInterval;
    this.nanoTime = nanoTime;
    given = new Given(joined, false, nanoTime.getAsLong());
  }

  /**
   * Publishes a change, if there is one and it is due; does not wait for it.
   *
   * @param members of the cluster, this one included
   * @param update gives the others the bytes of a description
   */
  void publish(NodeInfo current, int members, Function<byte[], Mono<Void>> update) {
    long now = nanoTime.getAsLong();
    if (!isDue(current, members, now)) {
      return;
    }
    try {
      update
          .apply(NodeInfoCodec.encode(current))
          .subscribe(null, Publication::failed, () -> given = new Given(current, true, now));
    } catch (RuntimeException e) {
      failed(e);
    }
  }

  private boolean isDue(NodeInfo current, int members, long now) {
    Given last = given;
    if (current.equals(last.node)) {
      return false;
    }
    if (!last.hasLoad || !withoutFigures(current).equals(withoutFigures(last.node))) {
      return true;
    }
    Duration pause = loadInterval.multipliedBy(Math.ceilDiv(members, MEMBERS_A_PAUSE));
    Duration lesser = loadInterval.multipliedBy(LESSER_INTERVALS);
    boolean isFar = current.load().isFarFrom(last.node.load());
    Duration due = isFar || pause.compareTo(lesser) > 0 ? pause : lesser;
    // The looks are as far apart as the shortest pause, give or take a little.
    return now - last.nanos >= due.minus(loadInterval.dividedBy(2)).toNanos();
  }

  private static NodeInfo withoutFigures(NodeInfo node) {
    return node.withLoad(node.load().withoutFigures());
  }

  private static void failed(Throwable why) {
    LOG.warn("could not publish this node's load, and tries again: {}", why.toString());
  }
}
