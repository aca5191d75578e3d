package io.cordwood.store.node;

import io.cordwood.common.file.Filesystem;
import io.cordwood.common.http.ApiPaths;
import io.cordwood.common.http.Response;
import io.cordwood.common.http.Routes;
import io.cordwood.common.segment.Segment;
import io.cordwood.common.segment.SegmentSource;
import io.cordwood.store.Neighbours;
import io.cordwood.store.Stopping;
import io.cordwood.store.StoreMetrics;
import io.cordwood.store.StoreOptions;
import io.cordwood.store.consume.Claims;
import io.cordwood.store.consume.Consumer;
import io.cordwood.store.consume.Consuming;
import io.cordwood.store.consume.IngestClient;
import io.cordwood.store.consume.Settlement;
import io.cordwood.store.repair.Upkeep;
import io.cordwood.store.replicate.ReplicaClient;
import io.cordwood.store.replicate.ReplicaRoutes;
import io.cordwood.store.segment.SegmentInfo;
import io.cordwood.store.segment.StoreFolder;
import io.cordwood.store.segment.StoreLog;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The store tier of a node: consumes from ingest nodes, keeps segments, shows them to queries.
 *
 * <pre>
 *   ingest nodes <-- Claims <-- Consumers --> StoreLog --> segments()
 *                                               ^
 *                     Compactor, Retention, Scrub, Repair (Upkeep) <--> other stores
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
  private final Claims claims;
  private final Consuming consuming;
  private final ReplicaClient replicaClient;
  private final ReplicaRoutes replicas;
  private final Stopping stopping;
  private final Upkeep upkeep;
  private final boolean onlyCopies;
  private final List<Thread> threads = new ArrayList<>();

  private StoreNode(
      StoreOptions options,
      StoreLog log,
      Upkeep upkeep,
      Neighbours neighbours,
      StoreMetrics metrics,
      Stopping stopping) {
    this.log = log;
    this.onlyCopies = options.replicationFactor() == 1;
    this.stopping = stopping;
    this.client = new IngestClient(neighbours.credentials());
    this.replicaClient =
        new ReplicaClient(
            neighbours.nodeId(),
            log.folder().filesystem(),
            ReplicaClient.STALL,
            stopping,
            neighbours.credentials());
    this.replicas = new ReplicaRoutes(neighbours.nodeId(), log, metrics, stopping);
    var settlement = new Settlement(client, metrics);
    this.claims =
        new Claims(
            client,
            neighbours.ingestNodes(),
            settlement,
            options.gathering().targetBytes() / CLAIMS_A_SEGMENT,
            metrics);
    this.consuming =
        Consuming.of(
            options, log, claims, client, settlement, neighbours, replicaClient, metrics, stopping);
    for (int i = 0; i < options.gathering().consumers(); i++) {
      start("consume-" + i, new Consumer(consuming, "consume-" + i));
    }
    this.upkeep = upkeep;
    upkeep.workers().forEach(this::start);
  }

  /**
   * Opens the folder, whatever its state, and begins to consume.
   *
   * @param neighbours asked for ingest nodes once a second, and for stores with each segment
   * @throws io.cordwood.common.file.FolderInUseException if another process has the folder
   */
  public static StoreNode start(
      StoreOptions options,
      Neighbours neighbours,
      Filesystem filesystem,
      MeterRegistry registry,
      InstantSource clock)
      throws IOException {
    var metrics = new StoreMetrics(registry);
    StoreLog log = StoreLog.open(new StoreFolder(filesystem, options.folder(), clock), metrics);
    try {
      metrics.watchFlushed(() -> log.infos().size(), log::fileBytes);
      var stopping = new Stopping();
      var upkeep = new Upkeep(options, log, neighbours, metrics, registry, clock, stopping);
      return new StoreNode(options, log, upkeep, neighbours, metrics, stopping);
    } catch (IOException | RuntimeException e) {
      log.close();
      throw e;
    }
  }

  private void start(String name, Runnable work) {
    threads.add(Thread.ofPlatform().name(name).start(work));
  }

  /** The segments that queries search, and what should be there and is not. */
  public SegmentSource segments() {
    return range -> new Lacking(log.view(range), log.lacks().in(range, onlyCopies));
  }

  private record Lacking(SegmentSource.View held, Optional<SegmentSource.Lack> lack)
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
    return upkeep.replicatedFrom().millis();
  }

  /** Adds what a store answers. */
  public void addRoutes(Routes routes) {
    replicas.addTo(routes);
    upkeep.addRoutes(routes);
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
    stopping.stop();
    claims.close();
    client.stopPulling();
    upkeep.stopCalling();
    log.wake();
    join();
    claims.awaitEnd();
    consuming.close();
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
