package io.cordwood.query.result;

/**
 * How far a search has come. Never more is done than there is to do.
 *
 * @param blocks in range and of the topics asked for, as far as they are known yet
 * @param blocksDone of these, searched or skipped
 * @param bytes raw bytes of {@code blocks}
 * @param bytesDone raw bytes of {@code blocksDone}
 */
public record SearchProgress(long blocks, long blocksDone, long bytes, long bytesDone) {
  public static final SearchProgress NONE = new SearchProgress(0, 0, 0, 0);

  /** The sum of both. */
  public SearchProgress plus(SearchProgress other) {
    return new SearchProgress(
        blocks + other.blocks,
        blocksDone + other.blocksDone,
        bytes + other.bytes,
        bytesDone + other.bytesDone);
  }

  /** The progress of a search that has ended: nothing is left to do. */
  public SearchProgress ended() {
    return new SearchProgress(blocksDone, blocksDone, bytesDone, bytesDone);
  }
}
