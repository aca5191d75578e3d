package io.cordwood.query.scan;

import java.util.ArrayDeque;
import java.util.concurrent.Executor;

/**
 * Lets the tasks of several lanes take turns on one executor: of the lanes that have tasks waiting,
 * each gets to run one before any gets to run its next. So who has few tasks waits for one of each
 * other lane at most, however many they have. Within a lane they begin in order. For all threads.
 */
final class FairScheduler {
  private final Executor executor;

  /** Those that have tasks waiting, each once, the next one first; guarded by this. */
  private final ArrayDeque<Lane> waiting = new ArrayDeque<>();

  private int tasks;

  FairScheduler(Executor executor) {
    this.executor = executor;
  }

  /** The tasks of one owner. */
  final class Lane {
    private final ArrayDeque<Runnable> own = new ArrayDeque<>();

    /** Runs a task when it is its turn. */
    void execute(Runnable task) {
      add(this, task);
      executor.execute(() -> next().run());
    }
  }

  Lane lane() {
    return new Lane();
  }

  private synchronized void add(Lane lane, Runnable task) {
    if (lane.own.isEmpty()) {
      waiting.add(lane);
    }
    lane.own.add(task);
    tasks++;
  }

  /** There is one: the executor is asked once for each. */
  private synchronized Runnable next() {
    Lane lane = waiting.remove();
    Runnable task = lane.own.remove();
    if (!lane.own.isEmpty()) {
      waiting.add(lane);
    }
    tasks--;
    return task;
  }

  /** Tasks that have not begun. */
  synchronized int waiting() {
    return tasks;
  }
}
