package io.cordwood.common.cluster;

import static io.cordwood.common.cluster.Nodes.node;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

final class PublicationTest {
  private static final NodeInfo FIRST = node("a", Role.STORE);
  private static final NodeInfo LOADED = FIRST.withLoad(new NodeLoad(1, 2, 3, 4, 5));

  private final Publication publication = new Publication(FIRST);
  private final List<NodeInfo> given = new ArrayList<>();

  private void publish(NodeInfo current, Supplier<Mono<Void>> outcome) {
    publication.publish(
        current,
        bytes -> {
          given.add(decoded(bytes));
          return outcome.get();
        });
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
    publish(FIRST, Mono::empty);
    assertThat(given).containsExactly(LOADED, FIRST);
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
