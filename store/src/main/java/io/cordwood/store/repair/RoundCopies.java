package io.cordwood.store.repair;

import io.cordwood.common.segment.BatchInfo;
import io.cordwood.common.ulid.UlidRange;
import io.cordwood.store.DiskPace;
import io.cordwood.store.StorePeer;
import io.cordwood.store.segment.LiveSegment;
import java.io.IOException;
import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The copies that one round of repair makes. One thread. */
final class RoundCopies {
  private static final Logger LOG = LoggerFactory.getLogger(RoundCopies.class);
  private static final Duration SEND_GRACE = Duration.ofSeconds(30);
  private static final long SLOWEST_BYTES_PER_MILLI = 256;

  private final RepairContext shared;
  private final int copies;
  private final boolean allTakeLabels;
  private final CopyTargets targets;
  private final DiskPace pace;
  private boolean nobodyLeft;

  /**
   * @param peers the other stores
   */
  RoundCopies(RepairContext shared, List<StorePeer> peers) {
    this.shared = shared;
    this.copies = shared.options().replicationFactor();
    this.allTakeLabels = peers.stream().allMatch(StorePeer::readsLabels);
    this.targets = new CopyTargets(peers, RandomGenerator.getDefault());
    this.pace = new DiskPace(shared.options().repair().repairBytesPerSecond(), shared.stop());
  }

  /** Whether there was no store to send something to, since all had failed. */
  boolean isNobodyLeft() {
    return nobodyLeft;
  }

  /**
   * Sends batches to as many stores as they lack; those with labels apart, if there are stores that
   * do not take them.
   *
   * @param holders those of the peers that have them
   * @param segments this store's own, held
   */
  void copy(BitSet holders, List<BatchInfo> batches, List<LiveSegment> segments, UlidRange range)
      throws IOException {
    if (allTakeLabels) {
      copy(holders, batches, true, segments, range);
      return;
    }
    for (boolean labelled : new boolean[] {false, true}) {
      List<BatchInfo> some =
          batches.stream().filter(it -> (it.labelsIdentity() != 0) == labelled).toList();
      if (!some.isEmpty()) {
        copy(holders, some, labelled, segments, range);
      }
    }
  }

  private void copy(
      BitSet holders,
      List<BatchInfo> batches,
      boolean labelled,
      List<LiveSegment> segments,
      UlidRange range)
      throws IOException {
    int missing = copies - 1 - holders.cardinality();
    List<StorePeer> chosen = targets.choose(holders, missing, labelled);
    if (chosen.isEmpty()) {
      // Those that could take it failed at another slice. Some that others can take may come.
      nobodyLeft = true;
      return;
    }
    var copy =
        new SliceSender(
            shared.own().log(),
            shared.own().ability(),
            shared.options().gathering().targetBytes(),
            pace,
            batches,
            segment -> send(segment, chosen));
    long copied = copy.run(segments, range);
    shared.metrics().copied(copied);
    LOG.info("{} batches of {} copied to {}", copied, range.from().time(), chosen);
  }

  /** Sends it to all of them, also if some fail: what one has is a copy more. */
  private void send(TransferSegment segment, List<StorePeer> chosen) throws IOException {
    IOException failure = null;
    for (StorePeer peer : chosen) {
      var longest = SEND_GRACE.plusMillis(segment.fileBytes() / SLOWEST_BYTES_PER_MILLI);
      try {
        shared.replicas().send(peer, segment.path(), longest);
        shared.metrics().copySent(segment.fileBytes());
      } catch (IOException e) {
        targets.failed(peer);
        if (failure != null) {
          e.addSuppressed(failure);
        }
        failure = e;
      }
    }
    if (failure != null) {
      throw failure;
    }
  }
}
