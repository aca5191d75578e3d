package io.cordwood.dist.server;

import io.cordwood.common.cluster.Cluster;
import io.cordwood.common.cluster.Role;
import io.cordwood.ingest.node.IngestNode;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** When a node takes senders: once another node knows of it, until it stops. */
final class IngestGate {
  private static final Logger log = LoggerFactory.getLogger(IngestGate.class);
  private static final Duration INTRODUCTION_POLL = Duration.ofMillis(20);
  private static final Duration USUAL_INTRODUCTION = Duration.ofSeconds(30);

  private IngestGate() {}

  /** Nobody would miss what is acknowledged by a node of which no other one knows. */
  static void open(IngestNode node, Cluster cluster) {
    Optional<String> stranger = cluster.stranger();
    node.refuse(stranger);
    node.startTaking();
    stranger.ifPresent(why -> {
      log.info("senders are refused: {}", why);
      Thread.ofVirtual().name("introduction").start(() -> awaitIntroduction(node, cluster));
    });
  }

  private static void awaitIntroduction(IngestNode node, Cluster cluster) {
    long warnNanos = System.nanoTime() + USUAL_INTRODUCTION.toNanos();
    boolean warned = false;
    for (Optional<String> why = cluster.stranger(); why.isPresent(); why = cluster.stranger()) {
      node.refuse(why);
      if (!warned && System.nanoTime() - warnNanos > 0) {
        warned = true;
        log.warn("senders are still refused: {}", why.get());
      }
      LockSupport.parkNanos(INTRODUCTION_POLL.toNanos());
    }
    node.refuse(Optional.empty());
    log.info("another node knows of this one: senders are taken");
  }

  /** The first thing that ends: what is received must be durable, and can still be consumed. */
  record Closing(NodeStatus status, @Nullable IngestNode ingest, Cluster cluster)
      implements AutoCloseable {
    @Override
    public void close() throws IOException {
      status.stopping();
      if (ingest != null) {
        ingest.stopTaking();
        if (ingest.isEmpty()) {
          cluster.giveUp(Role.INGEST); // No answer lacks anything without this node.
        }
      }
    }
  }
}
