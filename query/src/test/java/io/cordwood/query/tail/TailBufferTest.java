package io.cordwood.query.tail;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.common.segment.Topic;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.query.result.BlockHits;
import io.cordwood.query.tail.TailBuffer.Due;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** With a clock that goes on only when the test says so. */
final class TailBufferTest {
  private static final Duration WINDOW = Duration.ofSeconds(1);
  private static final Ulid EARLIEST = Ulid.firstOf(1_700_000_000_000L);

  private long nowNanos;
  private final TailBuffer buffer =
      new TailBuffer(
          WINDOW, new TailMemory(new SimpleMeterRegistry()), (_, _) -> true, () -> nowNanos);

  private void put(int place) {
    byte[] bytes = (place + "\n").getBytes(StandardCharsets.US_ASCII);
    var group = new BlockHits.Group(EARLIEST.plus(place), 0, 1);
    int[] ends = {bytes.length};
    buffer.put(new BlockHits(Topic.DEFAULT, bytes, ends, new int[] {0}, List.of(group)), group);
  }

  private List<String> due() throws InterruptedException {
    Due due = buffer.await(Duration.ZERO);
    due.batches().forEach(buffer::written);
    return due.batches().stream().map(one -> one.hits.text(0, StandardCharsets.US_ASCII)).toList();
  }

  private void pass(Duration time) {
    nowNanos += time.toNanos();
  }

  @Test
  void nothingIsDueBeforeTheWindowIsOver() throws InterruptedException {
    put(1);
    pass(WINDOW.minusNanos(1));
    assertThat(due()).isEmpty();
    pass(Duration.ofNanos(1));
    assertThat(due()).containsExactly("1");
  }

  @Test
  void whatComesWithinTheWindowIsGivenInOrder() throws InterruptedException {
    put(3);
    pass(WINDOW.minusNanos(1));
    put(2);
    put(1);
    put(4);
    pass(Duration.ofNanos(1));
    assertThat(due()).as("all up to the one that has waited").containsExactly("1", "2", "3");
    assertThat(due()).isEmpty();
    pass(WINDOW);
    assertThat(due()).containsExactly("4");
  }

  @Test
  void whatIsLateIsGivenAfterItsOwnWindow() throws InterruptedException {
    put(2);
    pass(WINDOW);
    assertThat(due()).containsExactly("2");
    put(1);
    assertThat(due()).isEmpty();
    pass(WINDOW);
    assertThat(due()).containsExactly("1");
  }

  @Test
  void whatWasGivenIsNotGivenAgain() throws InterruptedException {
    put(1);
    put(1);
    pass(WINDOW);
    assertThat(due()).containsExactly("1");
    put(1);
    pass(WINDOW);
    assertThat(due()).isEmpty();
  }
}
