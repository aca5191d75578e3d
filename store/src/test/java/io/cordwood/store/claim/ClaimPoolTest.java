package io.cordwood.store.claim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cordwood.common.testing.Patience;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.store.StoreMetrics;
import io.cordwood.store.consume.TestIngestNode;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.net.URI;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

final class ClaimPoolTest {
  private static final Duration LONG = Patience.LONG;

  @Test
  void theEndWaitsForWhatIsBeingGivenBack() throws InterruptedException {
    try (var node = new TestIngestNode();
        var client = new IngestClient()) {
      node.add(Ulid.firstOf(1), new byte[10]);
      node.add(Ulid.firstOf(2), new byte[10]);
      node.mayFail = new CountDownLatch(1);
      var metrics = new StoreMetrics(new SimpleMeterRegistry());
      var claims = new ClaimPool(client, () -> List.of(node.uri()), 1 << 20, metrics);
      assertThat(claims.next(LONG)).isPresent();
      claims.refuse();
      await().until(() -> node.fails.get() == 1);

      claims.close();
      client.stopPulling();
      Thread end = Thread.ofVirtual().start(claims::awaitEnd);

      await().until(() -> end.getState() == Thread.State.WAITING);
      assertThat(node.claimed()).isEqualTo(2);
      node.mayFail.countDown();
      assertThat(end.join(LONG)).isTrue();
      assertThat(node.claimed()).isEqualTo(1);
    }
  }

  @Test
  void nodeThatIsForgottenAndFoundAgainLosesNoClaims() throws InterruptedException {
    var metrics = new StoreMetrics(new SimpleMeterRegistry());
    var nodes = new AtomicReference<List<URI>>(List.of());
    try (var node = new TestIngestNode();
        var client = new IngestClient();
        var claims = new ClaimPool(client, nodes::get, 1 << 20, metrics)) {
      for (List<URI> known : List.of(List.of(node.uri()), List.<URI>of(), List.of(node.uri()))) {
        nodes.set(known);
        assertThat(claims.next(Duration.ZERO)).isEmpty();
        await().until(() -> known.isEmpty() || node.claiming.get() > 0);
      }
      await().until(() -> node.claiming.get() == 2);
      node.add(Ulid.firstOf(1), new byte[10]);
      await().until(() -> node.claimed() == 1);
      node.add(Ulid.firstOf(2), new byte[10]);
      await().until(() -> node.claiming.get() == 0);

      var found = new HashSet<Ulid>();
      for (int i = 0; i < 2; i++) {
        claims.next(LONG).map(Claim::id).ifPresent(found::add);
      }
      assertThat(found).containsExactlyInAnyOrder(Ulid.firstOf(1), Ulid.firstOf(2));
    }
  }
}
