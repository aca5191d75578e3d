package io.cordwood.it;

import io.cordwood.common.access.NodeKeys;
import io.cordwood.common.file.Filesystem;
import io.cordwood.common.http.client.PeerCredentials;
import io.cordwood.common.http.server.HttpServer;
import io.cordwood.common.http.server.HttpServerOptions;
import io.cordwood.common.http.server.Routes;
import io.cordwood.common.tls.NodeTls;
import io.cordwood.common.ulid.UlidRange;
import io.cordwood.ingest.node.IngestNode;
import io.cordwood.query.LocalRecords;
import io.cordwood.query.api.QueryApi;
import io.cordwood.query.gather.ClusterNodes;
import io.cordwood.query.gather.ClusterNodes.Peer;
import io.cordwood.query.request.QueryLimits;
import io.cordwood.query.scan.QueryCaches;
import io.cordwood.store.ByTopic;
import io.cordwood.store.KnownPeers;
import io.cordwood.store.OwnSegments;
import io.cordwood.store.RepairOptions;
import io.cordwood.store.StoreOptions;
import io.cordwood.store.StoreOptions.Keeping;
import io.cordwood.store.StorePeer;
import io.cordwood.store.node.StoreNode;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.Closeable;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.IntUnaryOperator;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Ingest nodes and stores within this process, each with all that a node has but gossip: they know
 * each other from the start. Their segments are so small that stores merge again and again, and
 * their retention goes by the test's clock. Stores may be started anew.
 */
final class LivingCluster implements AutoCloseable {
  private static final long TARGET_BYTES = 4 << 10;
  private static final long ROOM_BYTES = 1L << 30;
  private static final Duration BREATH = Duration.ofSeconds(1);

  private final Path folder;
  private final Shape shape;
  private final InstantSource clock;
  private final Wires wires;
  private volatile Disk disk = Disk.REAL;
  private final List<IngestNode> receiving = new ArrayList<>();
  private final List<Member> ingest = new CopyOnWriteArrayList<>();
  private final List<Member> stores = new CopyOnWriteArrayList<>();

  /** Of all stores, also from before they were started anew. */
  private final List<SimpleMeterRegistry> storeMeters = new CopyOnWriteArrayList<>();

  /** So many of each; each record on so many stores, and for so long. */
  record Shape(int ingest, int stores, int copies, ByTopic<Duration> retention) {
    Shape(int ingest, int stores, int copies, Duration retention) {
      this(ingest, stores, copies, ByTopic.all(retention));
    }
  }

  /**
   * What stores that are started from now on keep their segments on.
   *
   * @param mostBytes beyond which the oldest are purged; 0 for no such bound
   */
  record Disk(Filesystem files, long mostBytes) {
    static final Disk REAL = new Disk(Filesystem.real(), 0);
  }

  /**
   * How nodes reach each other.
   *
   * @param tls of all nodes
   * @param repair of all stores
   */
  record Wires(Optional<NodeTls> tls, IntUnaryOperator portAsOthersKnowIt, RepairOptions repair) {
    static final Wires USUAL =
        new Wires(Optional.empty(), IntUnaryOperator.identity(), RepairOptions.DEFAULT);

    private HttpServerOptions secured(HttpServerOptions options) {
      return options.withTls(tls.map(own -> own.httpPort("api", "this port speaks TLS\n")));
    }

    private PeerCredentials credentials() {
      return tls.isEmpty()
          ? PeerCredentials.NONE
          : new PeerCredentials(NodeKeys.NONE, tls.map(NodeTls::client));
    }

    private URI uri(int port) {
      String scheme = tls.isPresent() ? "https" : "http";
      return URI.create(scheme + "://127.0.0.1:" + portAsOthersKnowIt.applyAsInt(port));
    }
  }

  /** A node; one that was closed is still in the list until it is started anew. */
  private static final class Member implements AutoCloseable {
    private final String id;
    private final Closeable tier;
    private final QueryApi queries;
    private final HttpServer http;
    private final URI uri;
    private final SimpleMeterRegistry meters;

    Member(
        String id,
        Closeable tier,
        QueryApi queries,
        Routes routes,
        SimpleMeterRegistry meters,
        Wires wires)
        throws IOException {
      this.id = id;
      this.tier = tier;
      this.meters = meters;
      this.queries = queries;
      queries.addRoutes(routes);
      var options =
          HttpServerOptions.at("127.0.0.1", 0)
              .withTimeouts(Duration.ofSeconds(60), Duration.ofSeconds(10), Program.LONG, BREATH);
      this.http = HttpServer.start(wires.secured(options), routes, meters);
      this.uri = wires.uri(http.port());
    }

    URI uri() {
      return uri;
    }

    Peer peer() {
      return new Peer(id, uri());
    }

    @Override
    public void close() throws IOException {
      http.close();
      queries.close();
      tier.close();
    }
  }

  LivingCluster(Path folder, Shape shape, InstantSource clock) throws IOException {
    this(folder, shape, clock, Wires.USUAL);
  }

  LivingCluster(Path folder, Shape shape, InstantSource clock, Wires wires) throws IOException {
    this.wires = wires;
    this.folder = folder;
    this.shape = shape;
    this.clock = clock;
    for (int i = 0; i < shape.ingest; i++) {
      ingest.add(startIngest("ingest-" + i));
    }
    for (int i = 0; i < shape.stores; i++) {
      stores.add(startStore("store-" + i));
    }
  }

  private Path home(String id) throws IOException {
    return Files.createDirectories(folder.resolve(id));
  }

  private Member startIngest(String id) throws IOException {
    var meters = new SimpleMeterRegistry();
    IngestNode node = InProcessNode.startIngest(home(id), Filesystem.real(), meters, clock);
    var routes = new Routes();
    node.addRoutes(routes);
    var records = new LocalRecords(Optional.of(node.unconsumed()), Optional.empty());
    receiving.add(node);
    return new Member(id, node::close, queries(id, records, meters), routes, meters, wires);
  }

  private Member startStore(String id) throws IOException {
    var meters = new SimpleMeterRegistry();
    storeMeters.add(meters);
    StoreOptions options =
        StoreOptions.at(home(id))
            .withReplicationFactor(shape.copies)
            .withGather(TARGET_BYTES, Duration.ZERO)
            .with(wires.repair)
            .with(new Keeping(shape.retention, Duration.ZERO, disk.mostBytes));
    var peers =
        new KnownPeers(
            id, this::ingestNodes, this::storePeers, wires.credentials(), OwnSegments.NONE);
    StoreNode node = StoreNode.start(options, peers, disk.files, meters, clock);
    var routes = new Routes();
    node.addRoutes(routes);
    var records = new LocalRecords(Optional.empty(), Optional.of(node.segments()));
    return new Member(id, node::close, queries(id, records, meters), routes, meters, wires);
  }

  private QueryApi queries(String id, LocalRecords records, SimpleMeterRegistry meters) {
    return new QueryApi(
        new QueryApi.Setting(
            id,
            records,
            () -> others(id),
            clock,
            QueryLimits.DEFAULT,
            new QueryCaches(0, 1 << 20),
            wires.credentials()),
        2,
        meters);
  }

  private List<URI> ingestNodes() {
    return ingest.stream().map(Member::uri).toList();
  }

  private List<StorePeer> storePeers() {
    return stores.stream()
        .map(store -> new StorePeer(store.id, store.uri(), 0, ROOM_BYTES))
        .toList();
  }

  private ClusterNodes others(String self) {
    return new ClusterNodes(
        peersBut(self, ingest),
        peersBut(self, stores),
        List.of(),
        shape.copies,
        nodes().filter(node -> node.id.equals(self)).map(Member::peer).findFirst(),
        Optional.empty());
  }

  private static List<Peer> peersBut(String self, List<Member> nodes) {
    return nodes.stream().filter(node -> !node.id.equals(self)).map(Member::peer).toList();
  }

  private Stream<Member> nodes() {
    return Stream.of(ingest, stores).flatMap(List::stream);
  }

  int size() {
    return shape.ingest + shape.stores;
  }

  /** Of a node, those of the ingest nodes first; another one once a store was started anew. */
  int apiPort(int node) {
    return nodes().skip(node).findFirst().orElseThrow().http.port();
  }

  /** The versions of HTTP in which nodes were asked for a path, and have answered. */
  Set<String> versionsOf(String path) {
    return nodes()
        .flatMap(
            node -> node.meters.find("cordwood.http.requests").tag("route", path).meters().stream())
        .map(meter -> meter.getId().getTag("version"))
        .collect(Collectors.toSet());
  }

  /** Of fast and of durable mode. */
  List<Integer> senderPorts(int node) {
    return List.of(receiving.get(node).fastPort(), receiving.get(node).durablePort());
  }

  /** Whether stores have all that a node has received. */
  boolean isConsumed(int node) {
    return receiving.get(node).isEmpty();
  }

  /** Ends a store in order and starts it again on another disk, with what is there. */
  void restartStore(int index, Disk on) throws IOException {
    disk = on;
    Member store = stores.get(index);
    store.close();
    stores.set(index, startStore(store.id));
  }

  /** Ends a store in order and starts it again, as if each segment were as old as its records. */
  void restartStore(int index) throws IOException {
    Member store = stores.get(index);
    store.close();
    for (Path file : segments(store.id)) {
      String range = file.getFileName().toString().substring(0, UlidRange.ALL.toString().length());
      FileTime time = FileTime.from(UlidRange.parse(range).orElseThrow().to().time());
      Files.setLastModifiedTime(file, time);
    }
    stores.set(index, startStore(store.id));
  }

  /** The segments of a store. */
  List<Path> segments(int index) throws IOException {
    return segments(stores.get(index).id);
  }

  private List<Path> segments(String store) throws IOException {
    List<Path> found = new ArrayList<>();
    for (Path file : Filesystem.real().list(home(store))) {
      if (file.toString().endsWith(".flushed")) {
        found.add(file);
      }
    }
    return found;
  }

  /** Of how many segments, or more, others were made. */
  long merges() {
    return (long) sum(meters -> meters.get("cordwood.store.compaction").timer().count());
  }

  /** How many segments retention has trashed or purged. */
  long retired() {
    return (long)
        sum(meters ->
            meters.find("cordwood.store.retention.segments").counters().stream()
                .mapToDouble(Counter::count)
                .sum());
  }

  /** Of how many segments it has taken some topics only. */
  long rewritten() {
    return (long)
        sum(meters ->
            meters
                .find("cordwood.store.retention.segments")
                .tag("to", "rewritten")
                .counters()
                .stream()
                .mapToDouble(Counter::count)
                .sum());
  }

  private double sum(ToDoubleFunction<SimpleMeterRegistry> value) {
    return storeMeters.stream().mapToDouble(value).sum();
  }

  @Override
  public void close() throws IOException {
    for (Member node : nodes().toList().reversed()) {
      node.close();
    }
  }
}
