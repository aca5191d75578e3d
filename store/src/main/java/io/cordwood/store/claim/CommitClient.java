package io.cordwood.store.claim;

import io.cordwood.store.StoreMetrics;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends claims at their ingest nodes: each node is told once of all that it has claimed out, and all
 * nodes at the same time. A node that cannot be told hands the segments out again when their leases
 * end. Safe for all threads.
 */
final class CommitClient {
  private static final Logger LOG = LoggerFactory.getLogger(CommitClient.class);
  private static final int COMMIT_ATTEMPTS = 3;

  private final IngestClient client;
  private final StoreMetrics metrics;
  private final VirtualThreads later = new VirtualThreads();

  CommitClient(IngestClient client, StoreMetrics metrics) {
    this.client = client;
    this.metrics = metrics;
  }

  /** Tells of segments that are durable on all stores that have to have them. */
  void commit(List<Claim> claims) {
    each(claims, this::commitAt);
  }

  /** Gives segments back. */
  void giveBack(List<Claim> claims) {
    each(claims, (node, some) -> giveBackAt(node, some, false));
  }

  /** Gives a segment back that cannot be stored here, without waiting for it. */
  void giveBackUnstorableLater(Claim claim) {
    later.start("give-back", () -> giveBackAt(claim.node(), List.of(claim), true));
  }

  /** Gives claims back without waiting for it. */
  void giveBackLater(List<Claim> claims) {
    if (!claims.isEmpty()) {
      later.start("give-back", () -> giveBack(claims));
    }
  }

  /** Gives claims back once a wait is over, without waiting for it. */
  void giveBackAfter(Runnable wait, List<Claim> claims) {
    later.start(
        "give-back",
        () -> {
          wait.run();
          giveBack(claims);
        });
  }

  /** Waits until what is given back later was, or could not be. */
  void awaitGivenBack() {
    later.join();
  }

  private interface Step {
    void at(URI node, List<Claim> claims);
  }

  private static void each(List<Claim> claims, Step step) {
    Map<URI, List<Claim>> byNode = claims.stream().collect(Collectors.groupingBy(Claim::node));
    if (byNode.size() == 1) {
      byNode.forEach(step::at);
      return;
    }
    var done = new CountDownLatch(byNode.size());
    byNode.forEach((node, some) ->
        Thread.ofVirtual()
            .name("settle")
            .start(() -> {
              try {
                step.at(node, some);
              } finally {
                done.countDown();
              }
            }));
    await(done);
  }

  private static void await(CountDownLatch done) {
    try {
      done.await();
    } catch (InterruptedException e) {
      LOG.error("interrupted while telling ingest nodes; nobody should interrupt this thread");
      Thread.currentThread().interrupt();
    }
  }

  private void commitAt(URI node, List<Claim> claims) {
    for (int attempt = 1; ; attempt++) {
      try {
        int late = client.commit(node, claims);
        if (late > 0) {
          metrics.failed("commit-late", late);
          LOG.warn(
              "{}: {} segments committed too late, their records may be stored twice", node, late);
        }
        return;
      } catch (IOException e) {
        metrics.failed("commit");
        if (attempt == COMMIT_ATTEMPTS) {
          LOG.warn(
              "{}: {} segments not committed, their records will be stored twice: {}",
              node,
              claims.size(),
              e.toString());
          return;
        }
      }
    }
  }

  private void giveBackAt(URI node, List<Claim> claims, boolean unstorable) {
    try {
      client.fail(node, claims, unstorable);
    } catch (IOException e) {
      metrics.failed("fail");
      LOG.warn(
          "{}: {} segments not given back, their leases will run out: {}",
          node,
          claims.size(),
          e.toString());
    }
  }
}
