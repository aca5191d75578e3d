package io.cordwood.store.repair;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * The results of the last comparison of each slice, so that a slice is compared again only when
 * some store holds something else of it, or when it was not in order. 32 bytes a slice and what a
 * map needs. One thread.
 */
final class SliceStates {
  private final Map<Long, State> states = new HashMap<>();

  /**
   * @param view a hash of what all stores held
   * @param replicated whether all that this store holds of the slice has its copies
   * @param copiers the stores that could copy then
   * @param settled whether nothing could be done about the slice
   */
  private record State(
      long view, Set<String> copiers, boolean replicated, long missingBytes, boolean settled) {}

  /**
   * Whether a slice need not be looked at again.
   *
   * @param copiers the stores that can copy now
   */
  boolean isSettled(long slice, long view, Set<String> copiers) {
    State state = states.get(slice);
    return state != null
        && state.settled
        && state.view == view
        && (state.replicated || state.copiers.equals(copiers));
  }

  /** Whether all that this store holds of a slice has its copies, in this view. */
  boolean isReplicated(long slice, long view) {
    State state = states.get(slice);
    return state != null && state.replicated && state.view == view;
  }

  void put(
      long slice,
      long view,
      Set<String> copiers,
      boolean replicated,
      long missingBytes,
      boolean settled) {
    states.put(slice, new State(view, copiers, replicated, missingBytes, settled));
  }

  /** Forgets slices that are not among these. */
  void retain(Set<Long> slices) {
    states.keySet().retainAll(slices);
  }

  long missingBytes() {
    return states.values().stream().mapToLong(State::missingBytes).sum();
  }
}
