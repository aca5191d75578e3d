package io.cordwood.store.consume;

import io.cordwood.store.Neighbours;
import io.cordwood.store.Stopping;
import io.cordwood.store.StoreMetrics;
import io.cordwood.store.StoreOptions;
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
public record Consuming(
    StoreOptions options,
    StoreLog log,
    Claims claims,
    IngestClient client,
    Settlement settlement,
    GatherGate gate,
    Replicator replicator,
    DamagedBytes damaged,
    StoreMetrics metrics,
    ReentrantLock turn,
    Pace pace,
    SpareHands hands,
    Stopping stopping)
    implements AutoCloseable {

  public static Consuming of(
      StoreOptions options,
      StoreLog log,
      Claims claims,
      IngestClient client,
      Settlement settlement,
      Neighbours neighbours,
      ReplicaClient replicas,
      StoreMetrics metrics,
      Stopping stopping) {
    var choice = new PeerChoice(neighbours, new SecureRandom());
    var gate = new GatherGate(options, log.folder(), neighbours);
    metrics.watchGate(gate::missingStores, gate::isDiskFull);
    return new Consuming(
        options,
        log,
        claims,
        client,
        settlement,
        gate,
        new Replicator(options.replicationFactor() - 1, choice, replicas, metrics),
        new DamagedBytes(log.folder().filesystem(), log.folder().damaged()),
        metrics,
        new ReentrantLock(true),
        new Pace(),
        new SpareHands(options.gathering().consumers()),
        stopping);
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
