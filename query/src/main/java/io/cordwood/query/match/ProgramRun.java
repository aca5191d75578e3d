package io.cordwood.query.match;

import java.util.Arrays;

/** Executes a program over records step by step: work is at most bytes × instructions. */
final class ProgramRun {
  private final ProgramStepper stepper;
  private final byte delimiter;

  ProgramRun(ProgramStepper stepper, byte delimiter) {
    this.stepper = stepper;
    this.delimiter = delimiter;
  }

  /** The index in [from, to) of the byte at which the first matching record is known, or -1. */
  int find(byte[] bytes, int from, int to) {
    stepper.start();
    int[] threads = stepper.waiting().toArray();
    return find(bytes, from, to, new DfaStates.State(threads, ProgramStepper.START));
  }

  /**
   * The index of that byte, if the search continues from a state that was reached inside a record.
   */
  int find(byte[] bytes, int from, int to, DfaStates.State reached) {
    stepper.start();
    int[] atStart = stepper.waiting().toArray();
    int[] moved = new int[64];
    int[] threads = reached.threads();
    int count = threads.length;
    int before = reached.before();
    for (int i = from; i < to; i++) {
      boolean end = bytes[i] == delimiter;
      stepper.step(threads, count, before, end ? ProgramStepper.END : bytes[i] & 0xFF);
      if (stepper.takeMatched()) {
        return i;
      }
      if (end) {
        threads = atStart;
        count = atStart.length;
        before = ProgramStepper.START;
      } else {
        count = stepper.waiting().size();
        moved = copy(moved);
        threads = moved;
        before = bytes[i] & 0xFF;
      }
    }
    return -1;
  }

  private int[] copy(int[] into) {
    ThreadSet waiting = stepper.waiting();
    int[] room = into.length < waiting.size() ? Arrays.copyOf(into, 2 * waiting.size()) : into;
    for (int i = 0; i < waiting.size(); i++) {
      room[i] = waiting.get(i);
    }
    return room;
  }
}
