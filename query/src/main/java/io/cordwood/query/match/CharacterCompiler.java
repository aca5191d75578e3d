package io.cordwood.query.match;

import io.cordwood.query.match.RegexNode.Assertion.Kind;
import java.util.HashMap;
import java.util.Map;

/**
 * Turns a set of characters into instructions over the bytes of UTF-8.
 *
 * <p>Bytes that are not UTF-8 count as characters U+FFFD, and a set matches them if it holds that
 * one: a byte that begins no character is one such; and so is a first byte of a longer character
 * with the continuation bytes that follow it, as many as it asks for, if together they are none.
 */
final class CharacterCompiler {
  private static final int REPLACEMENT = 0xFFFD;
  private static final int[] LAST_OF_LENGTH = {0x7F, 0x7FF, 0xFFFF, CodePoints.MAX};

  private final Program.Builder program;

  /** Tails of characters that are there already: (first, last, next) to instruction. */
  private final Map<Long, Integer> tails = new HashMap<>();

  private int next;
  private int entry;

  CharacterCompiler(Program.Builder program) {
    this.program = program;
  }

  /** Emits what matches one character of the set and goes on at next; returns where it begins. */
  int emit(CodePoints set, int next) {
    this.next = next;
    this.entry = -1;
    tails.clear();
    boolean allBeyondAscii = set.containsRange(0x80, CodePoints.MAX);
    for (int i = 0; i < set.rangeCount(); i++) {
      add(set.first(i), allBeyondAscii ? Math.min(set.last(i), 0x7F) : set.last(i));
    }
    if (allBeyondAscii) {
      addAllBeyondAscii();
    } else if (set.contains(REPLACEMENT)) {
      addIllFormed();
    }
    return entry >= 0 ? entry : program.range(1, 0, next); // the empty set: no byte is in 1..0
  }

  private void addBranch(int branch) {
    entry = entry < 0 ? branch : program.split(branch, entry);
  }

  private int range(int first, int last, int target) {
    long key = ((long) target << 16) | (first << 8) | last;
    return tails.computeIfAbsent(key, absent -> program.range(first, last, target));
  }

  private int continuation(int target) {
    return range(0x80, 0xBF, target);
  }

  /** Adds a range of code points, cut until each part is a product of byte ranges. */
  private void add(int first, int last) {
    if (first > last) {
      return;
    }
    if (first <= 0xDFFF && last >= 0xD800) { // UTF-8 has no surrogates
      add(first, 0xD7FF);
      add(0xE000, last);
      return;
    }
    for (int end : LAST_OF_LENGTH) {
      if (first <= end && last > end) {
        add(first, end);
        add(end + 1, last);
        return;
      }
    }
    addOfOneLength(first, last);
  }

  private void addOfOneLength(int first, int last) {
    int length = length(first);
    for (int i = 1; i < length; i++) {
      int low = (1 << (6 * i)) - 1;
      if ((first & ~low) != (last & ~low)) {
        if ((first & low) != 0) {
          addOfOneLength(first, first | low);
          addOfOneLength((first | low) + 1, last);
          return;
        }
        if ((last & low) != low) {
          addOfOneLength(first, (last & ~low) - 1);
          addOfOneLength(last & ~low, last);
          return;
        }
      }
    }
    addProduct(first, last, length);
  }

  private void addProduct(int first, int last, int length) {
    int target = next;
    for (int i = length - 1; i > 0; i--) {
      int shift = 6 * (length - 1 - i);
      target = range(0x80 | ((first >> shift) & 0x3F), 0x80 | ((last >> shift) & 0x3F), target);
    }
    addBranch(range(leading(first, length), leading(last, length), target));
  }

  private static int length(int codePoint) {
    int length = 1;
    while (codePoint > LAST_OF_LENGTH[length - 1]) {
      length++;
    }
    return length;
  }

  private static int leading(int codePoint, int length) {
    int bits = codePoint >> (6 * (length - 1));
    return length == 1 ? bits : ((0xF00 >> length) & 0xFF) | bits;
  }

  /** Well-formed or not is all the same to a set that holds all of both. */
  private void addAllBeyondAscii() {
    int afterOne = continuationOrEnd(next);
    int afterTwo = continuationOrEnd(afterOne);
    addStrayBytes();
    addBranch(range(0xC2, 0xDF, afterOne));
    addBranch(range(0xE0, 0xEF, afterTwo));
    addBranch(range(0xF0, 0xF4, continuationOrEnd(afterTwo)));
  }

  private int continuationOrEnd(int target) {
    return program.split(continuation(target), end());
  }

  /** Goes on at next if no continuation byte follows. */
  private int end() {
    return program.assertion(Kind.CHARACTER_ENDS, next);
  }

  private void addStrayBytes() {
    addBranch(range(0x80, 0xC1, next));
    addBranch(range(0xF5, 0xFF, next));
  }

  private void addIllFormed() {
    int end = end();
    int oneThenEnd = continuation(end);
    int lastOne = continuation(next);
    addStrayBytes();
    addBranch(range(0xC2, 0xF4, end));
    addBranch(range(0xE0, 0xF4, oneThenEnd));
    addBranch(range(0xF0, 0xF4, continuation(oneThenEnd)));
    addBranch(range(0xE0, 0xE0, range(0x80, 0x9F, lastOne))); // overlong
    addBranch(range(0xED, 0xED, range(0xA0, 0xBF, lastOne))); // surrogates
    addBranch(range(0xF0, 0xF0, range(0x80, 0x8F, continuation(lastOne)))); // overlong
    addBranch(range(0xF4, 0xF4, range(0x90, 0xBF, continuation(lastOne)))); // too large
  }
}
