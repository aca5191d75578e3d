package io.cordwood.query;

/**
 * How far a search has come. Never more is done than there is to do.
 *
 * @param blocks in range and of the topics asked for, as far as they are known yet
 * @param blocksDone of these, searched or skipped
 * @param bytes raw bytes of {@code blocks}
 * @param bytesDone raw bytes of {@code blocksDone}
 */
public record Progress(long blocks, long blocksDone, long bytes, long bytesDone) {
  public static final Progress NONE = new Progress(0, 0, 0, 0);

  /** The sum of both. */
  public Progress plus(Progress other) {
    return new Progress(
        blocks + other.blocks,
        blocksDone + other.blocksDone,
        bytes + other.bytes,
        bytesDone + other.bytesDone);
  }

  /** The progress of a search that has ended: nothing is left to do. */
  public Progress ended() {
    return new Progress(blocksDone, blocksDone, bytesDone, bytesDone);
  }
}
