package io.cordwood.query.match;

import java.util.Arrays;

/** The parts of a record that are one literal. */
final class LiteralParts implements SubMatches {
  private final Needle needle;

  LiteralParts(byte[] literal) {
    this.needle = new Needle(literal, false);
  }

  @Override
  public int[] in(byte[] bytes, int from, int to) {
    int[] parts = new int[2];
    int size = 0;
    int at = Kernels.BEST.find(bytes, from, to, needle);
    while (at >= 0) {
      int end = at + needle.length();
      parts = size == parts.length ? Arrays.copyOf(parts, 2 * size) : parts;
      parts[size++] = at;
      parts[size++] = end;
      at = Kernels.BEST.find(bytes, end, to, needle);
    }
    return Arrays.copyOf(parts, size);
  }
}
