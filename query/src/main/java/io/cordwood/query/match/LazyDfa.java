package io.cordwood.query.match;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Runs a program over whole blocks of records that one delimiter ends, as a DFA whose states are
 * made when they are first met. The delimiter leads back to the start, so no record costs a branch.
 *
 * <p>Any number of threads share one: they read the table without a lock and take this object's
 * monitor only for a transition that nobody met before. States take at most {@value #MAX_BYTES}
 * bytes; when they are full all are forgotten and made anew. If that happens too often to be worth
 * it, the program is executed step by step from then on: slower, but linear too.
 */
final class LazyDfa {
  static final int MAX_BYTES = 2 << 20;

  /** A table that was not read this often for each of its states did not pay. */
  private static final int WORTHWHILE_BYTES_A_STATE = 10;

  private static final int MAX_WORTHLESS_TABLES = 3;

  /** Searched by one cursor first: more would search much in vain where matches are frequent. */
  private static final int HEAD_BYTES = 4 * 1024;

  private static final int WINDOW_BYTES = 32 * 1024;

  private final Program program;
  private final byte delimiter;
  private final ByteClasses classes;
  private final int[] classOf;
  private final int delimiterClass;
  private final int maxBytes;
  private final ProgramStepper stepper;
  private final DfaStates.State start;
  private final AtomicReference<@Nullable ProgramStepper> idleStepper = new AtomicReference<>();
  private volatile DfaStates states;
  private volatile boolean exhausted;
  private final LongAdder readBytes = new LongAdder();
  private int worthlessTables;
  private int flushes;

  LazyDfa(Program program, byte delimiter) {
    this(program, delimiter, MAX_BYTES);
  }

  LazyDfa(Program program, byte delimiter, int maxBytes) {
    this.program = program;
    this.delimiter = delimiter;
    this.classes = new ByteClasses(program, delimiter);
    this.classOf = classes.table();
    this.delimiterClass = classes.of(delimiter);
    this.maxBytes = maxBytes;
    this.stepper = new ProgramStepper(program);
    stepper.start();
    this.start = current(ProgramStepper.START);
    this.states = freshStates();
  }

  private DfaStates freshStates() {
    DfaStates fresh = new DfaStates(classes.count(), maxBytes);
    fresh.nameOf(start); // the first state: its name is 0
    return fresh;
  }

  /** The index in [from, to) of a byte of the first matching record, or -1. */
  int find(byte[] bytes, int from, int to) {
    if (exhausted) {
      return simulate(bytes, from, to, start);
    }
    int head = endOfRecord(bytes, from + HEAD_BYTES, to);
    int found = scan(states, 0, bytes, from, head);
    for (int at = head; found < 0 && at < to; ) {
      int end = endOfRecord(bytes, at + WINDOW_BYTES, to);
      found = findWithFourCursors(bytes, at, end);
      at = end;
    }
    return found;
  }

  /** The first end of a record at or after this index, not beyond to. */
  private int endOfRecord(byte[] bytes, int index, int to) {
    return index >= to ? to : Math.min(to, Records.endOf(bytes, index, to, delimiter) + 1);
  }

  /**
   * Steps through the four quarters of a window at once: one cursor alone would spend its time in
   * waiting for the cell that it reads next.
   */
  private int findWithFourCursors(byte[] bytes, int from, int to) {
    int quarter = (to - from) / 4;
    int from1 = endOfRecord(bytes, from + quarter, to);
    int from2 = endOfRecord(bytes, Math.max(from1, from + 2 * quarter), to);
    int from3 = endOfRecord(bytes, Math.max(from2, from + 3 * quarter), to);
    int steps =
        Math.min(Math.min(from1 - from, from2 - from1), Math.min(from3 - from2, to - from3));
    DfaStates known = states;
    int[] cells = known.cells();
    int state0 = 0;
    int state1 = 0;
    int state2 = 0;
    int state3 = 0;
    int i = 0;
    for (; i < steps; i++) {
      int next0 = cells[state0 + classOf[bytes[from + i] & 0xFF]];
      int next1 = cells[state1 + classOf[bytes[from1 + i] & 0xFF]];
      int next2 = cells[state2 + classOf[bytes[from2 + i] & 0xFF]];
      int next3 = cells[state3 + classOf[bytes[from3 + i] & 0xFF]];
      if ((next0 | next1 | next2 | next3) < 0) {
        break;
      }
      state0 = next0;
      state1 = next1;
      state2 = next2;
      state3 = next3;
    }
    readBytes.add(4L * i);
    int found = scan(known, state0, bytes, from + i, from1);
    found = found < 0 ? scan(known, state1, bytes, from1 + i, from2) : found;
    found = found < 0 ? scan(known, state2, bytes, from2 + i, from3) : found;
    return found < 0 ? scan(known, state3, bytes, from3 + i, to) : found;
  }

  /** Steps from a state over [from, to), the rest of a record and whole ones. */
  private int scan(DfaStates first, int name, byte[] bytes, int from, int to) {
    DfaStates known = first;
    int[] cells = known.cells();
    int state = name;
    int counted = from;
    for (int i = from; i < to; i++) {
      int byteClass = classOf[bytes[i] & 0xFF];
      int target = cells[state + byteClass];
      if (target < 0) {
        if (target == DfaStates.UNKNOWN) {
          readBytes.add(i - counted);
          DfaStates.State reached;
          synchronized (this) {
            reached = known.state(state);
            target = transition(known, state, byteClass);
            known = states;
            cells = known.cells();
          }
          counted = i;
          if (target == DfaStates.UNKNOWN) {
            return simulate(bytes, i, to, reached);
          }
        }
        if (target == DfaStates.ACCEPT) {
          return i;
        }
      }
      state = target;
    }
    readBytes.add(to - counted);
    return -1;
  }

  /** Works out a transition. The answer belongs to the current states; UNKNOWN: exhausted. */
  private int transition(DfaStates from, int name, int byteClass) {
    if (exhausted) {
      return DfaStates.UNKNOWN;
    }
    DfaStates.State state = from.state(name);
    int target = step(state, byteClass);
    if (target == DfaStates.UNKNOWN) {
      flush();
      target = exhausted ? DfaStates.UNKNOWN : step(state, byteClass);
    }
    if (from == states) {
      from.set(name, byteClass, target);
    }
    return target;
  }

  private int step(DfaStates.State state, int byteClass) {
    boolean end = byteClass == delimiterClass;
    int following = end ? ProgramStepper.END : classes.anyOf(byteClass);
    stepper.step(state.threads(), state.threads().length, state.before(), following);
    if (stepper.takeMatched()) {
      return DfaStates.ACCEPT;
    }
    return end ? 0 : states.nameOf(current(following));
  }

  private DfaStates.State current(int before) {
    int[] threads = stepper.waiting().toArray();
    Arrays.sort(threads);
    return new DfaStates.State(
        threads, stepper.looksBehind() ? ProgramStepper.kindOf(before) : ProgramStepper.ANY);
  }

  private void flush() {
    boolean worthwhile =
        readBytes.sumThenReset() >= (long) WORTHWHILE_BYTES_A_STATE * states.size();
    worthlessTables += worthwhile ? 0 : 1;
    flushes++;
    exhausted = worthlessTables >= MAX_WORTHLESS_TABLES;
    states = freshStates();
  }

  /** Executes the program itself, for patterns whose states are too many to be kept. */
  private int simulate(byte[] bytes, int from, int to, DfaStates.State reached) {
    ProgramStepper taken = idleStepper.getAndSet(null);
    ProgramStepper own = taken == null ? new ProgramStepper(program) : taken;
    int found = new ProgramRun(own, delimiter).find(bytes, from, to, reached);
    idleStepper.set(own);
    return found;
  }

  synchronized int stateBytes() {
    return states.bytes();
  }

  synchronized int flushes() {
    return flushes;
  }

  boolean exhausted() {
    return exhausted;
  }
}
