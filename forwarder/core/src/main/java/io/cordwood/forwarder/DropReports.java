package io.cordwood.forwarder;

import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * Drops that are not reported yet: to readers, by records among the others, and to the listener.
 * Both are limited in their rate. Guarded by the queue's lock.
 */
final class DropReports {
  private static final long WRITE_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long TELL_NANOS = TimeUnit.SECONDS.toNanos(30);

  private final boolean writes;
  private final Counters counters;
  private final Runnable wakeSender;
  private final Map<DropReason, Long> unwritten = new EnumMap<>(DropReason.class);
  private long nextWriteNanos = System.nanoTime();
  private long nextTellNanos = System.nanoTime();
  private boolean noRoom;
  private volatile boolean untold;

  /**
   * @param writes whether there are to be records
   * @param counters where drops are counted, too
   * @param wakeSender ends the sender's wait, so that it tells
   */
  DropReports(boolean writes, Counters counters, Runnable wakeSender) {
    this.writes = writes;
    this.counters = counters;
    this.wakeSender = wakeSender;
  }

  void dropped(DropReason reason, long records) {
    counters.drop(reason, records);
    if (reason == DropReason.CLOSED) {
      return; // who closes gets to know, and no record would arrive
    }
    if (writes) {
      unwritten.merge(reason, records, Long::sum);
      noRoom |= reason == DropReason.NEWEST_WHEN_FULL || reason == DropReason.OLDEST_WHEN_FULL;
    }
    if (!untold) {
      untold = true;
      wakeSender.run();
    }
  }

  /**
   * Appends a record for each reason, if there is something to say and it is time.
   *
   * @param append is false when there is no room
   */
  void write(Predicate<RecordSlice> append) {
    if (writeLeftNanos() == 0) {
      writeAll(append);
    }
  }

  /** Appends a record for each reason, whether or not it is time. */
  void writeLast(Predicate<RecordSlice> append) {
    if (!noRoom) {
      writeAll(append);
    }
  }

  private void writeAll(Predicate<RecordSlice> append) {
    for (var drop : Map.copyOf(unwritten).entrySet()) {
      if (!append.test(report(drop.getKey(), drop.getValue()))) {
        noRoom = true;
        return;
      }
      unwritten.remove(drop.getKey());
    }
    nextWriteNanos = System.nanoTime() + WRITE_NANOS;
  }

  private static RecordSlice report(DropReason reason, long records) {
    String noun = records == 1 ? " record (" : " records (";
    byte[] text = ("dropped " + records + noun + reason + ")").getBytes(StandardCharsets.US_ASCII);
    return new RecordSlice(text, 0, text.length, 1, null, false);
  }

  /** For how long there is nothing to write: until then, or until there is room. */
  long writeLeftNanos() {
    return unwritten.isEmpty() || noRoom ? Long.MAX_VALUE : left(nextWriteNanos);
  }

  /** There is room again. */
  void room() {
    noRoom = false;
  }

  /** Whether there is something to tell, now or later. May be asked without the lock. */
  boolean hasUntold() {
    return untold;
  }

  /** Whether the listener is to be told now; it counts as told then. */
  boolean tell() {
    boolean now = tellLeftNanos() == 0;
    if (now) {
      untold = false;
      nextTellNanos = System.nanoTime() + TELL_NANOS;
    }
    return now;
  }

  /** For how long there is nothing to tell. */
  long tellLeftNanos() {
    return untold ? left(nextTellNanos) : Long.MAX_VALUE;
  }

  private static long left(long dueNanos) {
    return Math.max(0, dueNanos - System.nanoTime());
  }
}
