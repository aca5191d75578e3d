package io.cordwood.store.consume;

import io.cordwood.store.KnownPeers;
import io.cordwood.store.StopFlag;
import io.cordwood.store.StoreMetrics;
import io.cordwood.store.StoreOptions;
import io.cordwood.store.claim.ClaimPool;
import io.cordwood.store.claim.CommitClient;
import io.cordwood.store.claim.IngestClient;
import io.cordwood.store.replicate.PeerChoice;
import io.cordwood.store.replicate.ReplicaClient;
import io.cordwood.store.replicate.Replicator;
import io.cordwood.store.segment.StoreLog;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The parts that the consumers of a store share.
 *
 * @param turn held by the one that gathers
 * @param pace when the last gather ended; guarded by the turn
 * @param hands of consumers that have nothing to write
 */
public record ConsumerContext(
    StoreOptions options,
    StoreLog log,
    ClaimPool claims,
    IngestClient client,
    CommitClient commits,
    PullGate gate,
    Replicator replicator,
    DamagedBytes damaged,
    SuspectSegments suspects,
    StoreMetrics metrics,
    ReentrantLock turn,
    Pace pace,
    HelperPool hands,
    StopFlag stop)
    implements AutoCloseable {

  public static ConsumerContext of(
      StoreOptions options,
      StoreLog log,
      ClaimPool claims,
      IngestClient client,
      CommitClient commits,
      KnownPeers peers,
      ReplicaClient replicas,
      StoreMetrics metrics,
      StopFlag stop) {
    var choice = new PeerChoice(peers, new SecureRandom());
    var gate = new PullGate(options, log.folder(), peers);
    metrics.watchGate(gate::missingStores, gate::isDiskFull);
    return new ConsumerContext(
        options,
        log,
        claims,
        client,
        commits,
        gate,
        new Replicator(options.replicationFactor() - 1, choice, replicas, metrics),
        new DamagedBytes(log.folder().filesystem(), log.folder().damaged()),
        new SuspectSegments(),
        metrics,
        new ReentrantLock(true),
        new Pace(),
        new HelperPool(options.gathering().consumers()),
        stop);
  }

  /** Once the consumers have ended. */
  @Override
  public void close() {
    hands.close();
  }

  /** When the last gather ended. */
  static final class Pace {
    private long lastEndNanos = System.nanoTime() - Duration.ofHours(1).toNanos();
  }

  void gatherEnded() {
    pace.lastEndNanos = System.nanoTime();
  }

  Duration sinceLastGather() {
    return Duration.ofNanos(System.nanoTime() - pace.lastEndNanos);
  }
}
