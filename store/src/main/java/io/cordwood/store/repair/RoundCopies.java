package io.cordwood.store.repair;

import io.cordwood.common.segment.BatchInfo;
import io.cordwood.store.StorePeer;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.BitSet;
import java.util.List;
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
  private boolean nobodyLeft;

  /**
   * @param peers the other stores
   */
  RoundCopies(RepairContext shared, List<StorePeer> peers) {
    this.shared = shared;
    this.copies = shared.options().replicationFactor();
    this.allTakeLabels = peers.stream().allMatch(StorePeer::readsLabels);
    this.targets = new CopyTargets(peers, shared.random());
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
   * @param held the batches of which they are some
   */
  void copy(BitSet holders, List<BatchInfo> batches, Contents.Held held) throws IOException {
    if (allTakeLabels) {
      copy(holders, batches, true, held);
      return;
    }
    for (boolean labelled : new boolean[] {false, true}) {
      List<BatchInfo> some =
          batches.stream().filter(it -> (it.labelsIdentity() != 0) == labelled).toList();
      if (!some.isEmpty()) {
        copy(holders, some, labelled, held);
      }
    }
  }

  private void copy(BitSet holders, List<BatchInfo> batches, boolean labelled, Contents.Held held)
      throws IOException {
    int missing = copies - 1 - holders.cardinality();
    List<StorePeer> chosen = targets.choose(holders, missing, labelled);
    if (chosen.isEmpty()) {
      // Those that could take it failed at another slice. Some that others can take may come.
      nobodyLeft = true;
      return;
    }
    long copied = held.copy(batches, (file, bytes) -> send(file, bytes, chosen));
    shared.metrics().copied(copied);
    LOG.info("{} batches of {} copied to {}", copied, held.range().from().time(), chosen);
  }

  /** Sends it to all of them, also if some fail: what one has is a copy more. */
  private void send(Path file, long bytes, List<StorePeer> chosen) throws IOException {
    IOException failure = null;
    for (StorePeer peer : chosen) {
      var longest = SEND_GRACE.plusMillis(bytes / SLOWEST_BYTES_PER_MILLI);
      try {
        shared.replicas().send(peer, file, longest);
        shared.metrics().copySent(bytes);
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
