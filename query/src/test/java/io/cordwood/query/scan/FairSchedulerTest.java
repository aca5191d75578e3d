package io.cordwood.query.scan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class FairSchedulerTest {
  private final ArrayDeque<Runnable> executor = new ArrayDeque<>();
  private final FairScheduler scheduler = new FairScheduler(executor::add);
  private final List<String> ran = new ArrayList<>();

  private void add(FairScheduler.Lane lane, String... names) {
    for (String name : names) {
      lane.execute(() -> ran.add(name));
    }
  }

  private void run(int tasks) {
    for (int i = 0; i < tasks; i++) {
      executor.remove().run();
    }
  }

  @Test
  void eachLaneRunsOneBeforeAnyRunsItsNext() {
    FairScheduler.Lane large = scheduler.lane();
    add(large, "a1", "a2", "a3", "a4");
    run(1);
    add(scheduler.lane(), "b1");
    add(scheduler.lane(), "c1", "c2");
    add(large, "a5");
    assertThat(scheduler.waiting()).isEqualTo(7);
    run(7);
    assertThat(ran).containsExactly("a1", "a2", "b1", "c1", "a3", "c2", "a4", "a5");
    assertThat(scheduler.waiting()).isZero();
    assertThat(executor).isEmpty();
  }
}
