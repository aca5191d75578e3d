package io.cordwood.store.claim;

import io.cordwood.common.run.Backoff;
import io.cordwood.store.StoreMetrics;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks one ingest node for segments, on a thread of its own, while the {@link ClaimPool} wants
 * some. What it shares with others is theirs, under their lock, which it does not hold while it
 * asks.
 */
final class ClaimPoller implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(ClaimPoller.class);

  private static final Duration LONG_POLL = Duration.ofSeconds(10);
  private static final Duration EARLY_ANSWER = Duration.ofMillis(100);

  private final URI node;
  private final ClaimPool claims;
  private final IngestClient client;
  private final long maxBytes;
  private final StoreMetrics metrics;
  private final Backoff backoff = new Backoff(Duration.ofMillis(100), Duration.ofSeconds(5));

  /**
   * @param maxBytes of the segments that the node is asked for at once
   */
  ClaimPoller(
      URI node, ClaimPool claims, IngestClient client, long maxBytes, StoreMetrics metrics) {
    this.node = node;
    this.claims = claims;
    this.client = client;
    this.maxBytes = maxBytes;
    this.metrics = metrics;
  }

  URI node() {
    return node;
  }

  @Override
  public void run() {
    try {
      while (claims.awaitDemand(this)) {
        claims.pause(this, poll());
      }
    } catch (InterruptedException e) {
      // Nobody interrupts this thread; if somebody does, the node is found again later.
      claims.forget(this);
    }
  }

  /** Asks once; how long to wait before the node is asked again. */
  private Duration poll() {
    long asked = System.nanoTime();
    try {
      List<Claim> answer = client.claim(node, LONG_POLL, maxBytes);
      if (backoff.isBackingOff()) {
        LOG.info("{}: answers again", node);
      }
      backoff.reset();
      claims.offer(this, answer);
      boolean early = System.nanoTime() - asked < EARLY_ANSWER.toNanos();
      return answer.isEmpty() && early ? EARLY_ANSWER : Duration.ZERO;
    } catch (IOException | RuntimeException | Error e) { // else nobody would ask the node again
      return failed(e);
    }
  }

  private Duration failed(Throwable e) {
    metrics.failed("claim");
    if (!backoff.isBackingOff() && !claims.isClosed()) {
      LOG.warn("{}: cannot claim ingest segments, will go on trying: {}", node, e.getMessage());
    }
    return backoff.next();
  }
}
