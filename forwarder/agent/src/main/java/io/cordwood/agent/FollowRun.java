package io.cordwood.agent;

import io.cordwood.agent.follow.FollowCounters;
import io.cordwood.agent.follow.FollowLog;
import io.cordwood.agent.follow.FollowOptions;
import io.cordwood.agent.follow.Follower;
import io.cordwood.agent.journal.JournalOptions;
import io.cordwood.agent.journal.JournalSource;
import io.cordwood.agent.pods.NodePods;
import io.cordwood.cli.program.CommandException;
import io.cordwood.cli.program.Programs;
import io.cordwood.forwarder.Forwarder;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** {@code cordwood forward --file}: from the checkpoint's opening to the last figures. */
final class FollowRun {
  /**
   * The wait for batches in flight when a signal comes; what does not arrive by then is sent again.
   */
  private static final Duration LAST_WAIT = Duration.ofSeconds(2);

  /** For the first list of pods. */
  private static final Duration PODS_WAIT = Duration.ofSeconds(5);

  private final FollowOptions options;
  private final @Nullable JournalOptions journal;
  private final Sending sending;
  private final @Nullable NodePods pods;
  private final CountDownLatch ended = new CountDownLatch(1);
  private volatile boolean signalled;

  /**
   * @param journal what to read of it; null for nothing
   * @param pods what is known of pods; null if that is not asked for
   */
  FollowRun(
      FollowOptions options,
      @Nullable JournalOptions journal,
      Sending sending,
      @Nullable NodePods pods) {
    this.options = options;
    this.journal = journal;
    this.sending = sending;
    this.pods = pods;
  }

  /** The exit code. */
  int run() throws IOException {
    long start = System.nanoTime();
    ForwardLog log = new ForwardLog(sending.quiet(), !options.once());
    awaitPods();
    Forwarder forwarder = Forwarder.start(sending.options(), log);
    try (Follower follower = open(forwarder, log)) {
      Runtime.getRuntime().addShutdownHook(new Thread(() -> farewell(follower), "farewell"));
      JournalSource entries = entries(follower, forwarder);
      ForwardProgress progress =
          sending.progress(new FileFigures(follower.counters(), forwarder, entries, pods));
      boolean all;
      try {
        follower.run();
        all = isReadToItsEnd(entries);
        all &= follower.drain(signalled ? LAST_WAIT : sending.drain());
      } finally {
        progress.close();
      }
      report(follower.counters(), forwarder, start);
      boolean wellSent = all && follower.counters().topicsRefused() == 0;
      boolean wellRead = !options.once() || !follower.counters().hasErrors();
      return wellSent && wellRead ? Programs.SUCCESS : Programs.ERROR;
    } finally {
      forwarder.close(Duration.ZERO);
      ended.countDown();
    }
  }

  private @Nullable JournalSource entries(Follower follower, Forwarder forwarder) {
    if (journal == null) {
      return null;
    }
    var entries = JournalSource.start(journal, forwarder, follower.cursor(), ForwardLog::say);
    follower.keepCursor(entries::cursor);
    return entries;
  }

  /** Waits for the end of the journal, if it is to end, and for what is on its way. */
  private boolean isReadToItsEnd(@Nullable JournalSource entries) {
    if (entries == null) {
      return true;
    }
    try {
      if (options.once() && !signalled) {
        return entries.await(sending.drain());
      }
      entries.stop();
      return entries.await(LAST_WAIT.dividedBy(2));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** So that the first lines have the labels of their pods, if the server is there. */
  private void awaitPods() {
    try {
      boolean _ = pods == null || pods.await(PODS_WAIT);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private Follower open(Forwarder forwarder, ForwardLog log) throws IOException {
    try {
      return Follower.open(options, forwarder, new FollowLog(log::tell));
    } catch (IllegalArgumentException e) {
      throw new CommandException("--file: " + e.getMessage(), e);
    }
  }

  /** Keeps the state of a run that a signal ends before the process goes. */
  private void farewell(Follower follower) {
    signalled = true;
    follower.stop();
    try {
      if (!ended.await(2 * LAST_WAIT.toSeconds(), TimeUnit.SECONDS)) {
        ForwardLog.say("ended with lines on their way; they are sent again");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void report(FollowCounters counters, Forwarder forwarder, long start) {
    long left = forwarder.counters().pending();
    if (left > 0) {
      ForwardLog.say(
          left + " lines were not acknowledged; they are sent again when it is started again");
    }
    if (counters.topicsRefused() > 0) {
      ForwardLog.say(
          counters.topicsRefused()
              + " topics or sets of labels are refused; their lines are sent when it is started"
              + " again");
    }
    if (!sending.quiet()) {
      ForwardLog.say(
          "%d lines of %d files acknowledged in %.1f s; %d sent again"
              .formatted(
                  counters.recordsAcknowledged(),
                  counters.files(),
                  (System.nanoTime() - start) / 1e9,
                  counters.recordsSentAgain() + forwarder.counters().handling().resentRecords()));
    }
  }
}
