package io.cordwood.common.cluster;

import static io.cordwood.common.cluster.Nodes.node;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import reactor.core.publisher.Mono;

final class PublicationTest {
  private static final NodeInfo FIRST = node("a", Role.STORE);
  private static final NodeInfo LOADED = FIRST.withLoad(new NodeLoad(1, 2, 3, 4, 5));

  private static final NodeInfo CLOSE = with(1000, 1_000_000);
  private static final NodeInfo CLOSER = with(1000, 1_050_000);
  private static final NodeInfo FAR = with(1120, 1_000_000);

  private final AtomicLong seconds = new AtomicLong();
  private final Publication publication =
      new Publication(FIRST, Duration.ofSeconds(3), () -> TimeUnit.SECONDS.toNanos(seconds.get()));
  private int members = 3;
  private final List<NodeInfo> given = new ArrayList<>();

  private void publish(NodeInfo current, Supplier<Mono<Void>> outcome) {
    publication.publish(
        current,
        members,
        bytes -> {
          given.add(decoded(bytes));
          return outcome.get();
        });
  }

  private static NodeInfo with(long bytesPerSecond, long freeBytes) {
    return FIRST.withLoad(new NodeLoad(7, bytesPerSecond, 0, freeBytes, 5));
  }

  /** Looks each 3 s, as a node does. */
  private void publishFor(int lastSeconds, Supplier<NodeInfo> current) {
    for (int i = 0; i < lastSeconds / 3; i++) {
      seconds.addAndGet(3);
      publish(current.get(), Mono::empty);
    }
  }

  private static NodeInfo decoded(byte[] bytes) {
    try {
      return NodeInfoCodec.decode(bytes);
    } catch (GossipFormatException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aChangeIsPublishedOnce() {
    publish(FIRST, Mono::empty);
    assertThat(given).isEmpty();
    publish(LOADED, Mono::empty);
    publish(LOADED, Mono::empty);
    seconds.addAndGet(3);
    publish(FIRST, Mono::empty);
    assertThat(given).containsExactly(LOADED, FIRST);
  }

  @Test
  void aSmallDifferenceIsPublishedWithinAMinuteAndALargeOneAtTheNextLook() {
    publish(CLOSE, Mono::empty);
    publishFor(57, () -> CLOSER);
    assertThat(given).containsExactly(CLOSE);
    publishFor(3, () -> CLOSER);
    assertThat(given).containsExactly(CLOSE, CLOSER);
    publishFor(3, () -> FAR);
    assertThat(given).containsExactly(CLOSE, CLOSER, FAR);
  }

  @ParameterizedTest
  @CsvSource({"3,200", "10,200", "100,20", "1000,2"})
  void allNodesTogetherPublishNoMoreOftenThanTen(int nodes, int times) {
    members = nodes;
    publish(CLOSE, Mono::empty);
    publishFor(600, () -> with(1000L << (seconds.get() / 3 % 7), 1_000_000));
    assertThat(given).hasSize(1 + times);
  }

  @Test
  void whatIsConcludedFromIsPublishedAtOnceInAnyCluster() {
    members = 1000;
    NodeLoad load = CLOSE.load();
    List<NodeInfo> changes =
        List.of(
            CLOSE,
            CLOSE.withLoad(load.withQuarantined(1)),
            CLOSE.withLoad(load.withStored(5, 17, Partners.UNKNOWN)),
            CLOSE.withLoad(load.withStored(5, 17, Partners.of(List.of("b")))));
    changes.forEach(change -> publish(change, Mono::empty));
    assertThat(given).isEqualTo(changes);
  }

  @Test
  void aChangeThatFailsOrIsNotConfirmedIsPublishedAgain() {
    publish(
        LOADED,
        () -> {
          throw new IllegalStateException("the library is closed");
        });
    publish(LOADED, () -> Mono.error(new IllegalStateException("no answer")));
    publish(LOADED, Mono::never);
    publish(LOADED, Mono::empty);
    publish(LOADED, Mono::empty);
    assertThat(given).containsExactly(LOADED, LOADED, LOADED, LOADED);
  }
}
