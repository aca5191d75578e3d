package io.cordwood.common.deletion;

import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.ulid.UlidRange;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collection;

/** Some records, by their ULIDs, each once. Immutable; 16 bytes for each. */
public final class NamedRecords {
  /** Most of one tombstone. */
  public static final int MAX = 100_000;

  /** In the order of the ULIDs, big endian. */
  private final byte[] sorted;

  private NamedRecords(byte[] sorted) {
    this.sorted = sorted;
  }

  /**
   * Names records.
   *
   * @param ulids in any order
   * @throws IllegalArgumentException if there are none, or too many
   */
  public static NamedRecords of(Collection<Ulid> ulids) {
    var distinct = ulids.stream().sorted().distinct().toList();
    var bytes = ByteBuffer.allocate(checked(distinct.size()) * Ulid.BYTES);
    for (Ulid ulid : distinct) {
      bytes.putLong(ulid.high()).putLong(ulid.low());
    }
    return new NamedRecords(bytes.array());
  }

  private static int checked(int count) {
    if (count < 1 || count > MAX) {
      throw new IllegalArgumentException(
          "expected 1 to %d records, found %d".formatted(MAX, count));
    }
    return count;
  }

  /**
   * Reads what {@link #toString} writes.
   *
   * @throws IllegalArgumentException if the text is anything else
   */
  static NamedRecords parse(String text) {
    byte[] bytes = Base64.getDecoder().decode(text);
    if (bytes.length % Ulid.BYTES != 0) {
      throw new IllegalArgumentException("expected ULIDs, found " + bytes.length + " bytes");
    }
    checked(bytes.length / Ulid.BYTES);
    var named = new NamedRecords(bytes);
    for (int i = 1; i < named.size(); i++) {
      if (!named.get(i - 1).isBefore(named.get(i))) {
        throw new IllegalArgumentException("expected ULIDs in order");
      }
    }
    return named;
  }

  int size() {
    return sorted.length / Ulid.BYTES;
  }

  /** From the first to the last. */
  UlidRange range() {
    return new UlidRange(get(0), get(size() - 1));
  }

  boolean contain(Ulid record) {
    return containAnyOf(new UlidRange(record, record));
  }

  boolean containAnyOf(UlidRange range) {
    int first = firstSince(range.from());
    return first < size() && !get(first).isAfter(range.to());
  }

  /** Whether each ULID of a range is named; false if it is one of more than a batch may have. */
  boolean containAllOf(UlidRange range) {
    long more = range.to().low() - range.from().low();
    if (range.to().high() != range.from().high() || more < 0 || more >= size()) {
      return false;
    }
    int last = firstSince(range.from()) + (int) more;
    return last < size() && get(last).equals(range.to());
  }

  private int firstSince(Ulid from) {
    int low = 0;
    int high = size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (get(middle).isBefore(from)) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  private Ulid get(int index) {
    return Ulid.get(ByteBuffer.wrap(sorted), index * Ulid.BYTES);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof NamedRecords named && Arrays.equals(named.sorted, sorted);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(sorted);
  }

  /** In base 64. */
  @Override
  public String toString() {
    return Base64.getEncoder().encodeToString(sorted);
  }
}
