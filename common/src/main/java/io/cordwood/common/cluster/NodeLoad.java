package io.cordwood.common.cluster;

/**
 * How busy and how full a node says it is; seconds old by the time a peer reads it.
 *
 * @param connections senders connected now
 * @param bytesPerSecond bytes taken from senders, averaged over the last seconds
 * @param backlogBytes bytes that wait to be consumed
 * @param freeDiskBytes bytes that its data disk can still take
 * @param storedBytes bytes of the store segments that it holds
 */
public record NodeLoad(
    int connections, long bytesPerSecond, long backlogBytes, long freeDiskBytes, long storedBytes) {
  /** The load of a node that has not measured anything yet. */
  public static final NodeLoad NONE = new NodeLoad(0, 0, 0, 0, 0);

  /**
   * @throws IllegalArgumentException if a figure is negative
   */
  public NodeLoad {
    if (connections < 0
        || bytesPerSecond < 0
        || backlogBytes < 0
        || freeDiskBytes < 0
        || storedBytes < 0) {
      throw new IllegalArgumentException("a figure of a load is negative");
    }
  }

  /** The same, of a node that holds store segments. */
  public NodeLoad withStored(long bytes) {
    return new NodeLoad(connections, bytesPerSecond, backlogBytes, freeDiskBytes, bytes);
  }
}
