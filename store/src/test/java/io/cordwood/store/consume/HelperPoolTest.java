package io.cordwood.store.consume;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.common.testing.Patience;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class HelperPoolTest {
  private final AtomicInteger ran = new AtomicInteger();

  @Test
  void aLoneWriterIsHelpedBesideItsOwnThread() throws InterruptedException {
    var begun = new CountDownLatch(1);
    var goOn = new CountDownLatch(1);
    try (var hands = new HelperPool(2)) {
      hands.begin();
      hands.execute(() -> {
        begun.countDown();
        awaitQuietly(goOn);
        ran.incrementAndGet();
      });
      assertThat(begun.await(Patience.LONG.toSeconds(), TimeUnit.SECONDS)).isTrue();
      hands.execute(ran::incrementAndGet); // The only other hand is busy.
      goOn.countDown();
    }
    assertThat(ran).hasValue(1);
  }

  @Test
  void whenAllWriteNobodyHelps() {
    try (var hands = new HelperPool(2)) {
      hands.begin();
      hands.begin();
      hands.execute(ran::incrementAndGet);
      hands.end();
    }
    assertThat(ran).hasValue(0);
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
