package io.cordwood.agent;

import io.cordwood.agent.follow.FollowCounters;
import io.cordwood.agent.journal.JournalSource;
import io.cordwood.agent.pods.NodePods;
import io.cordwood.forwarder.Forwarder;
import org.jspecify.annotations.Nullable;

/** The figures of files that are followed. */
record FileFigures(
    FollowCounters counters,
    Forwarder forwarder,
    @Nullable JournalSource journal,
    @Nullable NodePods pods)
    implements ForwardFigures {
  private static final double MIB = 1 << 20;

  @Override
  public long records() {
    return counters.records();
  }

  @Override
  public String line(double recordsPerSecond) {
    return "%d lines of %d files, %.0f/s; %d acknowledged, %.1f MiB held, %.1f MiB behind"
        .formatted(
            counters.records(),
            counters.files(),
            recordsPerSecond,
            counters.recordsAcknowledged(),
            counters.heldBytes() / MIB,
            counters.behindBytes() / MIB);
  }

  @Override
  public String json() {
    return "{"
        + counters.json()
        + ForwardFigures.refusals(forwarder.counters())
        + (journal == null ? "" : journal.json())
        + (pods == null ? "" : pods.json())
        + "}\n";
  }
}
