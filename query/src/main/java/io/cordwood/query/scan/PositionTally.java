package io.cordwood.query.scan;

import io.cordwood.common.segment.Varints;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Numbers of records, of which most are 0. As bytes: the position of each that is not, and the
 * number, as {@link Varints}.
 */
abstract class PositionTally implements BatchTally {
  private static final int MAX_ENTRY_BYTES = 10;

  private final int[] counts;

  PositionTally(int size) {
    this.counts = new int[size];
  }

  final void count(int position) {
    counts[position]++;
  }

  @Override
  public final boolean hasAny() {
    return Arrays.stream(counts).anyMatch(count -> count > 0);
  }

  @Override
  public final byte[] take() {
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
}
