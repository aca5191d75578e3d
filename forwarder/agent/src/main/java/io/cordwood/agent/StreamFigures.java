package io.cordwood.agent;

import io.cordwood.forwarder.Forwarder;
import io.cordwood.forwarder.ForwarderCounters;
import io.cordwood.forwarder.SpoolCounters;

/** The figures of lines that come as a stream. */
record StreamFigures(Forwarder forwarder, ForwardInput input) implements ForwardFigures {
  private static final double MIB = 1 << 20;

  @Override
  public long records() {
    return forwarder.counters().appended();
  }

  @Override
  public String line(double recordsPerSecond) {
    ForwarderCounters now = forwarder.counters();
    return "%d lines, %.0f/s; %d acknowledged, %.1f MiB held, %.1f MiB in the spool"
        .formatted(
            now.appended(),
            recordsPerSecond,
            now.acknowledged(),
            now.pendingBytes() / MIB,
            now.spool().bytes() / MIB);
  }

  @Override
  public String json() {
    ForwarderCounters now = forwarder.counters();
    SpoolCounters spool = now.spool();
    return ("{\"records\":%d,\"records_acknowledged\":%d,\"records_sent_again\":%d,"
            + "\"records_held\":%d,\"held_bytes\":%d,\"records_dropped\":%d,"
            + "\"records_recovered\":%d,\"records_spooled\":%d,\"spool_bytes\":%d,"
            + "\"spool_damaged_bytes\":%d,\"spool_unreadable_files\":%d,\"spool_failures\":%d,"
            + "\"cuts\":%d,\"blank_lines\":%d,"
            + "\"connects\":%d,\"disconnects\":%d,\"moves\":%d,\"hints_ignored\":%d%s%s}\n")
        .formatted(
            now.appended(),
            now.acknowledged(),
            now.handling().resentRecords(),
            now.pending(),
            now.pendingBytes(),
            now.droppedRecords(),
            spool.recovered(),
            spool.records(),
            spool.bytes(),
            spool.damagedBytes(),
            spool.unreadableFiles(),
            spool.failures(),
            now.handling().cuts(),
            now.handling().blankLines(),
            now.connections().connects(),
            now.connections().disconnects(),
            now.connections().moves(),
            now.connections().ignoredHints(),
            ForwardFigures.refusals(now),
            input.json());
  }
}
