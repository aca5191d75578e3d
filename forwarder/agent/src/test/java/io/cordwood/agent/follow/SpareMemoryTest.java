package io.cordwood.agent.follow;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Memory is given back after a burst, once, and not while much is read. */
final class SpareMemoryTest {
  private long nanos;
  private long heap = 30 << 20;
  private long read;
  private final SpareMemory memory = new SpareMemory(() -> nanos, () -> heap);

  private boolean isDueLater() {
    nanos += TimeUnit.SECONDS.toNanos(21);
    return memory.isDue(read);
  }

  @Test
  void heapThatGrewInABurstIsGivenBackOnceItIsOver() {
    assertThat(isDueLater()).isFalse();
    heap = 100 << 20;
    read = 200 << 20;
    assertThat(isDueLater()).as("while much is read").isFalse();
    read += 1 << 20;
    assertThat(memory.isDue(read)).as("at once").isFalse();
    assertThat(isDueLater()).isTrue();
    heap = 32 << 20;
    memory.givenBack();
    assertThat(isDueLater()).isFalse();
    heap = 60 << 20;
    assertThat(isDueLater()).isTrue();
  }

  @Test
  void heapThatIsNeededIsAskedForAgainOnlyAfterAWhile() {
    heap = 200 << 20;
    assertThat(isDueLater()).isTrue();
    memory.givenBack();
    heap = 240 << 20;
    assertThat(isDueLater()).isFalse();
    heap = 251 << 20;
    assertThat(isDueLater()).isTrue();
    memory.givenBack();
    for (int i = 1; i < 3; i++) {
      assertThat(isDueLater()).isFalse();
    }
    assertThat(isDueLater()).as("after a minute").isTrue();
  }
}
