package io.cordwood.query.match;

import java.util.Arrays;
import java.util.function.IntPredicate;

/** An immutable set of Unicode code points, kept as sorted ranges that do not touch. */
final class CodePoints {
  static final int MAX = Character.MAX_CODE_POINT;

  static final CodePoints NONE = new CodePoints(new int[0]);
  static final CodePoints ALL = range(0, MAX);

  /** First and last code point of each range, in turn. */
  private final int[] borders;

  private CodePoints(int[] borders) {
    this.borders = borders;
  }

  static CodePoints of(int codePoint) {
    return range(codePoint, codePoint);
  }

  static CodePoints range(int first, int last) {
    return new CodePoints(new int[] {first, last});
  }

  /** Pairs of first and last characters. */
  static CodePoints ranges(String pairs) {
    CodePoints all = NONE;
    for (int i = 0; i < pairs.length(); i += 2) {
      all = all.union(range(pairs.charAt(i), pairs.charAt(i + 1)));
    }
    return all;
  }

  static CodePoints where(IntPredicate predicate) {
    int[] borders = new int[64];
    int size = 0;
    boolean inside = false;
    for (int c = 0; c <= MAX + 1; c++) {
      boolean wanted = c <= MAX && predicate.test(c);
      if (wanted != inside) {
        if (size == borders.length) {
          borders = Arrays.copyOf(borders, 2 * size);
        }
        borders[size++] = wanted ? c : c - 1;
        inside = wanted;
      }
    }
    return new CodePoints(Arrays.copyOf(borders, size));
  }

  int rangeCount() {
    return borders.length / 2;
  }

  int first(int range) {
    return borders[2 * range];
  }

  int last(int range) {
    return borders[2 * range + 1];
  }

  boolean isEmpty() {
    return borders.length == 0;
  }

  int size() {
    int size = 0;
    for (int i = 0; i < rangeCount(); i++) {
      size += last(i) - first(i) + 1;
    }
    return size;
  }

  boolean contains(int codePoint) {
    int at = Arrays.binarySearch(borders, codePoint);
    return at >= 0 || (-at - 1) % 2 == 1;
  }

  boolean containsRange(int first, int last) {
    for (int i = 0; i < rangeCount(); i++) {
      if (first(i) <= first && last <= last(i)) {
        return true;
      }
    }
    return false;
  }

  CodePoints negate() {
    int[] gaps = new int[borders.length + 2];
    int size = 0;
    int next = 0;
    for (int i = 0; i < rangeCount(); i++) {
      if (first(i) > next) {
        gaps[size++] = next;
        gaps[size++] = first(i) - 1;
      }
      next = last(i) + 1;
    }
    if (next <= MAX) {
      gaps[size++] = next;
      gaps[size++] = MAX;
    }
    return new CodePoints(Arrays.copyOf(gaps, size));
  }

  CodePoints union(CodePoints other) {
    int[] merged = new int[borders.length + other.borders.length];
    int size = 0;
    int mine = 0;
    int theirs = 0;
    while (mine < borders.length || theirs < other.borders.length) {
      boolean takeMine =
          theirs == other.borders.length
              || (mine < borders.length && borders[mine] <= other.borders[theirs]);
      int first = takeMine ? borders[mine] : other.borders[theirs];
      int last = takeMine ? borders[mine + 1] : other.borders[theirs + 1];
      mine += takeMine ? 2 : 0;
      theirs += takeMine ? 0 : 2;
      if (size > 0 && first <= merged[size - 1] + 1) {
        merged[size - 1] = Math.max(merged[size - 1], last);
      } else {
        merged[size++] = first;
        merged[size++] = last;
      }
    }
    return new CodePoints(Arrays.copyOf(merged, size));
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof CodePoints that && Arrays.equals(borders, that.borders);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(borders);
  }
}
