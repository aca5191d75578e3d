package io.cordwood.common.run;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A task that a thread of its own does again and again until it is closed. One that fails is logged
 * and counted, and done again in time: a bare executor would never do it again, without a word.
 */
public final class PeriodicTask implements AutoCloseable {
  static final String FAILURES = "cordwood_task_failures_total";

  private final RateLimitedLog log =
      new RateLimitedLog(LoggerFactory.getLogger(PeriodicTask.class), Duration.ofMinutes(1));
  private final String name;
  private final Runnable task;
  private final Counter failures;
  private final ScheduledExecutorService thread;

  private PeriodicTask(String name, MeterRegistry registry, Runnable task) {
    this.name = name;
    this.task = task;
    failures = registry.counter(FAILURES, "task", name);
    thread =
        Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name(name).factory());
  }

  /**
   * Does a task at once, and again after each pause.
   *
   * @param name of its thread, in the log, and in the metric of what has failed
   */
  public static PeriodicTask start(
      String name, Duration pause, MeterRegistry registry, Runnable task) {
    var periodic = new PeriodicTask(name, registry, task);
    var _ =
        periodic.thread.scheduleWithFixedDelay(
            periodic::run, 0, pause.toNanos(), TimeUnit.NANOSECONDS);
    return periodic;
  }

  private void run() {
    try {
      task.run();
    } catch (RuntimeException | Error e) {
      failures.increment();
      log.error("a task fails, and is tried again:", name, e);
    }
  }

  /**
   * A task for an executor of the caller's own: one that fails is logged, and nothing but the
   * machine's own errors ends what the executor repeats.
   *
   * @param what completes "could not …", for people
   */
  public static Runnable guarded(String what, Logger log, Runnable task) {
    return () -> {
      try {
        task.run();
      } catch (RuntimeException | Error e) {
        MachineErrors.rethrow(e);
        log.error("could not {}; tried again", what, e);
      }
    };
  }

  /** Begins it no more; does not wait for the one that is being done. */
  @Override
  public void close() {
    thread.shutdown();
  }
}
