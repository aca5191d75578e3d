package io.cordwood.forwarder;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;

/**
 * The common part of all appenders: events that are bytes already go to a {@link Forwarder}, and
 * what becomes of them is told through the framework's status channel, never through a logger.
 *
 * <p>For use by many threads. Only one of them waits here, and not for longer than it asks for: the
 * one that stops it; under {@link WhenFull#BLOCK}, also those that append.
 */
public final class LoggingForwarder {
  private final Forwarder forwarder;
  private final AppenderStatus status;
  private final AtomicBoolean toldOfPacked = new AtomicBoolean();

  /** How many were acknowledged when {@link #await} ended in vain. */
  private volatile long acknowledgedInVain = -1;

  private LoggingForwarder(Forwarder forwarder, AppenderStatus status) {
    this.forwarder = forwarder;
    this.status = status;
  }

  /**
   * Starts forwarding, without waiting for a connection.
   *
   * @param ending whether the framework is stopping: then threads that wait for room give up, since
   *     some frameworks wait for them before they stop an appender
   */
  public static LoggingForwarder start(
      ForwarderOptions options, AppenderStatus status, BooleanSupplier ending) {
    Forwarder forwarder = Forwarder.start(options, new StatusListener(status), ending);
    return new LoggingForwarder(forwarder, status);
  }

  /**
   * Takes an event as one record, without the end that a layout may give it: see {@link EventEnd}.
   *
   * @return false when it, or a part of it, was dropped and counted
   */
  public boolean append(byte[] bytes, int offset, int length) {
    if (forwarder.isOwnThread()) {
      forwarder.drop(DropReason.OWN_THREAD);
      return false;
    }
    if (PackedBytes.areIn(bytes, offset, length) && toldOfPacked.compareAndSet(false, true)) {
      status.warn(
          "the layout packs its events, so no search finds what is in them;"
              + " set compressionType=\"OFF\", or take another layout");
    }
    return forwarder.send(bytes, offset, EventEnd.lengthWithout(bytes, offset, length));
  }

  /** Counts an event as dropped whose layout or encoder failed. */
  public void notEncoded() {
    forwarder.drop(DropReason.NOT_ENCODED);
  }

  /**
   * Takes no more, waits until all is acknowledged, at most for the time-out, then drops and counts
   * what is left and is not in the spool, and says so.
   *
   * <p>After an {@link #await} in vain it waits only if something was acknowledged since then.
   *
   * @param since the first of those was stopped that are stopped together: of the time-out, that
   *     has passed
   */
  public void stop(Duration timeout, StopTime since) {
    Duration passed = since.passed();
    boolean inVain = forwarder.counters().acknowledged() == acknowledgedInVain;
    Unacknowledged unacknowledged = forwarder.closeSince(inVain ? timeout : passed, timeout);
    ForwarderCounters end = forwarder.counters();
    if (!unacknowledged.isNothing()) {
      status.error(
          unacknowledged.records()
              + " records were not acknowledged within "
              + timeout.toMillis()
              + (passed.isZero() ? " ms" : " ms since another appender was stopped")
              + ", and are given up");
    }
    if (end.spool().records() > 0) {
      status.warn(end.spool().records() + " records are in the spool; the next start sends them");
    }
    String stopped = "stopped: " + StatusListener.describe(end);
    if (end.droppedRecords() > 0) {
      status.warn(stopped);
    } else {
      status.info(stopped);
    }
  }

  /**
   * Waits until all that was appended before is acknowledged or dropped, at most for the time-out.
   * What is not acknowledged then is sent on.
   */
  public void await(Duration timeout) {
    Unacknowledged left = forwarder.flush(timeout);
    if (!left.isNothing()) {
      acknowledgedInVain = forwarder.counters().acknowledged();
      status.warn(
          left.records()
              + " records were not acknowledged within "
              + timeout.toMillis()
              + " ms; sending goes on");
    }
  }

  /**
   * Waits until all that was appended before is acknowledged or dropped, at most for the time-out;
   * goes on taking events meanwhile, and says what is lost if the JVM ends now. For the end of a
   * JVM that stops no appender.
   */
  public void flush(Duration timeout) {
    forwarder.flushToSpool(timeout);
    ForwarderCounters end = forwarder.counters();
    if (end.pending() > 0 || end.droppedRecords() > 0) {
      status.error(
          "the JVM ends; after "
              + timeout.toMillis()
              + " ms, what is pending is given up: "
              + StatusListener.describe(end));
    }
  }

  public ForwarderCounters counters() {
    return forwarder.counters();
  }
}
