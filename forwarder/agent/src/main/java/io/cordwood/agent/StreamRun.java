package io.cordwood.agent;

import io.cordwood.cli.program.Programs;
import io.cordwood.forwarder.Forwarder;
import io.cordwood.forwarder.ForwarderCounters;
import io.cordwood.forwarder.RefusalReason;
import io.cordwood.forwarder.SpoolCounters;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** {@code cordwood forward} of anything but files, from the first line to the last figures. */
final class StreamRun {
  /** For an input that ends on demand, once a signal has come. */
  private static final Duration LAST_LINES = Duration.ofSeconds(1);

  private static final Duration LAST_WAIT = Duration.ofSeconds(1);

  /** Half of it is for the spool to take what no node has acknowledged. */
  private static final Duration LAST_WAIT_WITH_SPOOL = Duration.ofSeconds(4);

  private final ForwardInput input;
  private final Sending sending;
  private final CountDownLatch pumped = new CountDownLatch(1);

  StreamRun(ForwardInput input, Sending sending) {
    this.input = input;
    this.sending = sending;
  }

  /** The exit code. */
  int run() throws IOException {
    long start = System.nanoTime();
    Forwarder forwarder =
        Forwarder.start(
            sending.options(), new ForwardLog(sending.quiet(), input instanceof SocketInput));
    Thread farewell;
    boolean all;
    try (ForwardProgress progress = sending.progress(new StreamFigures(forwarder, input))) {
      farewell = farewell(forwarder, progress, start);
      all = input.pump(forwarder);
      pumped.countDown();
      all &= forwarder.close(sending.drain()).isNothing();
    }
    if (!isCalledOff(farewell)) {
      return Programs.ERROR;
    }
    ForwarderCounters end = forwarder.counters();
    report(end, start);
    long refused = end.refusals(RefusalReason.TOPIC) + end.refusals(RefusalReason.LABELS);
    boolean isRefused = end.spool().records() > 0 && refused > 0;
    boolean isRead = end.spool().damagedBytes() == 0 && end.spool().unreadableFiles() == 0;
    boolean wellSpooled = isRead && !isRefused;
    return all && wellSpooled ? Programs.SUCCESS : Programs.ERROR;
  }

  /** False when a signal ends the process already, and says the figures. */
  private static boolean isCalledOff(Thread farewell) {
    try {
      return Runtime.getRuntime().removeShutdownHook(farewell);
    } catch (IllegalStateException e) {
      return false;
    }
  }

  /** Tells the figures also when a signal ends the process. */
  private Thread farewell(Forwarder forwarder, ForwardProgress progress, long start) {
    Thread farewell =
        new Thread(
            () -> {
              awaitLastLines();
              forwarder.close(
                  sending.options().memory().spool() == null ? LAST_WAIT : LAST_WAIT_WITH_SPOOL);
              progress.close();
              report(forwarder.counters(), start);
            },
            "farewell");
    Runtime.getRuntime().addShutdownHook(farewell);
    return farewell;
  }

  private void awaitLastLines() {
    try {
      if (input.stop() && !pumped.await(LAST_LINES.toMillis(), TimeUnit.MILLISECONDS)) {
        ForwardLog.say("ended before its input did");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void report(ForwarderCounters counters, long start) {
    SpoolCounters spool = counters.spool();
    long lost = counters.droppedRecords();
    if (lost > 0) {
      ForwardLog.say(lost + " lines were not acknowledged; they may be lost");
    }
    if (spool.damagedBytes() > 0) {
      ForwardLog.say(
          spool.damagedBytes() + " bytes of the spool are damaged; what they held is lost");
    }
    if (spool.unreadableFiles() > 0) {
      ForwardLog.say(
          spool.unreadableFiles()
              + " files of the spool cannot be read; they are left there for the next start");
    }
    if (spool.records() > 0) {
      ForwardLog.say(
          spool.records() + " lines are in the spool; they are sent when it is started again");
    }
    if (!sending.quiet()) {
      ForwardLog.say(
          ("%d lines acknowledged in %.1f s; %d sent again, %d cut, %d blank ones"
                  + " left out, %d connections")
              .formatted(
                  counters.acknowledged(),
                  (System.nanoTime() - start) / 1e9,
                  counters.handling().resentRecords(),
                  counters.handling().cuts(),
                  counters.handling().blankLines(),
                  counters.connections().connects()));
    }
  }
}
