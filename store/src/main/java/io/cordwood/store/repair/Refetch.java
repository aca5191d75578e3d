package io.cordwood.store.repair;

import io.cordwood.common.segment.BatchInfo;
import io.cordwood.store.ByTopic;
import io.cordwood.store.StorePeer;
import io.cordwood.store.keep.LostRange;
import io.cordwood.store.keep.LostRanges;
import io.cordwood.store.segment.HeldSegments;
import io.cordwood.store.segment.LiveSegment;
import io.cordwood.store.segment.Replica;
import io.cordwood.store.segment.SegmentBuilder;
import io.cordwood.store.segment.SegmentInfo;
import io.cordwood.store.segment.StoreLog;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Fetches what was lost with damaged blocks from the stores that have it: of each range, all that
 * they hold and this store does not. So it may get batches that it never had, which do no harm.
 *
 * <p>What comes is checked to its last byte before it is used. A range is asked for until all that
 * are there have answered, but no more often than {@link #ATTEMPTS} times: the comparison of the
 * stores finds what is still missing. One thread.
 */
final class Refetch {
  private static final Logger LOG = LoggerFactory.getLogger(Refetch.class);
  private static final int ATTEMPTS = 10;

  private final StoreLog log;
  private final HoldingsClient client;
  private final LostRanges lost;
  private final Supplier<ByTopic<Instant>> horizons;
  private final RepairMetrics metrics;
  private final List<Attempt> pending = new ArrayList<>();

  private record Attempt(LostRange range, int number) {}

  /**
   * @param horizons before which records of a topic are not to come back
   */
  Refetch(
      StoreLog log,
      HoldingsClient client,
      LostRanges lost,
      Supplier<ByTopic<Instant>> horizons,
      RepairMetrics metrics) {
    this.log = log;
    this.client = client;
    this.lost = lost;
    this.horizons = horizons;
    this.metrics = metrics;
  }

  /** Tries to get all that is lost. */
  void run(List<StorePeer> peers) {
    lost.take().stream().filter(this::isKept).forEach(range -> pending.add(new Attempt(range, 1)));
    if (peers.isEmpty()) {
      shorten();
      return;
    }
    List<Attempt> again = new ArrayList<>();
    for (Attempt attempt : pending) {
      if (!fetch(attempt.range, peers) && attempt.number < ATTEMPTS) {
        again.add(new Attempt(attempt.range, attempt.number + 1));
      }
    }
    pending.clear();
    pending.addAll(again);
  }

  private boolean isKept(LostRange range) {
    Instant horizon = horizons.get().of(range.topic());
    return !range.range().to().time().isBefore(horizon);
  }

  private void shorten() {
    if (pending.size() > LostRanges.MOST) {
      pending.subList(LostRanges.MOST, pending.size()).clear();
    }
  }

  /** Fetches a range from everybody; whether that is all that can be done. */
  private boolean fetch(LostRange range, List<StorePeer> peers) {
    List<TransferSegment> received = new ArrayList<>();
    boolean complete = true;
    try {
      for (StorePeer peer : peers) {
        complete &= receive(range, peer, received);
      }
      store(range, received);
      return complete;
    } catch (IOException e) {
      metrics.repairFailed("refetch");
      LOG.warn("{}: what was fetched is not stored, will be tried again: {}", range, e.toString());
      return false;
    } finally {
      received.forEach(TransferSegment::close);
    }
  }

  private boolean receive(LostRange range, StorePeer peer, List<TransferSegment> received) {
    try (Replica replica = log.newReplica()) {
      if (client.fetch(peer, range.topic(), range.range(), replica.file())) {
        received.add(TransferSegment.of(log, replica.flush()));
      }
      return true;
    } catch (IOException e) {
      metrics.repairFailed("refetch");
      LOG.warn("{}: not fetched from {}: {}", range, peer, e.toString());
      return false;
    }
  }

  private void store(LostRange range, List<TransferSegment> received) throws IOException {
    if (received.isEmpty()) {
      return;
    }
    Set<BatchInfo> own = own(range);
    List<LiveSegment> segments = received.stream().map(TransferSegment::asLive).toList();
    try (SegmentBuilder active = log.newActive()) {
      selection(range)
          .run(
              segments,
              _ -> true,
              batch -> {
                if (!own.contains(BatchInfo.of(batch))) {
                  active.append(batch);
                }
              });
      if (active.payloadBytes() > 0) {
        SegmentInfo stored = log.publish(active.flush()).info();
        metrics.refetched(stored.records(), stored.fileBytes());
        LOG.info("{}: {} records fetched from other stores", range, stored.records());
      }
    }
  }

  /** This store's batches in a range: about as much as one or some blocks hold. */
  private Set<BatchInfo> own(LostRange range) throws IOException {
    Set<BatchInfo> own = new HashSet<>();
    try (HeldSegments held = log.hold(range.range())) {
      selection(range).list(held.live(), own::add);
    }
    return own;
  }

  private static BatchSelection selection(LostRange range) {
    return new BatchSelection(Optional.of(range.topic()), range.range());
  }
}
