package io.cordwood.query.match;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * A literal made ready for a {@link Kernel}: its bytes, and the two of them that the kernel looks
 * for, chosen to be seldom together in logs. A folded needle holds ASCII letters in lower case and
 * is found in either case. A needle has at least one byte.
 */
final class Needle {
  /** Neighbouring letters of a word come together more often than by chance: this much more. */
  private static final double NEIGHBOUR_PENALTY = 8;

  private static final int CASE_BIT = 0x20;

  private final byte[] bytes;
  private final boolean folded;
  private final int firstOffset;
  private final int secondOffset;
  private final double pairProbability;

  Needle(byte[] literal, boolean folded) {
    this.bytes = literal.clone();
    this.folded = folded;
    this.firstOffset = rarest(-1);
    this.secondOffset = bytes.length == 1 ? 0 : rarest(firstOffset);
    this.pairProbability =
        bytes.length == 1
            ? probability(firstOffset)
            : probability(firstOffset) * weight(secondOffset, firstOffset);
  }

  private int rarest(int other) {
    int best = other == 0 ? 1 : 0;
    for (int i = best + 1; i < bytes.length; i++) {
      if (i != other && weight(i, other) < weight(best, other)) {
        best = i;
      }
    }
    return best;
  }

  private double weight(int offset, int other) {
    boolean neighbours = other >= 0 && Math.abs(offset - other) == 1;
    boolean same = other >= 0 && bytes[offset] == bytes[other];
    return Math.min(1, probability(offset) * (neighbours || same ? NEIGHBOUR_PENALTY : 1));
  }

  private double probability(int offset) {
    return folded && isLetter(bytes[offset])
        ? ByteFrequency.of(bytes[offset]) + ByteFrequency.of((byte) (bytes[offset] ^ CASE_BIT))
        : ByteFrequency.of(bytes[offset]);
  }

  private static boolean isLetter(byte lowerCase) {
    return lowerCase >= 'a' && lowerCase <= 'z';
  }

  /** About how often a kernel has to look closer, for each byte searched. */
  double pairProbability() {
    return pairProbability;
  }

  int length() {
    return bytes.length;
  }

  boolean folded() {
    return folded;
  }

  byte first() {
    return bytes[firstOffset];
  }

  byte second() {
    return bytes[secondOffset];
  }

  int firstOffset() {
    return firstOffset;
  }

  int secondOffset() {
    return secondOffset;
  }

  /** The bits to set in a byte before it is compared with {@link #first()}. */
  byte firstFold() {
    return fold(firstOffset);
  }

  byte secondFold() {
    return fold(secondOffset);
  }

  private byte fold(int offset) {
    return folded && isLetter(bytes[offset]) ? (byte) CASE_BIT : 0;
  }

  boolean contains(byte value) {
    for (byte each : bytes) {
      if (each == value) {
        return true;
      }
    }
    return false;
  }

  boolean isAt(byte[] haystack, int at) {
    return folded ? isFoldedAt(haystack, at) : isExactlyAt(haystack, at);
  }

  private boolean isExactlyAt(byte[] haystack, int at) {
    for (int i = 0; i < bytes.length; i++) {
      if (haystack[at + i] != bytes[i]) {
        return false;
      }
    }
    return true;
  }

  private boolean isFoldedAt(byte[] haystack, int at) {
    for (int i = 0; i < bytes.length; i++) {
      if (Ascii.lower(haystack[at + i]) != bytes[i]) {
        return false;
      }
    }
    return true;
  }

  boolean isAt(MemorySegment haystack, long at) {
    for (int i = 0; i < bytes.length; i++) {
      byte found = haystack.get(ValueLayout.JAVA_BYTE, at + i);
      if ((folded ? Ascii.lower(found) : found) != bytes[i]) {
        return false;
      }
    }
    return true;
  }

  /** The first position at + n, for a bit n that is set, where this needle is; or -1. */
  int firstAt(byte[] haystack, int at, long bits) {
    for (long left = bits; left != 0; left &= left - 1) {
      int candidate = at + Long.numberOfTrailingZeros(left);
      if (isAt(haystack, candidate)) {
        return candidate;
      }
    }
    return -1;
  }

  /** The first position in [from, end) where this needle is, or -1. */
  int firstBetween(byte[] haystack, int from, int end) {
    for (int i = from; i < end; i++) {
      if (isAt(haystack, i)) {
        return i;
      }
    }
    return -1;
  }

  /** As {@link #firstAt(byte[], int, long)}. */
  int firstAt(MemorySegment haystack, int at, long bits) {
    for (long left = bits; left != 0; left &= left - 1) {
      int candidate = at + Long.numberOfTrailingZeros(left);
      if (isAt(haystack, candidate)) {
        return candidate;
      }
    }
    return -1;
  }

  /** As {@link #firstBetween(byte[], int, int)}. */
  int firstBetween(MemorySegment haystack, int from, int end) {
    for (int i = from; i < end; i++) {
      if (isAt(haystack, i)) {
        return i;
      }
    }
    return -1;
  }
}
