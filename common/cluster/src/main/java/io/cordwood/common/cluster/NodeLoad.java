package io.cordwood.common.cluster;

import io.cordwood.common.wire.Load;

/**
 * How busy and how full a node says it is; seconds old by the time a peer reads it.
 *
 * @param senders what senders are told of it
 * @param storedBytes bytes of the store segments that it holds
 * @param replicatedFromMillis what it stores from this time on, in milliseconds since 1970, is on
 *     as many stores as it should be, as far as it knows; {@link Long#MAX_VALUE} if it knows of
 *     nothing
 * @param quarantinedSegments that no store could store, and none is given any more
 * @param partners the stores among which what it stores has these copies
 * @param deletionsSum of the deletions that it knows; 0 of a node that knows none
 */
public record NodeLoad(
    Load senders,
    long storedBytes,
    long replicatedFromMillis,
    int quarantinedSegments,
    Partners partners,
    long deletionsSum) {
  /** The load of a node that has not measured anything yet. */
  public static final NodeLoad NONE = new NodeLoad(0, 0, 0, 0, 0);

  private static final long FAR = 10;

  /** The load of a node that is not a store. */
  public NodeLoad(
      int connections,
      long bytesPerSecond,
      long backlogBytes,
      long freeDiskBytes,
      long storedBytes) {
    this(
        new Load(connections, bytesPerSecond, backlogBytes, freeDiskBytes),
        storedBytes,
        Long.MAX_VALUE,
        0,
        Partners.UNKNOWN,
        0);
  }

  /**
   * @throws IllegalArgumentException if a figure is negative
   */
  public NodeLoad {
    if (storedBytes < 0 || replicatedFromMillis < 0 || quarantinedSegments < 0) {
      throw new IllegalArgumentException("a figure of a load is negative");
    }
  }

  public long connections() {
    return senders.connections();
  }

  public long bytesPerSecond() {
    return senders.bytesPerSecond();
  }

  public long backlogBytes() {
    return senders.backlogBytes();
  }

  public long freeDiskBytes() {
    return senders.freeDiskBytes();
  }

  /** The load of a node that holds store segments. */
  public NodeLoad withStored(long bytes, long replicatedFrom, Partners among) {
    return new NodeLoad(senders, bytes, replicatedFrom, quarantinedSegments, among, deletionsSum);
  }

  /** The load of an ingest node that keeps that many segments from the stores. */
  public NodeLoad withQuarantined(int segments) {
    return new NodeLoad(
        senders, storedBytes, replicatedFromMillis, segments, partners, deletionsSum);
  }

  /** This load, with another number of connections. */
  public NodeLoad withConnections(int open) {
    Load told = new Load(open, bytesPerSecond(), backlogBytes(), freeDiskBytes());
    return new NodeLoad(
        told, storedBytes, replicatedFromMillis, quarantinedSegments, partners, deletionsSum);
  }

  /** The load of a node that knows deletions of which this is the sum. */
  public NodeLoad withDeletions(long sum) {
    return new NodeLoad(
        senders, storedBytes, replicatedFromMillis, quarantinedSegments, partners, sum);
  }

  /** Without the figures that change all the time, of which nobody concludes what is stored. */
  NodeLoad withoutFigures() {
    return lasting().withQuarantined(quarantinedSegments).withDeletions(deletionsSum);
  }

  /** Whether one of the figures is more than a tenth larger or smaller than it was. */
  boolean isFarFrom(NodeLoad before) {
    return isFar(connections(), before.connections())
        || isFar(bytesPerSecond(), before.bytesPerSecond())
        || isFar(backlogBytes(), before.backlogBytes())
        || isFar(freeDiskBytes(), before.freeDiskBytes())
        || isFar(storedBytes, before.storedBytes);
  }

  private static boolean isFar(long now, long before) {
    return Math.abs(now - before) > Math.max(now, before) / FAR;
  }

  /** The part that stays true when the rest is old. */
  NodeLoad lasting() {
    return NONE.withStored(0, replicatedFromMillis, partners);
  }
}
