package io.cordwood.query.scan;

import io.cordwood.common.segment.Varints;
import io.cordwood.query.match.Matcher;
import io.cordwood.query.result.AnswerFormatException;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * Counts a batch's records by the first of several patterns that each matches. As bytes: for each
 * pattern that is the first of some, its position and their number, as {@link Varints}. One thread.
 */
public final class PatternTally extends PositionTally {
  /** The most patterns that are told apart. */
  public static final int MAX_PATTERNS = 100;

  private final List<Matcher> patterns;

  PatternTally(List<Matcher> patterns) {
    super(patterns.size());
    this.patterns = patterns;
  }

  @Override
  public void add(byte[] bytes, int from, int end, byte delimiter) {
    for (int i = 0; i < patterns.size(); i++) {
      if (patterns.get(i).find(bytes, from, end + 1, delimiter) >= 0) {
        count(i);
        return;
      }
    }
  }

  /**
   * Adds encoded counts to a sum.
   *
   * @throws AnswerFormatException if the bytes are not a tally of as many patterns
   */
  public static void addTo(long[] sums, ByteBuffer encoded) throws IOException {
    ByteBuffer rest = encoded.slice();
    try {
      while (rest.hasRemaining()) {
        int pattern = Math.toIntExact(Varints.get(rest));
        long count = Varints.get(rest);
        if (count < 1 || count > Integer.MAX_VALUE) {
          throw new IllegalArgumentException("a count of " + count);
        }
        sums[pattern] += count;
      }
    } catch (BufferUnderflowException | ArithmeticException | IndexOutOfBoundsException e) {
      throw new AnswerFormatException("expected a tally of patterns, found " + e);
    } catch (IllegalArgumentException e) {
      throw new AnswerFormatException("expected a tally of patterns, found " + e.getMessage());
    }
  }
}
