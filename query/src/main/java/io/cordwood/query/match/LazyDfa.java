package io.cordwood.query.match;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReference;
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

  private final Program program;
  private final byte delimiter;
  private final ByteClasses classes;
  private final int[] classOf;
  private final int delimiterClass;
  private final int maxBytes;
  private final ProgramStepper stepper;
  private final AtomicReference<@Nullable ProgramStepper> idleStepper = new AtomicReference<>();
  private volatile DfaStates states;
  private volatile boolean exhausted;
  private long readBytes;
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
    this.states = freshStates();
  }

  private DfaStates freshStates() {
    DfaStates fresh = new DfaStates(classes.count(), maxBytes);
    stepper.start();
    fresh.nameOf(current(ProgramStepper.START)); // the first state: its name is 0
    return fresh;
  }

  /** The index in [from, to) of the byte at which the first matching record is known, or -1. */
  int find(byte[] bytes, int from, int to) {
    if (exhausted) {
      return simulate(bytes, from, to);
    }
    DfaStates known = states;
    int[] cells = known.cells();
    int state = 0;
    int counted = from;
    for (int i = from; i < to; i++) {
      int byteClass = classOf[bytes[i] & 0xFF];
      int target = cells[state + byteClass];
      if (target < 0) {
        if (target == DfaStates.UNKNOWN) {
          synchronized (this) {
            readBytes += i - counted;
            target = transition(known, state, byteClass);
            known = states;
            cells = known.cells();
          }
          counted = i;
        }
        if (target == DfaStates.ACCEPT) {
          return i;
        }
        if (target == DfaStates.UNKNOWN) {
          return simulate(bytes, Records.startOf(bytes, from, i, delimiter), to);
        }
      }
      state = target;
    }
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
    boolean worthwhile = readBytes >= (long) WORTHWHILE_BYTES_A_STATE * states.size();
    worthlessTables += worthwhile ? 0 : 1;
    flushes++;
    readBytes = 0;
    exhausted = worthlessTables >= MAX_WORTHLESS_TABLES;
    states = freshStates();
  }

  /** Executes the program itself, for patterns whose states are too many to be kept. */
  private int simulate(byte[] bytes, int from, int to) {
    ProgramStepper taken = idleStepper.getAndSet(null);
    ProgramStepper own = taken == null ? new ProgramStepper(program) : taken;
    int found = new ProgramRun(own, delimiter).find(bytes, from, to);
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
