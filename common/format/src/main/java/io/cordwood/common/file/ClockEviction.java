package io.cordwood.common.file;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which of many things are kept while all together cost too much: those that were used since they
 * were last asked. For all threads.
 *
 * @param <T> compared by identity
 */
public final class ClockEviction<T extends ClockEviction.Kept> {
  private final long most;
  private final Map<T, Long> costs = new LinkedHashMap<>();
  private long cost;

  /** Something that can be let go. Called under a lock: quick, and never calls back. */
  public interface Kept {
    /** Whether it was used since this was asked before. */
    boolean wasUsed();

    /** Lets it go; false if it is in use. */
    boolean letGo();
  }

  /**
   * @param most that all together may cost; more only while what is in use costs more
   */
  public ClockEviction(long most) {
    this.most = most;
  }

  /** Keeps one that is not kept yet, and lets others go if there is no room for it. */
  public synchronized void add(T kept, long itsCost) {
    if (costs.putIfAbsent(kept, itsCost) == null) {
      cost += itsCost;
    }
    for (int left = 2 * costs.size(); cost > most && left > 0; left--) {
      ask();
    }
  }

  /** Asks the one that was asked longest ago; it comes last if it stays. */
  private void ask() {
    Map.Entry<T, Long> first = costs.entrySet().iterator().next();
    T next = first.getKey();
    long itsCost = first.getValue();
    costs.remove(next);
    if (next.wasUsed() || !next.letGo()) {
      costs.put(next, itsCost);
    } else {
      cost -= itsCost;
    }
  }

  /** Forgets one that is no more. */
  public synchronized void remove(T gone) {
    @Nullable Long itsCost = costs.remove(gone);
    if (itsCost != null) {
      cost -= itsCost;
    }
  }

  public synchronized long cost() {
    return cost;
  }
}
