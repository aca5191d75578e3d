package io.cordwood.store.repair;

import io.cordwood.common.file.Filesystem;
import io.cordwood.common.file.PassThroughFilesystem;
import io.cordwood.common.http.client.PeerClient;
import io.cordwood.common.http.client.PeerResponse;
import io.cordwood.common.http.server.HttpServer;
import io.cordwood.common.http.server.HttpServerOptions;
import io.cordwood.common.http.server.Routes;
import io.cordwood.common.segment.Batch;
import io.cordwood.common.segment.BatchInfo;
import io.cordwood.common.segment.SegmentSource;
import io.cordwood.common.segment.StoreSegment;
import io.cordwood.common.testing.Patience;
import io.cordwood.common.ulid.UlidRange;
import io.cordwood.store.ByTopic;
import io.cordwood.store.KnownPeers;
import io.cordwood.store.RepairOptions;
import io.cordwood.store.StoreOptions;
import io.cordwood.store.StorePeer;
import io.cordwood.store.node.StoreNode;
import io.cordwood.store.segment.Stored;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** A store node with its API, among others of its kind. */
final class TestStore implements AutoCloseable {
  /** Long enough for the made-up times of test records. */
  static final Duration FOREVER = Duration.ofDays(36_500);

  /** Horizons of a store that keeps everything. */
  static final Supplier<ByTopic<Instant>> ALL_KEPT = () -> ByTopic.all(Instant.MIN);

  private static final Duration LONG = Patience.LONG;

  static final Duration REPAIR_AFTER = Duration.ofMillis(400);

  static final Duration SLICE = Duration.ofMillis(50);

  final String id;
  final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final StoreNode node;
  private final HttpServer server;

  TestStore(String id, StoreOptions options, Supplier<List<StorePeer>> all) throws IOException {
    this(id, options, all, new PassThroughFilesystem(), InstantSource.system());
  }

  TestStore(
      String id,
      StoreOptions options,
      Supplier<List<StorePeer>> all,
      Filesystem disk,
      InstantSource clock)
      throws IOException {
    this(options, new KnownPeers(id, List::of, all), disk, clock);
  }

  TestStore(StoreOptions options, KnownPeers peers, Filesystem disk, InstantSource clock)
      throws IOException {
    this.id = peers.nodeId();
    var routes = new Routes();
    node = StoreNode.start(options, peers, disk, registry, clock);
    node.addRoutes(routes);
    server = HttpServer.start(HttpServerOptions.at("127.0.0.1", 0), routes, registry);
  }

  static StoreOptions options(Path folder, int copies) {
    return StoreOptions.at(folder)
        .withGather(1 << 20, Duration.ZERO)
        .with(new StoreOptions.Keeping(FOREVER, Duration.ZERO, 0))
        .withReplicationFactor(copies)
        .with(RepairOptions.DEFAULT.withRepair(REPAIR_AFTER, 1L << 30).withSlice(SLICE));
  }

  StorePeer asPeer() {
    var uri = URI.create("http://127.0.0.1:" + server.port());
    return new StorePeer(id, uri, node.storedBytes(), 1L << 30);
  }

  long replicatedFromMillis() {
    return node.replicatedFromMillis();
  }

  /** Empty if it may need any store. */
  Optional<Set<String>> partners() {
    return node.partners();
  }

  Set<BatchInfo> batches() {
    return Stored.batches(node.segments()).stream().map(BatchInfo::of).collect(Collectors.toSet());
  }

  List<Batch> stored() {
    return Stored.batches(node.segments());
  }

  /** What it says that it lacks. */
  Optional<SegmentSource.Lack> lack() throws IOException {
    try (var view = node.segments().view(UlidRange.ALL)) {
      return view.lack();
    }
  }

  boolean hasSettledSegments() throws IOException {
    try (var view = node.segments().view(UlidRange.ALL)) {
      return view.segments().stream().anyMatch(s -> s instanceof StoreSegment it && it.isSettled());
    }
  }

  /** Tells it that a query missed copies of a range; the status of its answer. */
  int hint(UlidRange range) throws IOException {
    String path = "/store/hint?from_ulid=" + range.from() + "&to_ulid=" + range.to();
    try (var client = new PeerClient(LONG, LONG);
        PeerResponse response = client.post(asPeer().uri().resolve(path), LONG)) {
      return response.status();
    }
  }

  double count(String name) {
    return registry.get("cordwood.store." + name).counter().count();
  }

  double missingBytes() {
    return registry.get("cordwood.store.underreplicated.bytes").gauge().value();
  }

  @Override
  public void close() throws IOException {
    server.close();
    node.close();
  }
}
