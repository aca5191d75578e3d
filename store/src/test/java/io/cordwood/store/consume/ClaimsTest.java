package io.cordwood.store.consume;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cordwood.common.ulid.Ulid;
import io.cordwood.store.StoreMetrics;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

final class ClaimsTest {
  private static final Duration LONG = Duration.ofSeconds(20);

  @Test
  void theEndWaitsForWhatIsBeingGivenBack() throws InterruptedException {
    try (var node = new TestIngestNode();
        var client = new IngestClient()) {
      node.add(Ulid.firstOf(1), new byte[10]);
      node.add(Ulid.firstOf(2), new byte[10]);
      node.mayFail = new CountDownLatch(1);
      var metrics = new StoreMetrics(new SimpleMeterRegistry());
      var settlement = new Settlement(client, metrics);
      var claims = new Claims(client, () -> List.of(node.uri()), settlement, 1 << 20, metrics);
      assertThat(claims.next(LONG)).isPresent();
      claims.refuse();
      await().atMost(LONG).until(() -> node.fails.get() == 1);

      claims.close();
      client.stopPulling();
      Thread end = Thread.ofVirtual().start(claims::awaitEnd);

      await().atMost(LONG).until(() -> end.getState() == Thread.State.WAITING);
      assertThat(node.claimed()).isEqualTo(2);
      node.mayFail.countDown();
      assertThat(end.join(LONG)).isTrue();
      assertThat(node.claimed()).isEqualTo(1);
    }
  }
}
