package io.cordwood.common.http;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;

/**
 * A set that the one who asks knows already, in a few bytes, so that an answer leaves out what is
 * the same: the members fall into parts, and of each part there is the sum of their hashes. Parts
 * with the same sum have the same members, but for accidents of one in 2^64; not against somebody
 * who makes up members to deceive. Immutable.
 *
 * <p>As a parameter: the sums, 8 bytes each, big endian, in Base64 for addresses, without padding.
 */
public final class KnownParts {
  /** As a parameter, they still stand in an address. */
  public static final int MOST = 256;

  private final long[] sums;

  private KnownParts(long[] sums) {
    this.sums = sums;
  }

  /** Adds up the members of a set. One thread. */
  public static final class Builder {
    private final long[] sums;

    /**
     * @param parts from 1 to {@link #MOST}
     */
    public Builder(int parts) {
      this.sums = new long[parts];
    }

    /**
     * Adds a member, which must not be there yet.
     *
     * @param place that decides on its part
     * @param hash of all of it
     */
    public Builder add(long place, long hash) {
      sums[Math.floorMod(place, sums.length)] += hash;
      return this;
    }

    public KnownParts build() {
      return new KnownParts(sums.clone());
    }
  }

  /** The number of parts by which question and answer about a small difference are the shortest. */
  public static int countFor(int members) {
    return Math.clamp((int) Math.sqrt(members), 1, MOST);
  }

  public int count() {
    return sums.length;
  }

  /** The part in which a member is. */
  public int part(long place) {
    return Math.floorMod(place, sums.length);
  }

  /** Whether a part of another set, cut into as many, has the same members. */
  public boolean isSame(int part, KnownParts other) {
    return sums[part] == other.sums[part];
  }

  /** The sum of the whole set. */
  public long total() {
    return Arrays.stream(sums).sum();
  }

  @Override
  public String toString() {
    ByteBuffer bytes = ByteBuffer.allocate(sums.length * Long.BYTES);
    bytes.asLongBuffer().put(sums);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes.array());
  }

  /**
   * Reads what {@link #toString} wrote.
   *
   * @throws IllegalArgumentException if it is anything else
   */
  public static KnownParts parse(String text) {
    byte[] bytes = Base64.getUrlDecoder().decode(text);
    int count = bytes.length / Long.BYTES;
    if (count < 1 || count > MOST || bytes.length % Long.BYTES != 0) {
      throw new IllegalArgumentException(
          "expected 1 to %d sums of 8 bytes, found %d bytes".formatted(MOST, bytes.length));
    }
    long[] sums = new long[count];
    ByteBuffer.wrap(bytes).asLongBuffer().get(sums);
    return new KnownParts(sums);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof KnownParts parts && Arrays.equals(sums, parts.sums);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(sums);
  }
}
