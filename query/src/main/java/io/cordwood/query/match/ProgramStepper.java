package io.cordwood.query.match;

import io.cordwood.query.match.RegexNode.Assertion;

/**
 * Executes a program a byte at a time, all its threads in step. Its working memory is a few
 * integers an instruction; for one thread of the JVM at a time.
 */
final class ProgramStepper {
  /** In place of the byte that follows, at the end of a record. */
  static final int END = -1;

  /** In place of the byte before, at the start of a record. */
  static final int START = -1;

  /** In place of the byte before, where no condition depends on it. */
  static final int ANY = 0;

  /** In place of the byte that follows, as long as it is not known. */
  private static final int UNKNOWN = -2;

  private final Program program;
  private final int[] stack;
  private final ThreadSet seen;
  private final ThreadSet resolved;
  private final ThreadSet waiting;
  private boolean matched;
  private boolean looksBehind;
  private long work;

  ProgramStepper(Program program) {
    this.program = program;
    this.stack = new int[2 * program.size() + 2];
    this.seen = new ThreadSet(program.size());
    this.resolved = new ThreadSet(program.size());
    this.waiting = new ThreadSet(program.size());
  }

  /** Stands all threads at the start of a record. */
  void start() {
    clearWaiting();
    follow(program.start(), START);
  }

  /**
   * From threads that stand after the byte {@code before}, takes the step over the byte {@code
   * following}, or over the end of the record.
   */
  void step(int[] threads, int count, int before, int following) {
    resolve(threads, count, before, following);
    clearWaiting();
    for (int i = 0; following != END && i < resolved.size(); i++) {
      int pc = resolved.get(i);
      if (program.first(pc) <= following && following <= program.last(pc)) {
        follow(program.next(pc), following);
      }
    }
  }

  private void clearWaiting() {
    waiting.clear();
    seen.clear();
    looksBehind = false;
  }

  /** Whether the last step reached a match. */
  boolean takeMatched() {
    boolean was = matched;
    matched = false;
    return was;
  }

  /** The threads after the step. */
  ThreadSet waiting() {
    return waiting;
  }

  /** Whether the next step depends on the byte before it. */
  boolean looksBehind() {
    return looksBehind;
  }

  /** How many instructions were looked at since this was made. */
  long work() {
    return work;
  }

  /** Goes on through conditions, now that both neighbours are known. */
  private void resolve(int[] threads, int count, int before, int following) {
    seen.clear();
    resolved.clear();
    for (int i = 0; i < count; i++) {
      walk(threads[i], before, following, resolved);
    }
  }

  /** Goes on until a byte is needed, or the next byte must be known for a condition. */
  private void follow(int from, int before) {
    walk(from, before, UNKNOWN, waiting);
  }

  /** Goes from one instruction to all those at which a thread ends up between two bytes. */
  private void walk(int from, int before, int following, ThreadSet reached) {
    int top = 0;
    stack[top++] = from;
    while (top > 0) {
      int pc = stack[--top];
      work++;
      if (!seen.add(pc)) {
        continue;
      }
      switch (program.op(pc)) {
        case RANGE -> reached.add(pc);
        case MATCH -> matched = true;
        case SAVE -> stack[top++] = program.next(pc);
        case SPLIT -> {
          stack[top++] = program.other(pc);
          stack[top++] = program.next(pc);
        }
        case ASSERT -> {
          Assertion.Kind kind = program.kind(pc);
          if (following == UNKNOWN && !isAboutBefore(kind)) {
            reached.add(pc);
            looksBehind |= kind != Assertion.Kind.CHARACTER_ENDS;
          } else if (holds(kind, before, following)) {
            stack[top++] = program.next(pc);
          }
        }
      }
    }
  }

  /** One byte, or START, for all that conditions cannot tell from this one when they look back. */
  static int kindOf(int before) {
    if (before == START || before == '\n') {
      return before;
    }
    return Ascii.isWord(before) ? 'a' : ANY;
  }

  private static boolean isAboutBefore(Assertion.Kind kind) {
    return switch (kind) {
      case RECORD_START, LINE_START, WORD_BEGINS -> true;
      case RECORD_END, LINE_END, WORD_BORDER, NO_WORD_BORDER, WORD_ENDS, CHARACTER_ENDS -> false;
    };
  }

  /** Whether a condition holds between two bytes, or {@link #START} or {@link #END}. */
  static boolean holds(Assertion.Kind kind, int before, int following) {
    return switch (kind) {
      case RECORD_START -> before == START;
      case LINE_START -> before == START || before == '\n';
      case RECORD_END -> following == END;
      case LINE_END -> following == END || following == '\n';
      case WORD_BORDER -> Ascii.isWord(before) != Ascii.isWord(following);
      case NO_WORD_BORDER -> Ascii.isWord(before) == Ascii.isWord(following);
      case WORD_BEGINS -> !Ascii.isWord(before);
      case WORD_ENDS -> !Ascii.isWord(following);
      case CHARACTER_ENDS -> following < 0x80 || following > 0xBF;
    };
  }
}
