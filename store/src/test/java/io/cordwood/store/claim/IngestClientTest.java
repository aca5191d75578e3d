package io.cordwood.store.claim;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.store.KnownPeers;
import io.cordwood.store.StorePeer;
import io.cordwood.store.consume.TestIngestNode;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A store asks for batches with labels when enough others could take copies of them. */
final class IngestClientTest {
  private static final URI NOWHERE = URI.create("http://127.0.0.1:1");

  private final List<StorePeer> peers = new ArrayList<>();

  private boolean takesLabels(int copies) throws IOException {
    try (var node = new TestIngestNode();
        var client = new IngestClient(new KnownPeers("me", List::of, () -> peers), copies)) {
      assertThat(client.claim(node.uri(), Duration.ZERO, 1)).isEmpty();
      return node.lastTakesLabels();
    }
  }

  @Test
  void labelsAreTakenIfThereIsNoCopyOrSomebodyForEachCopy() throws IOException {
    assertThat(takesLabels(0)).isTrue();
    peers.add(new StorePeer("before", NOWHERE, 0, 1, true, false));
    assertThat(takesLabels(1)).isFalse();
    peers.add(new StorePeer("now", NOWHERE, 0, 1));
    assertThat(takesLabels(1)).isTrue();
    assertThat(takesLabels(2)).isFalse();
  }
}
