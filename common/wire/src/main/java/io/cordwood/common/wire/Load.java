package io.cordwood.common.wire;

/**
 * How busy a node says it is.
 *
 * @param connections of senders, open now
 * @param bytesPerSecond that it takes
 * @param backlogBytes that wait for stores
 * @param freeDiskBytes that its disk can still take
 */
public record Load(long connections, long bytesPerSecond, long backlogBytes, long freeDiskBytes) {

  /**
   * @throws IllegalArgumentException if a figure is negative
   */
  public Load {
    if (connections < 0 || bytesPerSecond < 0 || backlogBytes < 0 || freeDiskBytes < 0) {
      throw new IllegalArgumentException("a figure of a load is negative");
    }
  }

  /** Whether it is less loaded than another one in any respect. */
  public boolean isLessIn(Load other) {
    return connections < other.connections
        || bytesPerSecond < other.bytesPerSecond
        || backlogBytes < other.backlogBytes
        || freeDiskBytes > other.freeDiskBytes;
  }
}
