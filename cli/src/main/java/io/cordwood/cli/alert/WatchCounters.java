package io.cordwood.cli.alert;

import java.util.concurrent.atomic.LongAdder;

/** Figures of a watch, from its start on. For all threads. */
public final class WatchCounters {
  final LongAdder windows = new LongAdder();
  final LongAdder skipped = new LongAdder();
  final LongAdder undecided = new LongAdder();
  final LongAdder fired = new LongAdder();
  final LongAdder resolved = new LongAdder();
  final LongAdder sent = new LongAdder();
  final LongAdder sendFailures = new LongAdder();
  final LongAdder groupsLeftOut = new LongAdder();
  final LongAdder stateFailures = new LongAdder();

  /** As an object in JSON, with a line feed. */
  public String json() {
    return ("{\"windows\":%d,\"windows_skipped\":%d,\"windows_undecided\":%d,\"fired\":%d,"
            + "\"resolved\":%d,\"notifications_sent\":%d,\"notification_failures\":%d,"
            + "\"groups_left_out\":%d,\"state_failures\":%d}%n")
        .formatted(
            windows.sum(),
            skipped.sum(),
            undecided.sum(),
            fired.sum(),
            resolved.sum(),
            sent.sum(),
            sendFailures.sum(),
            groupsLeftOut.sum(),
            stateFailures.sum());
  }
}
