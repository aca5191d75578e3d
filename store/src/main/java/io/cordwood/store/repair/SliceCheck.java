package io.cordwood.store.repair;

import io.cordwood.common.segment.BatchInfo;
import io.cordwood.store.StorePeer;
import io.cordwood.store.segment.UnreadableSegmentException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Finds the batches of a range that too few stores hold, and that it is for this store to copy: of
 * those that hold a batch and can copy, the one with the smallest node id does; if none can, the
 * one with the smallest node id of all.
 *
 * <p>The lists of the others come in, in the order of batches, while those of this store's own
 * segments are gone through. Memory: a buffer for each list, the batches of a block (the block
 * itself, in a segment without a list) for each segment at that moment, and up to {@link #MOST}
 * batches that were found. One thread.
 */
final class SliceCheck {
  /** Most batches that are found at once; the others are found when these are copied. */
  static final int MOST = 1 << 16;

  private final String nodeId;
  private final int copies;
  private final List<StorePeer> peers;
  private final Predicate<String> canCopy;
  private final Predicate<BatchInfo> isKept;
  private final Map<BitSet, List<BatchInfo>> toCopy = new HashMap<>();
  private boolean replicated = true;
  private long missingBytes;
  private int found;

  /**
   * The result of a comparison.
   *
   * @param replicated whether all that this store holds is on as many stores as it should be
   * @param missingBytes payload bytes of all copies that are missing and that it is for this store
   *     to make, also those that nobody is there to take
   * @param toCopy batches that somebody can take, in order, by who of the peers has them already
   */
  record Findings(boolean replicated, long missingBytes, Map<BitSet, List<BatchInfo>> toCopy) {}

  /**
   * @param copies that there should be of each batch, this store's own included
   * @param peers all other living stores
   * @param canCopy whether a store says so, by its node id
   * @param isKept whether a batch is not due to go, so that its copies matter
   */
  SliceCheck(
      String nodeId,
      int copies,
      List<StorePeer> peers,
      Predicate<String> canCopy,
      Predicate<BatchInfo> isKept) {
    this.nodeId = nodeId;
    this.copies = copies;
    this.peers = peers;
    this.canCopy = canCopy;
    this.isKept = isKept;
  }

  /**
   * Compares the batches that are held.
   *
   * @throws UnreadableSegmentException if one of them cannot be read
   * @throws IOException if a peer does not tell what it holds
   */
  Findings run(Holdings others, Contents.Held held) throws IOException {
    try (var lists = PeerBatches.open(others, peers, held.range())) {
      held.list(info -> check(info, lists.holders(info)));
      return new Findings(replicated, missingBytes, toCopy);
    }
  }

  private void check(BatchInfo info, BitSet holders) {
    if (!isKept.test(info)) {
      return;
    }
    int missing = copies - 1 - holders.cardinality();
    replicated &= missing <= 0;
    if (missing > 0 && isFirstHolder(holders)) {
      missingBytes += (long) missing * info.bytes();
      if (holders.cardinality() < peers.size() && found < MOST) {
        found++;
        toCopy.computeIfAbsent((BitSet) holders.clone(), _ -> new ArrayList<>()).add(info);
      }
    }
  }

  private boolean isFirstHolder(BitSet holders) {
    return holders.stream().allMatch(i -> isBefore(peers.get(i).nodeId()));
  }

  private boolean isBefore(String other) {
    boolean own = canCopy.test(nodeId);
    return own == canCopy.test(other) ? nodeId.compareTo(other) < 0 : own;
  }
}
