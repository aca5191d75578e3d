package io.cordwood.store.node;

import io.cordwood.common.cold.ColdReader;
import io.cordwood.common.deletion.Deletions;
import io.cordwood.common.deletion.WaitingDeletions;
import io.cordwood.common.file.Filesystem;
import io.cordwood.common.http.ApiPaths;
import io.cordwood.common.http.server.Response;
import io.cordwood.common.http.server.Routes;
import io.cordwood.common.segment.Segment;
import io.cordwood.common.segment.SegmentSource;
import io.cordwood.store.ColdOptions;
import io.cordwood.store.KnownPeers;
import io.cordwood.store.StopFlag;
import io.cordwood.store.StoreMetrics;
import io.cordwood.store.StoreOptions;
import io.cordwood.store.claim.ClaimPool;
import io.cordwood.store.claim.IngestClient;
import io.cordwood.store.cold.ProvenObjects;
import io.cordwood.store.consume.Consumers;
import io.cordwood.store.repair.KnownPartners;
import io.cordwood.store.repair.MaintenanceThreads;
import io.cordwood.store.replicate.ReplicaClient;
import io.cordwood.store.replicate.ReplicaRoutes;
import io.cordwood.store.segment.SegmentInfo;
import io.cordwood.store.segment.StoreFolder;
import io.cordwood.store.segment.StoreLog;
import io.cordwood.store.segment.StoreRecovery;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The store tier of a node: consumes from ingest nodes, keeps segments, shows them to queries.
 *
 * <pre>
 *   ingest nodes <-- ClaimPool <-- Consumers --> StoreLog --> segments()
 *                                                  ^
 *   Compactor, Retention, Settling, Scrub, Repair (MaintenanceThreads) <--> other stores
 * </pre>
 *
 * <p>All its threads touch files and must never be interrupted.
 */
public final class StoreNode implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(StoreNode.class);

  /** A node is asked for a part of a store segment at once, so that others get a share. */
  private static final int CLAIMS_A_SEGMENT = 2;

  private final StoreLog log;
  private final IngestClient client;
  private final ClaimPool claims;
  private final Consumers consumers;
  private final ReplicaClient replicaClient;
  private final ReplicaRoutes replicas;
  private final StopFlag stop;
  private final MaintenanceThreads maintenance;
  private final ColdWork cold;
  private final StoreMetrics metrics;
  private final List<Thread> threads;

  private StoreNode(
      StoreOptions options,
      StoreLog log,
      MaintenanceThreads maintenance,
      ColdWork cold,
      KnownPeers peers,
      KnownPartners partners,
      StoreMetrics metrics,
      StopFlag stop) {
    this.log = log;
    this.stop = stop;
    this.metrics = metrics;
    this.client = new IngestClient(peers, options.replicationFactor() - 1);
    this.replicaClient = ReplicaClient.of(peers, log.folder().filesystem(), stop);
    this.replicas = new ReplicaRoutes(peers.nodeId(), log, metrics, stop, partners::seen);
    this.claims =
        new ClaimPool(
            client,
            peers.ingestNodes(),
            options.gathering().targetBytes() / CLAIMS_A_SEGMENT,
            metrics);
    this.consumers =
        new Consumers(options, log, claims, client, peers, replicaClient, metrics, stop);
    this.maintenance = maintenance;
    this.cold = cold;
    this.threads = threads();
  }

  private List<Thread> threads() {
    List<Thread> all = new ArrayList<>();
    consumers.workers().forEach((name, work) -> all.add(thread(name, work)));
    maintenance.workers().forEach((name, work) -> all.add(thread(name, work)));
    cold.workers().forEach((name, work) -> all.add(thread(name, work)));
    return List.copyOf(all);
  }

  /** One whose end, before the store's own, is {@link #death}. */
  private Thread thread(String name, Runnable work) {
    return Thread.ofPlatform()
        .name(name)
        .unstarted(() -> {
          try {
            work.run();
          } catch (RuntimeException | Error e) {
            metrics.failed("thread");
            LOG.error("the thread {} of the store ends; the node needs a restart", name, e);
            throw e;
          }
        });
  }

  /**
   * Opens the folder, whatever its state, and begins to consume.
   *
   * @param peers asked for ingest nodes once a second, and for stores with each segment
   * @throws io.cordwood.common.file.FolderInUseException if another process has the folder
   */
  public static StoreNode start(
      StoreOptions options,
      KnownPeers peers,
      Filesystem filesystem,
      MeterRegistry registry,
      InstantSource clock)
      throws IOException {
    return start(options, peers, Optional.empty(), Deletions.none(), filesystem, registry, clock);
  }

  /**
   * The same for a store that may let go of what a bucket has.
   *
   * @param bucket to look at; stays the caller's
   * @param deletions of what is not to be kept
   */
  public static StoreNode start(
      StoreOptions options,
      KnownPeers peers,
      Optional<ColdReader> bucket,
      Deletions deletions,
      Filesystem filesystem,
      MeterRegistry registry,
      InstantSource clock)
      throws IOException {
    var metrics = new StoreMetrics(registry);
    StoreLog log =
        StoreRecovery.open(new StoreFolder(filesystem, options.folder(), clock), metrics);
    try {
      metrics.watchFlushed(() -> log.infos().size(), log::fileBytes);
      metrics.watchDamaged(() -> log.lacks().setAside().size());
      var stop = new StopFlag();
      var partners = new KnownPartners(() -> newest(log));
      KnownPeers noted = peers.telling(partners::seen);
      var maintenance =
          new MaintenanceThreads(
              options,
              log,
              bucket.map(ProvenObjects::new),
              deletions,
              noted,
              partners,
              metrics,
              registry,
              clock,
              stop);
      ColdWork cold = ColdWork.NONE;
      if (options.cold().isPresent()) {
        ColdOptions its = options.cold().get();
        cold =
            ColdWork.of(its, bucket, log, noted, deletions::known, metrics, registry, clock, stop);
      }
      var node = new StoreNode(options, log, maintenance, cold, noted, partners, metrics, stop);
      node.threads.forEach(Thread::start);
      return node;
    } catch (IOException | RuntimeException e) {
      log.close();
      throw e;
    }
  }

  private static Instant newest(StoreLog log) {
    return log.infos().stream()
        .map(info -> info.range().to().time())
        .max(Comparator.naturalOrder())
        .orElse(Instant.MIN);
  }

  /** The segments that queries search, and what should be there and is not. */
  public SegmentSource segments() {
    return range -> {
      SegmentSource.View view = log.view(range);
      // After the view: it is noted what goes before it does.
      return new Lacking(view, log.lacks().in(range), log.lacks().evicted(range));
    };
  }

  private record Lacking(
      SegmentSource.View held,
      Optional<SegmentSource.Lack> lack,
      List<SegmentSource.Evicted> evicted)
      implements SegmentSource.View {
    @Override
    public List<? extends Segment> segments() {
      return held.segments();
    }

    @Override
    public void close() {
      held.close();
    }
  }

  /** The bytes of the segments that it holds, trash not counted. */
  public long storedBytes() {
    return log.fileBytes();
  }

  /**
   * From which time on, in milliseconds since 1970, all that it holds is on as many stores as it
   * should be, as far as it knows; {@link Long#MAX_VALUE} if it knows of nothing.
   */
  public long replicatedFromMillis() {
    return maintenance.replicatedFromMillis();
  }

  /**
   * The other stores that this one may need for what {@link #replicatedFromMillis} says, if that is
   * asked for after this; empty if it may be any.
   */
  public Optional<Set<String>> partners() {
    return maintenance.partners();
  }

  /** Tells which deletions may still be in a file of this store, or an object of its bucket. */
  public void addTo(WaitingDeletions waiting) {
    maintenance.addTo(waiting);
    cold.sweep().ifPresent(it -> it.addTo(waiting));
  }

  /** Why this node has to be restarted to do its work again; empty if that is not so. */
  public Optional<String> death() {
    return stop.isStopping()
        ? Optional.empty()
        : threads.stream()
            .filter(thread -> !thread.isAlive())
            .map(thread -> "the thread " + thread.getName() + " of the store has ended")
            .filter(_ -> !stop.isStopping())
            .findFirst();
  }

  /** Adds what a store answers. */
  public void addRoutes(Routes routes) {
    replicas.addTo(routes);
    maintenance.addRoutes(routes);
    routes.get(ApiPaths.STORE_SEGMENTS, (_, response) -> list(response));
  }

  private void list(Response response) throws IOException {
    var text = new StringBuilder("name\traw bytes\tfile bytes\tblocks\trecords\n");
    for (SegmentInfo info : log.infos()) {
      text.append(info.name()).append('\t').append(info.rawBytes()).append('\t');
      text.append(info.fileBytes()).append('\t').append(info.blocks()).append('\t');
      text.append(info.records()).append('\n');
    }
    response.text(200, text.toString());
  }

  /**
   * Gives back what is being gathered, finishes what is being written, and closes the folder. Views
   * that are open stay usable.
   */
  @Override
  public void close() throws IOException {
    stop.stop();
    claims.close();
    client.stopPulling();
    maintenance.stopCalling();
    cold.stopCalling();
    log.wake();
    join();
    claims.awaitEnd();
    consumers.close();
    replicas.close();
    replicaClient.close();
    client.close();
    log.close();
  }

  private void join() {
    for (Thread thread : threads) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        LOG.warn("interrupted while {} ends; its work is not waited for", thread.getName());
        Thread.currentThread().interrupt();
        return;
      }
    }
  }
}
