package io.cordwood.forwarder;

import java.util.EnumMap;
import java.util.Map;

/** The counts of one forwarder. Guarded by the queue's lock. */
final class Counters {
  long appended;
  long acknowledged;
  long resent;
  long cuts;
  long blankLines;
  long connects;
  long disconnects;
  long reports;
  long moves;
  long ignoredHints;
  long unlabelled;
  long blockedNanos;
  private final Map<DropReason, Long> dropped = new EnumMap<>(DropReason.class);
  private final Map<RefusalReason, Long> refusals = new EnumMap<>(RefusalReason.class);

  Counters() {
    for (DropReason reason : DropReason.values()) {
      dropped.put(reason, 0L);
    }
    for (RefusalReason reason : RefusalReason.values()) {
      refusals.put(reason, 0L);
    }
  }

  void refuse(RefusalReason reason) {
    refusals.merge(reason, 1L, Long::sum);
  }

  void drop(DropReason reason, long records) {
    dropped.merge(reason, records, Long::sum);
  }

  ForwarderCounters counters(long pending, long pendingBytes, SpoolCounters spool) {
    return new ForwarderCounters(
        appended,
        acknowledged,
        pending,
        pendingBytes,
        dropped,
        new ForwarderCounters.Handling(cuts, blankLines, unlabelled, resent, reports, blockedNanos),
        new ForwarderCounters.Connections(connects, disconnects, refusals, moves, ignoredHints),
        spool);
  }
}
