package io.cordwood.store.keep;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * Ranges that were lost with damaged blocks and must be fetched from another store: {@link #MOST}
 * ranges, in memory only. Ranges beyond that, or lost with the process, are restored later, by
 * comparing the stores. Safe for all threads.
 */
public final class LostRanges {
  public static final int MOST = 10_000;

  private final ArrayDeque<LostRange> ranges = new ArrayDeque<>();

  public synchronized void add(List<LostRange> more) {
    more.stream().limit(MOST - ranges.size()).forEach(ranges::add);
  }

  /** Takes all that there are. */
  public synchronized List<LostRange> take() {
    var all = new ArrayList<>(ranges);
    ranges.clear();
    return all;
  }

  public synchronized int size() {
    return ranges.size();
  }
}
