package io.cordwood.common.cluster;

/**
 * How busy and how full a node says it is; seconds old by the time a peer reads it.
 *
 * @param connections senders connected now
 * @param bytesPerSecond bytes taken from senders, averaged over the last seconds
 * @param backlogBytes bytes that wait to be consumed
 * @param freeDiskBytes bytes that its data disk can still take
 * @param storedBytes bytes of the store segments that it holds
 * @param replicatedFromMillis what it stores from this time on, in milliseconds since 1970, is on
 *     as many stores as it should be, as far as it knows; {@link Long#MAX_VALUE} if it knows of
 *     nothing
 * @param quarantinedSegments that no store could store, and none is given any more
 * @param partners the stores among which what it stores has these copies
 */
public record NodeLoad(
    int connections,
    long bytesPerSecond,
    long backlogBytes,
    long freeDiskBytes,
    long storedBytes,
    long replicatedFromMillis,
    int quarantinedSegments,
    Partners partners) {
  /** The load of a node that has not measured anything yet. */
  public static final NodeLoad NONE = new NodeLoad(0, 0, 0, 0, 0);

  /** The load of a node that is not a store. */
  public NodeLoad(
      int connections,
      long bytesPerSecond,
      long backlogBytes,
      long freeDiskBytes,
      long storedBytes) {
    this(
        connections,
        bytesPerSecond,
        backlogBytes,
        freeDiskBytes,
        storedBytes,
        Long.MAX_VALUE,
        0,
        Partners.UNKNOWN);
  }

  /**
   * @throws IllegalArgumentException if a figure is negative
   */
  public NodeLoad {
    if (connections < 0
        || bytesPerSecond < 0
        || backlogBytes < 0
        || freeDiskBytes < 0
        || storedBytes < 0
        || replicatedFromMillis < 0
        || quarantinedSegments < 0) {
      throw new IllegalArgumentException("a figure of a load is negative");
    }
  }

  /** The load of a node that holds store segments. */
  public NodeLoad withStored(long bytes, long replicatedFrom, Partners among) {
    return new NodeLoad(
        connections,
        bytesPerSecond,
        backlogBytes,
        freeDiskBytes,
        bytes,
        replicatedFrom,
        quarantinedSegments,
        among);
  }

  /** The load of an ingest node that keeps that many segments from the stores. */
  public NodeLoad withQuarantined(int segments) {
    return new NodeLoad(
        connections,
        bytesPerSecond,
        backlogBytes,
        freeDiskBytes,
        storedBytes,
        replicatedFromMillis,
        segments,
        partners);
  }

  /** This load, with another number of connections. */
  public NodeLoad withConnections(int open) {
    return new NodeLoad(
        open,
        bytesPerSecond,
        backlogBytes,
        freeDiskBytes,
        storedBytes,
        replicatedFromMillis,
        quarantinedSegments,
        partners);
  }

  /** The part that stays true when the rest is old. */
  NodeLoad lasting() {
    return NONE.withStored(0, replicatedFromMillis, partners);
  }
}
