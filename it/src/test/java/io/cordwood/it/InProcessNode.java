package io.cordwood.it;

import io.cordwood.common.file.Filesystem;
import io.cordwood.common.file.PassThroughFilesystem;
import io.cordwood.common.http.client.PeerCredentials;
import io.cordwood.common.http.server.HttpServer;
import io.cordwood.common.http.server.HttpServerOptions;
import io.cordwood.common.http.server.Routes;
import io.cordwood.common.segment.Batch;
import io.cordwood.common.segment.IngestSegmentHeader;
import io.cordwood.common.segment.SegmentFiles;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.ulid.UlidRange;
import io.cordwood.common.wire.BatchScanner;
import io.cordwood.ingest.IngestOptions;
import io.cordwood.ingest.node.IngestNode;
import io.cordwood.store.KnownPeers;
import io.cordwood.store.StoreOptions;
import io.cordwood.store.StoreOptions.Keeping;
import io.cordwood.store.node.StoreNode;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Ingest and store of one node within this process, without gossip, over a disk of the test's
 * choice; {@code ingest} and {@code store} are in the same folder. Flushes when a sender leaves,
 * gathers at once, and compacts from a kilobyte on.
 */
final class InProcessNode implements AutoCloseable {
  private static final long TARGET_BYTES = 1024;

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final IngestNode ingest;
  private final HttpServer http;
  private final StoreNode store;

  /**
   * @param maxStoredBytes beyond which a store purges its oldest segments; 0 for no such bound
   */
  InProcessNode(Path home, Filesystem disk, long maxStoredBytes) throws IOException {
    ingest = startIngest(home, disk, registry);
    Routes routes = new Routes();
    ingest.addRoutes(routes);
    http = HttpServer.start(HttpServerOptions.at("127.0.0.1", 0), routes, registry);
    URI uri = URI.create("http://127.0.0.1:" + http.port());
    store =
        StoreNode.start(
            storeOptions(home, maxStoredBytes),
            new KnownPeers(
                "alone",
                () -> List.of(uri),
                List::of,
                PeerCredentials.NONE,
                (_, id) -> Optional.of(ingest.openClaimed(id))),
            disk,
            registry,
            InstantSource.system());
  }

  static IngestNode startIngest(Path home, Filesystem disk, SimpleMeterRegistry registry)
      throws IOException {
    return startIngest(home, disk, registry, InstantSource.system());
  }

  static IngestNode startIngest(
      Path home, Filesystem disk, SimpleMeterRegistry registry, InstantSource clock)
      throws IOException {
    IngestOptions options =
        IngestOptions.in(home.resolve("ingest"))
            .with(new IngestOptions.Listening("127.0.0.1", 0, 0, 1))
            .with(IngestOptions.Bulk.DEFAULT.withPort(0))
            .with(
                new IngestOptions.Flushing(
                    16 << 20, Duration.ofSeconds(20), Duration.ofMillis(5), 64));
    IngestNode node = IngestNode.start(options, disk, registry, clock);
    node.startTaking();
    return node;
  }

  static StoreOptions storeOptions(Path home, long maxStoredBytes) {
    StoreOptions options =
        StoreOptions.at(home.resolve("store")).withGather(TARGET_BYTES, Duration.ZERO);
    Keeping usual = options.keeping();
    return options.with(new Keeping(usual.retention(), usual.trashGrace(), maxStoredBytes));
  }

  void send(List<String> records) throws IOException {
    send(ingest, records);
  }

  /** Sends lines; the node has written them when this returns. */
  static void send(IngestNode ingest, List<String> records) throws IOException {
    try (Sender sender = new Sender(ingest.fastPort())) {
      sender.send(String.join("\n", records) + "\n").end();
    }
  }

  int fastPort() {
    return ingest.fastPort();
  }

  int bulkPort() {
    return ingest.bulkPort();
  }

  int durablePort() {
    return ingest.durablePort();
  }

  /** What the store shows. */
  Map<Ulid, String> stored() {
    Map<Ulid, String> records = new TreeMap<>();
    addStored(store, records);
    return records;
  }

  long compactions() {
    return registry.get("cordwood.store.compaction").timer().count();
  }

  @Override
  public void close() throws IOException {
    store.close();
    http.close();
    ingest.close();
  }

  /** What a node finds in a folder: each tier is started over it, and asked for all it has. */
  static Map<Ulid, String> recovered(Path home) throws IOException {
    Map<Ulid, String> records = new TreeMap<>();
    var registry = new SimpleMeterRegistry();
    var disk = new PassThroughFilesystem();
    startIngest(home, disk, registry).close();
    for (Path file : Filesystem.real().list(home.resolve("ingest"))) {
      if (file.toString().endsWith(".flushed")) {
        addTaken(file, records);
      }
    }
    try (StoreNode store =
        StoreNode.start(
            storeOptions(home, 0),
            KnownPeers.onlyIngestNodes(List::of),
            disk,
            registry,
            InstantSource.system())) {
      addStored(store, records);
    }
    return records;
  }

  private static void addTaken(Path path, Map<Ulid, String> records) throws IOException {
    try (var file = Filesystem.real().open(path)) {
      BatchScanner scanner = IngestSegmentHeader.scan(file);
      while (scanner.next() instanceof BatchScanner.Intact intact) {
        add(Batch.of(intact), records);
      }
    }
  }

  /** Adds what a store shows. */
  static void addStored(StoreNode store, Map<Ulid, String> records) {
    try (var view = store.segments().view(UlidRange.ALL)) {
      SegmentFiles.merged(view.segments()).forEach(batch -> add(batch, records));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void add(Batch batch, Map<Ulid, String> records) {
    String payload = StandardCharsets.UTF_8.decode(batch.payload().duplicate()).toString();
    Ulid ulid = batch.first();
    for (String record : payload.lines().toList()) {
      @Nullable String other = records.put(ulid, record);
      if (other != null && !other.equals(record)) {
        throw new AssertionError("expected one record under " + ulid + ", found two: " + other);
      }
      ulid = ulid.plus(1);
    }
  }
}
