package io.cordwood.query.match;

import java.util.Arrays;

/**
 * A program to be executed from the end of a record to its start: for each instruction, those that
 * lead to it. The loop that searches is left out.
 */
final class ReversedProgram {
  private final Program program;
  private final int size;

  /** The start of each instruction's predecessors in {@link #free} and {@link #ranges}. */
  private final int[] freeFrom;

  private final int[] rangesFrom;

  /** Splits and conditions. */
  private final int[] free;

  /** Those that consume a byte. */
  private final int[] ranges;

  ReversedProgram(Program program) {
    this.program = program;
    this.size = program.start();
    this.freeFrom = new int[size + 1];
    this.rangesFrom = new int[size + 1];
    eachEdge((to, from, isFree) -> (isFree ? freeFrom : rangesFrom)[to + 1]++);
    Arrays.parallelPrefix(freeFrom, Integer::sum);
    Arrays.parallelPrefix(rangesFrom, Integer::sum);
    this.free = new int[freeFrom[size]];
    this.ranges = new int[rangesFrom[size]];
    int[] freeAt = freeFrom.clone();
    int[] rangesAt = rangesFrom.clone();
    eachEdge((to, from, isFree) -> {
      if (isFree) {
        free[freeAt[to]++] = from;
      } else {
        ranges[rangesAt[to]++] = from;
      }
    });
  }

  private interface Edges {
    void edge(int to, int from, boolean isFree);
  }

  private void eachEdge(Edges edges) {
    for (int pc = 0; pc < size; pc++) {
      switch (program.op(pc)) {
        case RANGE -> edges.edge(program.next(pc), pc, false);
        case ASSERT -> edges.edge(program.next(pc), pc, true);
        case SPLIT -> {
          edges.edge(program.next(pc), pc, true);
          edges.edge(program.other(pc), pc, true);
        }
        case SAVE, MATCH -> {} // No program with groups is reversed.
      }
    }
  }

  int size() {
    return size;
  }

  Program program() {
    return program;
  }

  /** The instruction at which each match ends: the compiler's first. */
  int match() {
    return 0;
  }

  int body() {
    return program.body();
  }

  int freeFrom(int pc) {
    return freeFrom[pc];
  }

  int freeTo(int pc) {
    return freeFrom[pc + 1];
  }

  int free(int index) {
    return free[index];
  }

  int rangesFrom(int pc) {
    return rangesFrom[pc];
  }

  int rangesTo(int pc) {
    return rangesFrom[pc + 1];
  }

  int range(int index) {
    return ranges[index];
  }
}
