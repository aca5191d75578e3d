package io.cordwood.query.match;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Finds what groups match in records. It tries one way after the other, and none that failed a
 * second time: work is at most bytes × instructions. Literals with captures between them are found
 * as such. For one thread.
 */
public final class CaptureRun {
  /** A match begins and ends within that many bytes of a record. */
  public static final int LOOKED_AT = 8192;

  private final Captures captures;
  private final Program program;
  private final @Nullable LiteralCaptures literals;
  private final int[] places;

  /** Which instruction was tried at which place: a bit for each. */
  private long[] tried = new long[64];

  /** Pairs: a place and an instruction to try, or a value of {@link #places} to put back. */
  private int[] stack = new int[64];

  private int top;

  public CaptureRun(Captures captures) {
    this.captures = captures;
    this.program = captures.program();
    this.literals = captures.literals();
    this.places = new int[2 * captures.names().size()];
  }

  /** Whether the record {@code bytes[from, to)} matches; then the groups are known. */
  public boolean find(byte[] bytes, int from, int to) {
    LiteralCaptures fast = literals;
    if (fast != null && to - from <= LOOKED_AT) {
      LiteralCaptures.Result result = fast.find(bytes, from, to, places);
      if (result != LiteralCaptures.Result.UNKNOWN) {
        return result == LiteralCaptures.Result.MATCHES;
      }
    }
    int end = Math.min(to, from + LOOKED_AT);
    int first = from;
    while (first <= end && !mayBegin(first, bytes, from, end)) {
      first++;
    }
    if (first > end) {
      return false;
    }
    clear(end - from);
    return findAfter(first, bytes, from, end, to);
  }

  /**
   * Whether the record, in which a program found a match before, matches again. All matches
   * together are as much work as none: ways that failed are not tried again.
   *
   * @param after where it may begin: not before the end of the last match
   */
  boolean findNext(byte[] bytes, int from, int to, int after) {
    int end = Math.min(to, from + LOOKED_AT);
    if (after <= end) {
      clearAt(after - from);
    }
    return findAfter(after, bytes, from, end, to);
  }

  private boolean findAfter(int first, byte[] bytes, int from, int end, int to) {
    for (int at = first; at <= end; at++) {
      if (mayBegin(at, bytes, from, end) && matchesAt(at, bytes, from, end, to)) {
        return true;
      }
    }
    return false;
  }

  private boolean mayBegin(int at, byte[] bytes, int from, int end) {
    int following = at < end ? bytes[at] & 0xFF : -1;
    return captures.mayBegin(following) && (following < 0x80 || !Utf8.isInside(bytes, from, at));
  }

  /** The index of a group in the record; -1 if it has no part in the match. */
  public int start(int group) {
    return places[2 * group + 1] < 0 ? -1 : places[2 * group];
  }

  public int end(int group) {
    return places[2 * group + 1];
  }

  private void clear(int length) {
    int words = (int) (((long) program.size() * (length + 1) + Long.SIZE - 1) / Long.SIZE);
    if (tried.length < words) {
      tried = new long[words];
    } else {
      Arrays.fill(tried, 0, words, 0);
    }
  }

  /** A match ends here, so not all that was tried from here on failed. */
  private void clearAt(int place) {
    long begin = (long) place * program.size();
    for (long bit = begin; bit < begin + program.size(); bit++) {
      tried[(int) (bit >>> 6)] &= ~(1L << bit);
    }
  }

  private boolean matchesAt(int start, byte[] bytes, int from, int end, int to) {
    Arrays.fill(places, -1);
    top = 0;
    push(start, program.body());
    while (top > 0) {
      int pc = stack[--top];
      int at = stack[--top];
      if (pc < 0) {
        places[-1 - pc] = at;
      } else if (follows(pc, at, bytes, from, end, to)) {
        return true;
      }
    }
    return false;
  }

  /** Goes on from an instruction until it matches or fails; other ways are kept for later. */
  private boolean follows(int first, int start, byte[] bytes, int from, int end, int to) {
    int pc = first;
    int at = start;
    while (isNew(pc, at - from)) {
      switch (program.op(pc)) {
        case RANGE -> {
          int next = at < end ? bytes[at] & 0xFF : -1;
          if (next < program.first(pc) || next > program.last(pc)) {
            return false;
          }
          at++;
        }
        case SPLIT -> push(at, program.other(pc));
        case ASSERT -> {
          int before = at == from ? ProgramStepper.START : bytes[at - 1] & 0xFF;
          int following = at == to ? ProgramStepper.END : bytes[at] & 0xFF;
          if (!ProgramStepper.holds(program.kind(pc), before, following)) {
            return false;
          }
        }
        case SAVE -> {
          int place = program.other(pc);
          push(places[place], -1 - place);
          places[place] = at;
        }
        case MATCH -> {
          return true;
        }
      }
      pc = program.next(pc);
    }
    return false;
  }

  private boolean isNew(int pc, int place) {
    long bit = (long) place * program.size() + pc;
    int word = (int) (bit >>> 6);
    boolean isNew = (tried[word] & (1L << bit)) == 0;
    tried[word] |= 1L << bit;
    return isNew;
  }

  private void push(int value, int pc) {
    if (top + 2 > stack.length) {
      stack = Arrays.copyOf(stack, 2 * stack.length);
    }
    stack[top++] = value;
    stack[top++] = pc;
  }
}
