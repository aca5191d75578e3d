package io.cordwood.query.loki;

import io.cordwood.query.scan.AnswerMemory;

/**
 * The memory of one answer's numbers: of all series that are counted for it, and of those that are
 * made of several. Taken from what the node has for all answers. For the query's own thread.
 */
final class SeriesMemory implements AutoCloseable {
  /** For all ranges of an expression together. */
  static final long MAX_BYTES = 64L << 20;

  /** Memory for a series, without its labels and numbers. */
  private static final int SERIES_BYTES = 500;

  /** Taken at once from what all answers have. */
  private static final int PORTION_BYTES = 256 << 10;

  private final AnswerMemory.Share share;
  private long bytes;
  private long shared;
  private long series;

  SeriesMemory(AnswerMemory memory) {
    this.share = memory.open();
  }

  /**
   * Takes a series.
   *
   * @param labels their length as a text
   * @param bytesAPoint of its numbers
   */
  void takeSeries(int labels, long bytesAPoint, int points) {
    take(SERIES_BYTES + 4L * labels + bytesAPoint * points);
    series++;
  }

  /**
   * Takes more.
   *
   * @throws LimitException if that is more than there is
   */
  void take(long more) {
    bytes += more;
    boolean fits = bytes <= MAX_BYTES;
    while (fits && shared < bytes) {
      fits = share.take(PORTION_BYTES);
      shared += PORTION_BYTES;
    }
    if (!fits) {
      throw new LimitException(
          LimitException.Limit.SERIES,
          ("parameter query: expected numbers of at most %d bytes in all ranges together, and no"
                  + " more than fit beside other answers, found more after %d series; count by"
                  + " fewer labels, in a shorter time, or with a longer step")
              .formatted(MAX_BYTES, series));
    }
  }

  @Override
  public void close() {
    share.close();
  }
}
