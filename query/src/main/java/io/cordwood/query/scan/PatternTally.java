package io.cordwood.query.scan;

import io.cordwood.common.segment.Varints;
import io.cordwood.query.AnswerFormatException;
import io.cordwood.query.match.Matcher;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;

/**
 * Counts a batch's records by the first of several patterns that each matches. As bytes: for each
 * pattern that is the first of some, its position and their number, as {@link Varints}. One thread.
 */
public final class PatternTally implements BatchTally {
  /** The most patterns that are told apart. */
  public static final int MAX_PATTERNS = 100;

  private static final int MAX_ENTRY_BYTES = 10;

  private final List<Matcher> patterns;
  private final int[] counts;

  PatternTally(List<Matcher> patterns) {
    this.patterns = patterns;
    this.counts = new int[patterns.size()];
  }

  @Override
  public void add(byte[] bytes, int from, int end, byte delimiter) {
    for (int i = 0; i < counts.length; i++) {
      if (patterns.get(i).find(bytes, from, end + 1, delimiter) >= 0) {
        counts[i]++;
        return;
      }
    }
  }

  @Override
  public boolean hasAny() {
    return Arrays.stream(counts).anyMatch(count -> count > 0);
  }

  @Override
  public byte[] take() {
    var encoded = ByteBuffer.allocate(counts.length * MAX_ENTRY_BYTES);
    for (int i = 0; i < counts.length; i++) {
      if (counts[i] > 0) {
        Varints.put(encoded, i);
        Varints.put(encoded, counts[i]);
      }
    }
    Arrays.fill(counts, 0);
    return Arrays.copyOf(encoded.array(), encoded.position());
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
