package io.cordwood.query.match;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The states of a DFA that were needed so far, and its table of transitions: one row a state, one
 * column a class of bytes. A state's name is the index of its row's first cell.
 *
 * <p>The owner changes it under its lock; anybody may read the table without, since a cell is
 * written once, from {@link #UNKNOWN} to what it stays, and names states only that are complete.
 */
final class DfaStates {
  static final int ACCEPT = -1;
  static final int UNKNOWN = -2;

  private static final int FIRST_ROWS = 32;
  private static final int OVERHEAD_BYTES = 120;

  /** The positions of a program's threads, and the byte before them if that matters. */
  static final class State {
    private final int[] threads;
    private final int before;

    State(int[] threads, int before) {
      this.threads = threads;
      this.before = before;
    }

    /** Sorted; not to be changed. */
    int[] threads() {
      return threads;
    }

    int before() {
      return before;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof State that
          && before == that.before
          && Arrays.equals(threads, that.threads);
    }

    @Override
    public int hashCode() {
      return 31 * Arrays.hashCode(threads) + before;
    }
  }

  private final int columns;
  private final int maxBytes;
  private final List<State> states = new ArrayList<>();
  private final Map<State, Integer> names = new HashMap<>();
  private volatile int[] cells;
  private int bytes;

  DfaStates(int columns, int maxBytes) {
    this.columns = columns;
    this.maxBytes = maxBytes;
    this.cells = new int[FIRST_ROWS * columns];
    Arrays.fill(cells, UNKNOWN);
  }

  /** The transitions: cell (state + class) is the next state, ACCEPT or UNKNOWN. */
  int[] cells() {
    return cells;
  }

  int size() {
    return states.size();
  }

  /** The memory that the states take, about. */
  int bytes() {
    return bytes;
  }

  State state(int name) {
    return states.get(name / columns);
  }

  /** The name of the state, which is added if it is new; UNKNOWN if there is no room. */
  int nameOf(State state) {
    Integer known = names.get(state);
    return known == null ? add(state) : known;
  }

  private int add(State state) {
    int more = Integer.BYTES * (columns + state.threads().length) + OVERHEAD_BYTES;
    if (bytes + more > maxBytes && !states.isEmpty()) {
      return UNKNOWN;
    }
    int name = states.size() * columns;
    if (name + columns > cells.length) {
      int[] grown = Arrays.copyOf(cells, 2 * cells.length);
      Arrays.fill(grown, cells.length, grown.length, UNKNOWN);
      cells = grown;
    }
    bytes += more;
    states.add(state);
    names.put(state, name);
    return name;
  }

  void set(int name, int byteClass, int target) {
    cells[name + byteClass] = target;
  }
}
