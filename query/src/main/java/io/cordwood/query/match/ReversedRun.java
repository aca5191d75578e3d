package io.cordwood.query.match;

import io.cordwood.query.match.RegexNode.Assertion;
import java.util.Arrays;

/**
 * Executes a reversed program over one record after the other, from its end to its start, and finds
 * for each place where the longest match that begins there ends.
 *
 * <p>A thread knows the end of the match that it belongs to. Threads are kept with the farthest end
 * first, and of those that meet at one instruction the first stays: so each instruction is visited
 * once for each byte, whatever the pattern. For one thread of the JVM at a time.
 */
final class ReversedRun {
  /** Kept from one record to the next; more is allocated for the record that needs it. */
  private static final int KEPT_PLACES = 64 * 1024;

  private final ReversedProgram reversed;
  private final Program program;
  private final int[] stack;
  private final ThreadSet seen;
  private final int[] seenEnds;
  private final int[] arrived;
  private final int[] arrivedEnds;
  private int arrivals;
  private int[] ends = new int[256];

  ReversedRun(ReversedProgram reversed) {
    int size = reversed.size();
    this.reversed = reversed;
    this.program = reversed.program();
    this.stack = new int[2 * size + 2];
    this.seen = new ThreadSet(size);
    this.seenEnds = new int[size];
    this.arrived = new int[size];
    this.arrivedEnds = new int[size];
  }

  /** The end of the longest match that begins at this place of the record; -1: none begins. */
  int end(int place) {
    return ends[place];
  }

  /** Executes the program over the record {@code bytes[from, to)}. */
  void run(byte[] bytes, int from, int to) {
    makeRoom(to - from + 1);
    arrivals = 0;
    for (int at = to; at >= from; at--) {
      seen.clear();
      for (int i = 0; i < arrivals; i++) {
        reach(arrived[i], arrivedEnds[i], bytes, from, at, to);
      }
      reach(reversed.match(), at, bytes, from, at, to);
      if (at > from) {
        step(bytes[at - 1] & 0xFF);
      }
    }
  }

  private void makeRoom(int wanted) {
    if (ends.length < wanted || (ends.length > KEPT_PLACES && wanted <= KEPT_PLACES)) {
      ends = new int[wanted <= KEPT_PLACES ? Math.min(2 * wanted, KEPT_PLACES) : wanted];
    }
    Arrays.fill(ends, 0, wanted, -1);
  }

  /** Stands a thread at an instruction and at all that lead there without a byte. */
  private void reach(int pc, int end, byte[] bytes, int from, int at, int to) {
    int top = 0;
    stack[top++] = pc;
    while (top > 0) {
      int here = stack[--top];
      if (!seen.add(here)) {
        continue;
      }
      seenEnds[seen.size() - 1] = end;
      if (here == reversed.body()) {
        ends[at - from] = end;
      }
      for (int i = reversed.freeFrom(here); i < reversed.freeTo(here); i++) {
        int before = reversed.free(i);
        if (program.op(before) == Program.Op.SPLIT
            || holds(program.kind(before), bytes, from, at, to)) {
          stack[top++] = before;
        }
      }
    }
  }

  private void step(int over) {
    arrivals = 0;
    for (int i = 0; i < seen.size(); i++) {
      int pc = seen.get(i);
      for (int j = reversed.rangesFrom(pc); j < reversed.rangesTo(pc); j++) {
        int range = reversed.range(j);
        if (program.first(range) <= over && over <= program.last(range)) {
          arrived[arrivals] = range;
          arrivedEnds[arrivals++] = seenEnds[i];
        }
      }
    }
  }

  private static boolean holds(Assertion.Kind kind, byte[] bytes, int from, int at, int to) {
    int before = at == from ? ProgramStepper.START : bytes[at - 1] & 0xFF;
    int following = at == to ? ProgramStepper.END : bytes[at] & 0xFF;
    if (kind == Assertion.Kind.WORD_BEGINS && before > 0x7F) {
      return !Utf8.isWord(Utf8.before(bytes, from, at));
    }
    if (kind == Assertion.Kind.WORD_ENDS && following > 0x7F) {
      return !Utf8.isWord(Utf8.at(bytes, at, to));
    }
    return ProgramStepper.holds(kind, before, following);
  }
}
