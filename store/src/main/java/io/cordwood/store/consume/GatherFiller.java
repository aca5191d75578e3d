package io.cordwood.store.consume;

import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Fills gathers with the segments that ingest nodes have: claims them, has them pulled, and gives
 * back those that could not be. Each consumer has one; they take turns. One thread.
 */
final class GatherFiller {
  private static final Logger LOG = LoggerFactory.getLogger(GatherFiller.class);

  /** How old a gather becomes although there is more to be had at once. */
  private static final Duration MAX_GATHER = Duration.ofSeconds(10);

  /** How long an ingest node that has a segment needs at most to say so. */
  private static final Duration ROUND_TRIP = Duration.ofMillis(20);

  /** How long a gather waits for its first segment; then idle spool files go. */
  private static final Duration IDLE = Duration.ofSeconds(3);

  /** How often it is looked again whether gathering is of any use. */
  private static final Duration GATE_CHECK = Duration.ofMillis(500);

  private static final int REMEMBERED_FAILURES = 1000;

  private final Consuming shared;
  private final Spools spools;
  private final Map<String, Boolean> failedBefore = new LinkedHashMap<>();

  GatherFiller(Consuming shared, Spools spools) {
    this.shared = shared;
    this.spools = spools;
  }

  /**
   * Waits for its turn, and pulls segments until there are enough, or no more to be had soon, or
   * the store is stopping; what was begun is waited for.
   */
  void fill(Gather gather) throws InterruptedException {
    while (!shared.turn().tryLock(IDLE.toMillis(), TimeUnit.MILLISECONDS)) {
      spools.reuse();
    }
    try {
      collect(gather);
      shared.gatherEnded();
    } finally {
      shared.claims().pause();
      shared.turn().unlock();
    }
  }

  private void collect(Gather gather) throws InterruptedException {
    long enough = shared.gate().gatherBytes();
    while (!shared.stopping().isStopping() && !gather.isFull(enough) && !isOver(gather)) {
      if (isIdle(gather) && !shared.gate().isOpen()) {
        shared.claims().refuse();
        boolean _ = shared.stopping().await(GATE_CHECK);
      } else if (pullOneMore(gather)) {
        take(gather, Duration.ZERO);
      } else if (gather.pulls().running() > 0) {
        take(gather, ROUND_TRIP);
      } else if (gather.isEmpty()) {
        spools.reuse();
      } else {
        return;
      }
    }
    while (gather.pulls().running() > 0) {
      take(gather, IDLE);
    }
  }

  /** Begins with the next claim, if there is room for it and one comes in time; whether it did. */
  private boolean pullOneMore(Gather gather) throws InterruptedException {
    if (!gather.pulls().hasRoom()) {
      return false;
    }
    Optional<Claim> claim = shared.claims().next(patience(gather));
    claim.ifPresent(gather.pulls()::start);
    return claim.isPresent();
  }

  private static boolean isIdle(Gather gather) {
    return gather.isEmpty() && gather.pulls().running() == 0;
  }

  private static boolean isOver(Gather gather) {
    return !gather.isEmpty() && (gather.isOld() || gather.age().compareTo(MAX_GATHER) > 0);
  }

  /** Takes over what was pulled, if anything is being pulled and some of it ends in time. */
  private void take(Gather gather, Duration longest) throws InterruptedException {
    if (gather.pulls().running() == 0) {
      return;
    }
    Pulls.Ended ended = gather.pulls().await(longest);
    if (ended == null) {
      return;
    }
    Exception failure = ended.failure();
    if (failure == null) {
      failure = add(gather, ended);
    }
    if (failure != null) {
      spools.giveBack(ended.slot());
      failed(ended.claim(), failure);
    }
  }

  private @Nullable Exception add(Gather gather, Pulls.Ended ended) {
    try {
      gather.add(ended.claim(), ended.slot());
      failedBefore.remove(ended.claim().id().toString());
      shared.claims().worked(ended.claim().node());
      return null;
    } catch (IOException | RuntimeException e) {
      return e;
    }
  }

  /**
   * How long to wait for another claim: not at all while something is being pulled; if something is
   * held, until the last gather is old enough, or only for what is on its way if that makes a
   * segment that compaction lets be.
   */
  private Duration patience(Gather gather) {
    if (gather.pulls().running() > 0) {
      return Duration.ZERO;
    }
    if (gather.isEmpty()) {
      return IDLE;
    }
    if (gather.isFull(shared.options().gathering().leastBytes())) {
      return ROUND_TRIP;
    }
    Duration left = shared.options().gathering().age().minus(shared.sinceLastGather());
    return left.compareTo(ROUND_TRIP) > 0 ? left : ROUND_TRIP;
  }

  private void failed(Claim claim, Exception e) {
    shared.metrics().failed("read");
    if (!shared.stopping().isStopping()) {
      LOG.warn("{}: not pulled, others go on: {}", claim, e.toString());
    }
    giveBackOrLeave(claim);
    shared.claims().troubled(claim.node());
  }

  /**
   * A segment that fails again under its name is left to its lease, so that an ingest node which
   * hands out the oldest first gets to the ones after it.
   */
  private void giveBackOrLeave(Claim claim) {
    if (failedBefore.putIfAbsent(claim.id().toString(), true) == null) {
      shared.settlement().giveBackLater(List.of(claim));
    } else {
      LOG.warn("{}: failed again, left to its lease", claim);
    }
    if (failedBefore.size() > REMEMBERED_FAILURES) {
      failedBefore.remove(failedBefore.keySet().iterator().next());
    }
  }
}
