package io.cordwood.common.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Many hold bytes of one budget, and never more than its bound. */
final class ByteBudgetTest {
  private static final int TAKERS = 4;
  private static final int TURNS = 20_000;

  private final ByteBudget budget = new ByteBudget(100);

  @Test
  void whatDoesNotFitCountsNothing() {
    assertThat(budget.take(60)).isTrue();
    assertThat(budget.take(41)).isFalse();
    assertThat(budget.heldBytes()).isEqualTo(60);
    assertThat(budget.take(40)).isTrue();
    assertThat(budget.take(1)).isFalse();
    budget.release(60);
    assertThat(budget.heldBytes()).isEqualTo(40);
    assertThat(budget.take(60)).isTrue();
  }

  @Test
  void whoLeavesSomeToOthersGetsLess() {
    assertThat(budget.take(50, 50)).isTrue();
    assertThat(budget.take(1, 50)).isFalse();
    assertThat(budget.take(51, 1000)).as("no bound is above the budget's").isFalse();
    assertThat(budget.take(50)).isTrue();
  }

  @Test
  void whatIsTakenAnywayLeavesLessToOthers() {
    budget.takeAnyway(130);
    assertThat(budget.heldBytes()).isEqualTo(130);
    assertThat(budget.take(1)).isFalse();
    assertThat(budget.take(0)).isFalse();
    budget.release(130);
    assertThat(budget.take(100)).isTrue();
  }

  @Test
  void threadsTogetherStayWithinTheBound() throws Exception {
    var own = new ByteBudget(TAKERS * 10 - 1);
    try (var threads = Executors.newFixedThreadPool(TAKERS)) {
      long most = 0; // of all: a thread alone may be refused each time
      for (Future<Long> each : all(threads, () -> mostSeen(own))) {
        most = Math.max(most, each.get());
      }
      assertThat(most).isPositive().isLessThanOrEqualTo(own.mostBytes());
    }
    assertThat(own.heldBytes()).isZero();
  }

  private static long mostSeen(ByteBudget budget) {
    long most = 0;
    for (int turn = 0; turn < TURNS; turn++) {
      if (budget.take(10)) {
        most = Math.max(most, budget.heldBytes());
        budget.release(10);
      }
    }
    return most;
  }

  @Test
  void whoAsksForTooMuchKeepsNobodyFromWhatFits() throws Exception {
    var over = new AtomicBoolean();
    try (var threads = Executors.newFixedThreadPool(TAKERS + 1)) {
      Future<Boolean> greedy = threads.submit(() -> anyTaken(over));
      for (Future<Integer> refused : all(threads, this::refused)) {
        assertThat(refused.get()).isZero();
      }
      over.set(true);
      assertThat(greedy.get()).isFalse();
    }
  }

  private boolean anyTaken(AtomicBoolean over) {
    boolean any = false;
    while (!over.get()) {
      any |= budget.take(101);
    }
    return any;
  }

  private int refused() {
    int refused = 0;
    for (int turn = 0; turn < TURNS; turn++) {
      if (budget.take(100 / TAKERS)) {
        budget.release(100 / TAKERS);
      } else {
        refused++;
      }
    }
    return refused;
  }

  private static <T> List<Future<T>> all(ExecutorService threads, Callable<T> task) {
    List<Future<T>> all = new ArrayList<>();
    for (int i = 0; i < TAKERS; i++) {
      all.add(threads.submit(task));
    }
    return all;
  }
}
