package io.cordwood.store.consume;

import io.cordwood.store.KnownPeers;
import io.cordwood.store.StoreOptions;
import io.cordwood.store.segment.StoreFolder;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether there is any use in gathering: there have to be enough stores for the copies, and room on
 * this one's disk. While it is shut, records wait on the ingest nodes, or are taken by other
 * stores; that it shuts and that it opens is said once each, but not that other stores are still
 * starting. For any thread.
 */
final class PullGate {
  private static final Logger LOG = LoggerFactory.getLogger(PullGate.class);

  /**
   * Free space below which nothing is gathered. It is less than what an ingest node leaves free, so
   * that one which shares the disk and is full can still be emptied.
   */
  private static final long MIN_ROOM_BYTES = 32L << 20;

  private static final int PARTS_OF_ROOM = 4;

  /** For how long after the start it is no news that other stores have not come yet. */
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final StoreOptions options;
  private final StoreFolder folder;
  private final KnownPeers peers;
  private final long startNanos = System.nanoTime();
  private boolean tooFew;
  private boolean warned;
  private boolean full;

  PullGate(StoreOptions options, StoreFolder folder, KnownPeers peers) {
    this.options = options;
    this.folder = folder;
    this.peers = peers;
  }

  /** How many stores there would have to be more. */
  int missingStores() {
    int needed = options.replicationFactor() - 1;
    return needed == 0 ? 0 : Math.max(0, needed - peers.otherStores().size());
  }

  boolean isDiskFull() {
    return folder.usableBytes() < MIN_ROOM_BYTES;
  }

  /**
   * How much to gather: as much as a segment should have, or less if free disk space does not hold
   * input and output.
   */
  long gatherBytes() {
    return Math.min(options.gathering().targetBytes(), folder.usableBytes() / PARTS_OF_ROOM);
  }

  boolean isOpen() {
    return say(missingStores(), isDiskFull());
  }

  private synchronized boolean say(int missing, boolean nowFull) {
    sayStores(missing);
    if (nowFull != full) {
      full = nowFull;
      if (full) {
        LOG.warn("{}: the disk is full; nothing is gathered, others may", folder.path());
      } else {
        LOG.info("{}: the disk has room, gathers again", folder.path());
      }
    }
    return !tooFew && !full;
  }

  private void sayStores(int missing) {
    if (tooFew && missing == 0) {
      LOG.info("enough stores for {} copies, gathers", options.replicationFactor());
    }
    tooFew = missing > 0;
    boolean lasts = System.nanoTime() - startNanos > PATIENCE.toNanos();
    if (tooFew && lasts && !warned) {
      LOG.warn(
          "too few stores: {} more are needed for {} copies; nothing is gathered, records wait "
              + "on the ingest nodes",
          missing,
          options.replicationFactor());
    }
    warned = tooFew && lasts;
  }
}
