package io.cordwood.common.segment;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/**
 * The fingerprints of a segment's batches, by the time slice in which their first ULIDs are.
 * Immutable; 48 bytes a slice.
 */
public final class SliceSums {
  /** The slices by which stores compare what they hold. */
  public static final long USUAL_MILLIS = 600_000;

  /** The most slices that a segment has sums of. */
  static final int MAX_SLICES = 65_536;

  /** Number of the slice, batches, records, bytes, both halves of the sum. */
  private static final int LONGS = 6;

  static final int SLICE_BYTES = LONGS * Long.BYTES;

  private final long millis;
  private final long[] sums;

  private SliceSums(long millis, long[] sums) {
    this.millis = millis;
    this.sums = sums;
  }

  /** The length of a slice; a slice's number is its start, in milliseconds, divided by this. */
  public long millis() {
    return millis;
  }

  public int size() {
    return sums.length / LONGS;
  }

  /** Gives the number and the fingerprint of each slice, in order. */
  public void forEach(BiConsumer<Long, Fingerprint> action) {
    for (int i = 0; i < sums.length; i += LONGS) {
      action.accept(
          sums[i],
          new Fingerprint(sums[i + 1], sums[i + 2], sums[i + 3], sums[i + 4], sums[i + 5]));
    }
  }

  void put(ByteBuffer target) {
    for (long part : sums) {
      target.putLong(part);
    }
  }

  static SliceSums get(ByteBuffer source, long millis, int slices) {
    long[] sums = new long[slices * LONGS];
    source.asLongBuffer().get(sums);
    return new SliceSums(millis, sums);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof SliceSums that
        && millis == that.millis
        && Arrays.equals(sums, that.sums);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(sums);
  }

  /** Adds up fingerprints, of batches in any order. One thread. */
  public static final class Builder {
    private final long millis;
    private final Map<Long, Fingerprint> slices = new TreeMap<>();
    private Topic topic = Topic.DEFAULT;
    private long topicHash = Fingerprint.hash(topic);

    public Builder(long millis) {
      this.millis = millis;
    }

    /**
     * Adds a batch.
     *
     * @param bytes of its payload
     */
    public void add(BatchIdentity batch, int bytes) {
      if (!batch.topic().equals(topic)) {
        topic = batch.topic();
        topicHash = Fingerprint.hash(topic);
      }
      slices.merge(
          batch.first().millis() / millis,
          Fingerprint.of(topicHash, batch, bytes),
          Fingerprint::plus);
    }

    public SliceSums build() {
      long[] sums = new long[slices.size() * LONGS];
      int at = 0;
      for (var slice : slices.entrySet()) {
        Fingerprint print = slice.getValue();
        sums[at++] = slice.getKey();
        sums[at++] = print.batches();
        sums[at++] = print.records();
        sums[at++] = print.bytes();
        sums[at++] = print.high();
        sums[at++] = print.low();
      }
      return new SliceSums(millis, sums);
    }
  }
}
