package io.cordwood.query.gather;

import io.cordwood.common.http.ApiParams;
import io.cordwood.common.http.ApiPaths;
import io.cordwood.common.http.client.PeerClient;
import io.cordwood.common.http.client.PeerResponse;
import io.cordwood.query.gather.CopyCount.TooFew;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;

/**
 * Tells stores, after the answer, of which of their batches a query saw too few copies. One
 * answer's hints are sent at a time; those that would have to wait are dropped, since repair finds
 * all by itself in the end. For all threads.
 */
final class CopyHints {
  private static final Duration RESPONSE_TIME = Duration.ofSeconds(5);

  private final PeerClient peers;
  private final Semaphore turn = new Semaphore(1);
  private final Counter few;
  private final Counter sent;
  private final Counter dropped;

  CopyHints(PeerClient peers, MeterRegistry meters) {
    this.peers = peers;
    this.few = meters.counter("cordwood.query.copies.few");
    this.sent = meters.counter("cordwood.query.hints", "outcome", "sent");
    this.dropped = meters.counter("cordwood.query.hints", "outcome", "dropped");
  }

  /** Sends them soon; does not wait. */
  void send(CopyCount count, ClusterNodes nodes) {
    few.increment(count.batches());
    List<TooFew> hints = count.tooFew();
    if (hints.isEmpty()) {
      return;
    }
    if (turn.tryAcquire()) {
      Thread.ofVirtual().name("query-hints").start(() -> sendAll(hints, nodes));
    } else {
      dropped.increment(hints.size());
    }
  }

  private void sendAll(List<TooFew> hints, ClusterNodes nodes) {
    try {
      for (TooFew hint : hints) {
        send(hint, nodes.store(hint.holder()));
      }
    } finally {
      turn.release();
    }
  }

  private void send(TooFew hint, Optional<URI> store) {
    if (store.isEmpty()) {
      dropped.increment();
      return;
    }
    String range =
        "?%s=%s&%s=%s"
            .formatted(
                ApiParams.FROM_ULID,
                hint.firstUlids().from(),
                ApiParams.TO_ULID,
                hint.firstUlids().to());
    URI uri = store.get().resolve(ApiPaths.STORE_HINT + range);
    try (PeerResponse reply = peers.post(uri, RESPONSE_TIME)) {
      (reply.status() == 202 ? sent : dropped).increment();
    } catch (IOException e) {
      dropped.increment(); // Repair finds it without a hint, only later.
    }
  }
}
