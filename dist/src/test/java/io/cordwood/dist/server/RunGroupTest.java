package io.cordwood.dist.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
final class RunGroupTest {
  private final List<String> log = new CopyOnWriteArrayList<>();
  private final RunGroup group = new RunGroup();

  @Test
  void firstToEndEndsAllInReverseOrder() throws Exception {
    addWaiting("first");
    group.hold("second", () -> log.add("second closed"));
    addWaiting("third");
    group.add("brief", () -> log.add("brief ran"), () -> log.add("brief interrupted"));
    group.run();
    assertThat(log)
        .containsExactly(
            "brief ran",
            "brief interrupted",
            "third interrupted",
            "third ended",
            "second closed",
            "first interrupted",
            "first ended");
  }

  @Test
  void firstFailureIsThrownWithTheOthersSuppressed() {
    group.hold("held", () -> fail("held"));
    group.add("broken", () -> fail("broken"), () -> {});
    assertThatThrownBy(group::run)
        .hasMessage("broken")
        .satisfies(
            e -> assertThat(e.getSuppressed()).extracting("message").containsExactly("held"));
  }

  @Test
  void partsThatWereHeldAreClosedWhenTheGroupNeverRan() throws Exception {
    group.hold("one", () -> log.add("one"));
    group.hold("two", () -> log.add("two"));
    group.close();
    assertThat(log).containsExactly("two", "one");
  }

  @Test
  void closingAfterARunDoesNothing() throws Exception {
    group.hold("held", () -> log.add("closed"));
    group.add("brief", () -> {}, () -> {});
    group.run();
    group.close();
    assertThat(log).containsExactly("closed");
  }

  private void addWaiting(String name) {
    CountDownLatch latch = new CountDownLatch(1);
    group.add(
        name,
        () -> {
          latch.await();
          log.add(name + " ended");
        },
        () -> {
          log.add(name + " interrupted");
          latch.countDown();
        });
  }

  private static void fail(String name) {
    throw new IllegalStateException(name);
  }
}
