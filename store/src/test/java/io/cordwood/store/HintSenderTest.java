package io.cordwood.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cordwood.common.segment.Topic;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.ulid.UlidRange;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Hints get to the store that is to make the copies, or are dropped and counted. */
final class HintSenderTest {
  private static final UlidRange RANGE =
      new UlidRange(Ulid.firstOf(1_700_000_000_000L), Ulid.lastOf(1_700_000_000_100L));

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

  @TempDir Path folder;

  private double counted(String outcome) {
    var counter = registry.find("cordwood.hints").tag("outcome", outcome).counter();
    return counter == null ? 0 : counter.count();
  }

  private static double taken(TestStore store) {
    var counter = store.registry.find("cordwood.store.repair.hints").counter();
    return counter == null ? 0 : counter.count();
  }

  @Test
  void theHolderWithTheSmallestIdIsTold() throws IOException {
    try (var a = new TestStore("a", TestStore.options(folder.resolve("a"), 3), List::of);
        var b = new TestStore("b", TestStore.options(folder.resolve("b"), 3), List::of);
        var sender = new HintSender(() -> List.of(a.asPeer(), b.asPeer()), registry)) {
      sender.tooFew(Topic.DEFAULT, RANGE, Set.of("b"));
      sender.tooFew(Topic.DEFAULT, RANGE, Set.of("b", "a"));

      await().until(() -> taken(a) == 1 && taken(b) == 1);
      await().until(() -> counted("sent") == 2);
    }
  }

  @Test
  void storeThatIsNotThereIsNotTold() {
    try (var sender = new HintSender(List::of, registry)) {
      sender.tooFew(Topic.DEFAULT, RANGE, Set.of("gone"));

      await().until(() -> counted("failed") == 1);
    }
  }

  @Test
  void moreThanCanWaitIsDropped() {
    var never = new CountDownLatch(1);
    try (var sender = new HintSender(() -> stuck(never), registry)) {
      for (int i = 0; i < HintSender.MAX_WAITING + 10; i++) {
        sender.tooFew(Topic.DEFAULT, RANGE, Set.of("a"));
      }

      assertThat(counted("full")).isBetween(9.0, 10.0);
      never.countDown();
    }
  }

  private static List<StorePeer> stuck(CountDownLatch until) {
    try {
      until.await();
      return List.of();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return List.of();
    }
  }
}
