package io.cordwood.query.match;

import io.cordwood.query.match.RegexNode.Assertion;

/** Which byte values a program cannot tell apart: the columns of a DFA's table. */
final class ByteClasses {
  private final int[] classOf = new int[256];
  private final int count;

  ByteClasses(Program program, byte delimiter) {
    boolean[] begins = new boolean[257];
    begins[0] = true;
    mark(begins, delimiter & 0xFF, delimiter & 0xFF);
    for (int pc = 0; pc < program.size(); pc++) {
      switch (program.op(pc)) {
        case RANGE -> mark(begins, program.first(pc), program.last(pc));
        case ASSERT -> markFor(program.kind(pc), begins);
        case SPLIT, SAVE, MATCH -> {}
      }
    }
    int last = -1;
    for (int i = 0; i < 256; i++) {
      last += begins[i] ? 1 : 0;
      classOf[i] = last;
    }
    this.count = last + 1;
  }

  private static void markFor(Assertion.Kind kind, boolean[] begins) {
    switch (kind) {
      case LINE_START, LINE_END -> mark(begins, '\n', '\n');
      case CHARACTER_ENDS -> mark(begins, 0x80, 0xBF);
      case WORD_BORDER, NO_WORD_BORDER, WORD_BEGINS, WORD_ENDS -> {
        mark(begins, '0', '9');
        mark(begins, 'A', 'Z');
        mark(begins, '_', '_');
        mark(begins, 'a', 'z');
      }
      case RECORD_START, RECORD_END -> {}
    }
  }

  private static void mark(boolean[] begins, int first, int last) {
    begins[first] = true;
    begins[last + 1] = true;
  }

  int count() {
    return count;
  }

  int of(byte value) {
    return classOf[value & 0xFF];
  }

  /** The class of each byte value; not to be changed. */
  int[] table() {
    return classOf;
  }

  /** Some byte of the class. */
  int anyOf(int wanted) {
    int value = 0;
    while (classOf[value] != wanted) {
      value++;
    }
    return value;
  }
}
