package io.cordwood.common.cluster;

import io.scalecube.cluster.Member;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Changes of the cluster that are written down together: each takes as long as there are nodes, and
 * when all of a large cluster start there is one for each of them, and for each thing that they
 * say. What has to come after a change is written is kept until then. Safe for all threads.
 */
final class GatheredChanges {
  private static final long MOST_MILLIS = 1_000;

  private final List<Consumer<Member>> afterwards = new ArrayList<>();
  private final Consumer<Duration> writer;
  private boolean isDue;

  /**
   * @param writer is to {@link #take} them when so much time has passed, write down all that has
   *     changed by then, and run what comes after it
   */
  GatheredChanges(Consumer<Duration> writer) {
    this.writer = writer;
  }

  /**
   * Something has changed.
   *
   * @param members that there are
   * @param then is given this node when that is written down
   */
  void add(int members, Consumer<Member> then) {
    synchronized (this) {
      afterwards.add(then);
      if (isDue) {
        return;
      }
      isDue = true;
    }
    writer.accept(Duration.ofMillis(Math.min(MOST_MILLIS, members)));
  }

  /** Begins to write: later changes are for the next time. Returns what is to be done then. */
  synchronized List<Consumer<Member>> take() {
    isDue = false;
    List<Consumer<Member>> taken = List.copyOf(afterwards);
    afterwards.clear();
    return taken;
  }
}
