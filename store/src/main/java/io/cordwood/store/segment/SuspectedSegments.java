package io.cordwood.store.segment;

import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Segments of a log that were found to be damaged or unreadable: some are to be looked at, and some
 * can be neither used nor salvaged. For all threads.
 */
public final class SuspectedSegments {
  private final Set<LiveSegment> waiting = new LinkedHashSet<>();
  private final Set<LiveSegment> leftOut = ConcurrentHashMap.newKeySet();

  synchronized void add(LiveSegment segment) {
    waiting.add(segment);
  }

  /** Takes those that were suspected since the last time. */
  public synchronized List<LiveSegment> take() {
    var taken = List.copyOf(waiting);
    waiting.clear();
    return taken;
  }

  /** Notes that the disk gives nothing of a segment, which stays where it is. */
  public void leaveOut(LiveSegment segment) {
    leftOut.add(segment);
  }

  /** Whether a segment can be neither used nor salvaged until the next start. */
  public boolean isLeftOut(LiveSegment segment) {
    return leftOut.contains(segment);
  }

  void forget(Collection<LiveSegment> gone) {
    gone.forEach(leftOut::remove);
  }
}
