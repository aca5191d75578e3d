package io.cordwood.store.consume;

import io.cordwood.store.KnownPeers;
import io.cordwood.store.StopFlag;
import io.cordwood.store.StoreMetrics;
import io.cordwood.store.StoreOptions;
import io.cordwood.store.claim.ClaimPool;
import io.cordwood.store.claim.IngestClient;
import io.cordwood.store.replicate.PeerChoice;
import io.cordwood.store.replicate.ReplicaClient;
import io.cordwood.store.replicate.Replicator;
import io.cordwood.store.segment.StoreFolder;
import io.cordwood.store.segment.StoreLog;
import java.security.SecureRandom;
import java.util.LinkedHashMap;
import java.util.Map;

/** The consumers of a store, as threads that are still to be started, and the parts they share. */
public final class Consumers implements AutoCloseable {
  private final HelperPool helpers;
  private final Map<String, Runnable> workers = new LinkedHashMap<>();

  public Consumers(
      StoreOptions options,
      StoreLog log,
      ClaimPool claims,
      IngestClient client,
      KnownPeers peers,
      ReplicaClient replicas,
      StoreMetrics metrics,
      StopFlag stop) {
    StoreFolder folder = log.folder();
    int consumers = options.gathering().consumers();
    helpers = new HelperPool(consumers);
    var gate = new PullGate(options, folder, peers);
    metrics.watchGate(gate::missingStores, gate::isDiskFull);
    var replicator =
        new Replicator(
            options.replicationFactor() - 1,
            new PeerChoice(peers, new SecureRandom(), System::nanoTime),
            replicas,
            metrics,
            task -> Thread.ofVirtual().name("replicate").start(task),
            System::nanoTime);
    var damaged = new DamagedBytes(folder.filesystem(), folder.damaged());
    var suspects = new SuspectSegments();
    var turn = new GatherTurn();
    for (int i = 0; i < consumers; i++) {
      String name = "consume-" + i;
      var gathers = new Gathers(name, log, client, damaged, replicator);
      var puller =
          new SegmentPuller(options.gathering(), turn, gate, claims, suspects, metrics, stop);
      workers.put(
          name, new Consumer(name, gathers, puller, helpers, claims, suspects, metrics, stop));
    }
  }

  /** Threads to be, by their names. */
  public Map<String, Runnable> workers() {
    return workers;
  }

  /** Once the consumers have ended. */
  @Override
  public void close() {
    helpers.close();
  }
}
