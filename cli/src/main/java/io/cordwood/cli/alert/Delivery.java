package io.cordwood.cli.alert;

import io.cordwood.common.run.Backoff;
import io.cordwood.common.run.Threads;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Sends the alerts of one rule to one target, on a thread of its own while there are any: the
 * newest state of each, until it has arrived. What hangs or fails holds up nobody else.
 */
final class Delivery {
  /** The most alerts in one message. */
  static final int MAX_ALERTS = 100;

  static final Duration LONGEST_PAUSE = Duration.ofMinutes(5);

  private final RuleState state;
  private final Target target;
  private final WatchCounters counters;
  private final CountDownLatch stopped;
  private final Backoff pauses;
  private @Nullable Thread thread;
  private final WatchSetting setting;
  private volatile String trouble = "";

  /**
   * @param stopped ends it, delivered or not
   */
  Delivery(
      RuleState state,
      Target target,
      WatchCounters counters,
      CountDownLatch stopped,
      WatchSetting setting) {
    this.state = state;
    this.target = target;
    this.counters = counters;
    this.stopped = stopped;
    this.setting = setting;
    this.pauses = new Backoff(setting.firstPause(), LONGEST_PAUSE);
  }

  /** There may be something to send. */
  synchronized void wake() {
    if (thread == null && !next().isEmpty()) {
      thread = Thread.ofVirtual().name("alert-" + target.name()).start(this::run);
    }
  }

  String name() {
    return target.name();
  }

  /** Why nothing arrives; empty if it does. */
  String trouble() {
    return trouble;
  }

  /** Whether nothing is on its way. */
  synchronized boolean isIdle() {
    return thread == null;
  }

  /** Ends it. What is just being sent has this long to arrive; cut off, it is sent again later. */
  void close(Duration grace) {
    Thread sending = sending();
    if (sending != null && !Threads.join(sending, grace)) {
      sending.interrupt();
    }
  }

  private synchronized @Nullable Thread sending() {
    return thread;
  }

  private List<Alert> next() {
    return state.owed(target.name(), MAX_ALERTS);
  }

  private synchronized List<Alert> nextOrEnd() {
    List<Alert> next = stopped.getCount() == 0 ? List.of() : next();
    if (next.isEmpty()) {
      thread = null;
    }
    return next;
  }

  private void run() {
    try {
      for (List<Alert> next = nextOrEnd(); !next.isEmpty(); next = nextOrEnd()) {
        send(next);
      }
    } catch (InterruptedException e) {
      // The watch is closed.
    } finally {
      end();
    }
  }

  /** However it ends, the next one may begin. */
  private synchronized void end() {
    if (Thread.currentThread().equals(thread)) {
      thread = null;
    }
  }

  private String named(String line) {
    return state.rule().name() + ": " + target.name() + ": " + line;
  }

  private void send(List<Alert> alerts) throws InterruptedException {
    try {
      target.send(state.rule(), alerts);
      state.paid(target.name(), alerts);
      counters.sent.increment();
      pauses.reset();
      if (!trouble.isEmpty()) {
        setting.say(named("works again"));
      }
      trouble = "";
    } catch (IOException | RuntimeException e) {
      counters.sendFailures.increment();
      String why = e instanceof IOException ? String.valueOf(e.getMessage()) : "a defect: " + e;
      if (trouble.isEmpty()) {
        setting.warn(named(why + "; trying again"));
      }
      trouble = why;
      state.failed(setting.clock().instant(), target.name() + ": " + why);
      boolean _ = stopped.await(pauses.next().toMillis(), TimeUnit.MILLISECONDS);
    }
  }
}
