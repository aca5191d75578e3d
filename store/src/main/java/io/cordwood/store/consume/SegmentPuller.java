package io.cordwood.store.consume;

import io.cordwood.common.run.LastUsed;
import io.cordwood.common.run.MachineErrors;
import io.cordwood.store.StopFlag;
import io.cordwood.store.StoreMetrics;
import io.cordwood.store.StoreOptions;
import io.cordwood.store.claim.Claim;
import io.cordwood.store.claim.ClaimPool;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Fills gathers with the segments that ingest nodes have: claims them, has them pulled, and gives
 * back those that could not be. Each consumer has one; they take turns. One thread.
 */
final class SegmentPuller {
  private static final Logger LOG = LoggerFactory.getLogger(SegmentPuller.class);

  /** How old a gather becomes although there is more to be had at once. */
  private static final Duration MAX_GATHER = Duration.ofSeconds(10);

  /** How long an ingest node that has a segment needs at most to say so. */
  private static final Duration ROUND_TRIP = Duration.ofMillis(20);

  /** How long a gather waits for its first segment; then idle spool files go. */
  private static final Duration IDLE = Duration.ofSeconds(3);

  /** How often it is looked again whether gathering is of any use. */
  private static final Duration GATE_CHECK = Duration.ofMillis(500);

  private static final int REMEMBERED_FAILURES = 1000;

  private final StoreOptions.Gathering options;
  private final GatherTurn turn;
  private final PullGate gate;
  private final ClaimPool claims;
  private final SuspectSegments suspects;
  private final StoreMetrics metrics;
  private final StopFlag stop;
  private final Map<String, Boolean> failedBefore = new LastUsed<>(REMEMBERED_FAILURES);

  SegmentPuller(
      StoreOptions.Gathering options,
      GatherTurn turn,
      PullGate gate,
      ClaimPool claims,
      SuspectSegments suspects,
      StoreMetrics metrics,
      StopFlag stop) {
    this.options = options;
    this.turn = turn;
    this.gate = gate;
    this.claims = claims;
    this.suspects = suspects;
    this.metrics = metrics;
    this.stop = stop;
  }

  /**
   * Waits for its turn, and pulls segments until there are enough, or no more to be had soon, or
   * the store is stopping; what was begun is waited for.
   */
  void fill(PulledSegments pulled) throws InterruptedException {
    while (!turn.await(IDLE)) {
      pulled.reuseFiles();
    }
    try {
      collect(pulled);
      turn.gathered();
    } finally {
      claims.pause();
      turn.release();
    }
  }

  private void collect(PulledSegments pulled) throws InterruptedException {
    long enough = gate.gatherBytes();
    while (!stop.isStopping() && !pulled.isFull(enough) && !isOver(pulled)) {
      if (isIdle(pulled) && !gate.isOpen()) {
        claims.refuse();
        boolean _ = stop.await(GATE_CHECK);
      } else if (pullOneMore(pulled)) {
        take(pulled, Duration.ZERO);
      } else if (pulled.pulls().running() > 0) {
        take(pulled, ROUND_TRIP);
      } else if (pulled.isEmpty()) {
        pulled.reuseFiles();
      } else {
        return;
      }
    }
    while (pulled.pulls().running() > 0) {
      take(pulled, IDLE);
    }
  }

  /** Begins with the next claim, if there is room for it and one comes in time; whether it did. */
  private boolean pullOneMore(PulledSegments pulled) throws InterruptedException {
    if (!pulled.pulls().hasRoom()) {
      return false;
    }
    Optional<Claim> claim = claims.next(patience(pulled));
    if (claim.isPresent() && suspects.has(claim.get())) {
      pulled.complete();
      if (!isIdle(pulled)) {
        claims.putBack(claim.get());
        return false;
      }
    }
    claim.ifPresent(pulled.pulls()::start);
    return claim.isPresent();
  }

  private static boolean isIdle(PulledSegments pulled) {
    return pulled.isEmpty() && pulled.pulls().running() == 0;
  }

  private static boolean isOver(PulledSegments pulled) {
    return !pulled.isEmpty() && (pulled.isOld() || pulled.age().compareTo(MAX_GATHER) > 0);
  }

  /** Takes over what was pulled, if anything is being pulled and some of it ends in time. */
  private void take(PulledSegments pulled, Duration longest) throws InterruptedException {
    if (pulled.pulls().running() == 0) {
      return;
    }
    switch (pulled.pulls().await(longest)) {
      case null -> {}
      case SegmentDownloads.Pulled(Claim claim, var slot, var scanned) -> {
        pulled.add(claim, slot, scanned);
        failedBefore.remove(claim.id().toString());
        claims.worked(claim.node());
      }
      case SegmentDownloads.Failed(Claim claim, var slot, Throwable failure) -> {
        pulled.failed(slot);
        MachineErrors.rethrow(failure);
        failed(claim, failure);
      }
    }
  }

  /**
   * How long to wait for another claim: not at all while something is being pulled; if something is
   * held, until the last gather is old enough, or only for what is on its way if that makes a
   * segment that compaction lets be.
   */
  private Duration patience(PulledSegments pulled) {
    if (pulled.pulls().running() > 0) {
      return Duration.ZERO;
    }
    if (pulled.isEmpty()) {
      return IDLE;
    }
    if (pulled.isFull(options.leastBytes())) {
      return ROUND_TRIP;
    }
    Duration left = options.age().minus(turn.sinceLastGather());
    return left.compareTo(ROUND_TRIP) > 0 ? left : ROUND_TRIP;
  }

  private void failed(Claim claim, Throwable e) {
    if (stop.isStopping()) { // It was broken off, which is nobody's fault.
      claims.giveBackAtEnd(List.of(claim));
      return;
    }
    metrics.failed("read");
    LOG.warn("{}: not pulled, others go on: {}", claim, e.toString());
    giveBackOrLeave(claim);
    claims.troubled(claim.node());
  }

  /**
   * A segment that fails again under its name is left to its lease, so that an ingest node which
   * hands out the oldest first gets to the ones after it.
   */
  private void giveBackOrLeave(Claim claim) {
    if (failedBefore.putIfAbsent(claim.id().toString(), true) == null) {
      claims.giveBackUnstorable(claim);
    } else {
      LOG.warn("{}: failed again, left to its lease", claim);
    }
  }
}
