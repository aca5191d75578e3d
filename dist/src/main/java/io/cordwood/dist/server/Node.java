package io.cordwood.dist.server;

import com.github.luben.zstd.util.Native;
import io.cordwood.cli.program.Programs;
import io.cordwood.common.access.Tokens;
import io.cordwood.common.cluster.Cluster;
import io.cordwood.common.cluster.NodeInfo;
import io.cordwood.common.cluster.NodeLoad;
import io.cordwood.common.cluster.Role;
import io.cordwood.common.cluster.SenderPorts;
import io.cordwood.common.cold.ColdReader;
import io.cordwood.common.deletion.DeletionWatch;
import io.cordwood.common.deletion.Deletions;
import io.cordwood.common.file.Filesystem;
import io.cordwood.common.http.client.PeerConnections;
import io.cordwood.common.http.client.PeerCredentials;
import io.cordwood.common.http.server.HttpServer;
import io.cordwood.common.http.server.HttpServerOptions;
import io.cordwood.common.http.server.Metrics;
import io.cordwood.common.http.server.Routes;
import io.cordwood.common.http.server.SignInRoutes;
import io.cordwood.common.http.server.StandardRoutes;
import io.cordwood.common.run.PeriodicTask;
import io.cordwood.common.tls.NodeTls;
import io.cordwood.dist.page.PageRoutes;
import io.cordwood.ingest.Admission;
import io.cordwood.ingest.elastic.ElasticHandshake;
import io.cordwood.ingest.node.IngestNode;
import io.cordwood.query.LocalRecords;
import io.cordwood.query.api.QueryApi;
import io.cordwood.query.scan.QueryCaches;
import io.cordwood.store.KnownPeers;
import io.cordwood.store.StoreOptions;
import io.cordwood.store.node.StoreNode;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A node of one role or of several, all of it in one process.
 *
 * <pre>
 *            fast, durable port        API port                    gossip port
 *                     |                    |                            |
 *                     v                    v                            v
 *            1 [ IngestNode ]<--routes--3 [ HttpServer ]         4 [ Cluster ]
 *                  ^     |                 |      ^                     |
 *                  |     |              queries   +--- claim, read,     | who takes records?
 *                  |     |                 v           commit           v
 *          data/ingest   +--segments-->2 [ QueryApi ]<--segments--5 [ StoreNode ]
 *                                                                       |
 *                                                                   data/store
 * </pre>
 *
 * Built in the order of the numbers. Senders are served when that is done and the others have been
 * called, so that nodes that are asked know of this one before it acknowledges anything; while none
 * does, senders are refused. When it ends, senders come first: no more are accepted, what they have
 * sent is written and forced, and stores get a moment to consume it. Then all ends in the reverse
 * order: the store gives back what it has not stored, the others learn that this node goes, running
 * answers end.
 *
 * <p>The jar of a role lacks the modules of the others: what runs for all roles must not need their
 * classes, not even as the parameter of a lambda.
 */
final class Node {
  private static final Duration STOP_GRACE = Duration.ofSeconds(30);
  private static final Duration FIRST_LOOK = Duration.ofSeconds(3);
  private static final Duration LOAD_REPORTED_EVERY = Duration.ofSeconds(1);
  private static final int SCAN_THREADS = Math.max(2, Runtime.getRuntime().availableProcessors());

  private static final String PLAIN_TEXT =
      """
      HTTP/1.1 400 Bad Request\r
      content-type: text/plain; charset=utf-8\r
      connection: close\r
      \r
      error: this port speaks TLS: use https://
      """;

  private final ServerFlags flags;
  private final RunGroup group;
  private final InstantSource clock = InstantSource.system();
  private final Routes routes = new Routes();
  private final PrometheusMeterRegistry registry = MetricHelp.addTo(Metrics.registry());
  private final Optional<NodeTls> tls;
  private final Optional<Tokens> tokens;

  Node(ServerFlags flags, RunGroup group) {
    this.flags = flags;
    this.group = group;
    this.tls = flags.tls(registry);
    tls.ifPresent(node -> group.hold("tls", node));
    this.tokens = flags.access.tokens(clock, registry);
    tokens.ifPresent(all -> group.hold("tokens", all));
  }

  /**
   * Runs a node until a signal, or the failure of a part, ends it.
   *
   * @param name of the command, for what is printed
   * @param flags all flags are checked
   * @param ingest null for a node that takes no records
   * @param store null for a node that keeps none
   * @param whenStarted run once the node is up
   */
  static int run(
      String name,
      ServerFlags flags,
      @Nullable IngestFlags ingest,
      @Nullable StoreFlags store,
      Runnable whenStarted)
      throws Exception {
    long start = System.nanoTime();
    Duration grace = ingest == null ? STOP_GRACE : STOP_GRACE.plus(ingest.limits.longestStop());
    try (StopSignal signal = StopSignal.install(grace);
        RunGroup group = new RunGroup()) {
      StartupBanner startupBanner = new Node(flags, group).start(ingest, store);
      whenStarted.run();
      startupBanner.print(name, Duration.ofNanos(System.nanoTime() - start));
      group.add("signal", signal::await, signal::release);
      group.run();
    }
    return Programs.SUCCESS;
  }

  /** Starts all of it; when this returns, the node is ready. The group ends it. */
  StartupBanner start(@Nullable IngestFlags ingest, @Nullable StoreFlags store) throws IOException {
    StoreOptions storing =
        store == null ? null : store.options(flags.data.resolve("store"), flags.cold);
    Filesystem.real().createFolders(flags.data);
    String nodeId = NodeId.in(flags.data, Filesystem.real());
    Deletions deletions = DeletionStatus.open(flags.data, routes, registry);
    VisibleSegments unconsumed = new VisibleSegments();
    VisibleSegments stored = new VisibleSegments();
    KnownNodes known = new KnownNodes(tls.isPresent());
    NodeAccess access = guardRoutes();
    PeerCredentials credentials = credentials(access);
    DeletionStatus deleting = DeletionStatus.of(deletions, access.audit());
    NodeStatus status = newStatus(deleting);
    Optional<ColdReader> bucket = flags.cold.start(flags.data, group, clock, registry);
    IngestNode ingestNode = ingest == null ? null : startIngest(ingest, access, deletions);
    if (ingestNode != null) {
      unconsumed.show(ingestNode.unconsumed());
    }
    status.add(ingestNode == null ? known : new IngestStatus(ingestNode));
    bucket.map(BucketStatus::new).ifPresent(status::add);
    QueryApi query =
        startQuery(
            nodeId,
            LocalRecords.without(
                deletions,
                ingest == null ? Optional.empty() : Optional.of(unconsumed),
                store == null ? Optional.empty() : Optional.of(stored),
                bucket),
            known,
            store == null ? QueryCaches.NONE : store.queryCaches(),
            credentials);
    HttpServer http = startHttp(status, ingestNode != null);
    OtlpPorts.listen(ingest, ingestNode, http, access);
    Cluster cluster =
        startCluster(info(nodeId, http.port(), storing, senderPorts(ingest, ingestNode)), status);
    if (ingestNode != null) {
      ingestNode.tellSendersOf(nodeId, () -> cluster.members(Role.INGEST));
    }
    if (storing != null) {
      KnownPeers peers = StorePeers.of(cluster, ingestNode, credentials, tls.isPresent());
      stored.show(startStore(storing, peers, bucket, deletions, status).segments());
    }
    awaitFirstLook(cluster);
    var others = new DeletionStatus.Others(cluster, tls.isPresent());
    DeletionWatch watch =
        deleting.start(others, status, query, credentials, routes, group, registry);
    known.show(cluster, ingest == null && store == null, bucket.isPresent(), watch);
    hold(stored, unconsumed, known);
    becomeReady(status, ingestNode, cluster, query, access);
    return new StartupBanner(
        flags.data,
        flags.bind,
        http.port(),
        ingestNode,
        cluster.port(),
        ingest == null || store != null,
        tls.isPresent());
  }

  private NodeStatus newStatus(DeletionStatus deleting) throws IOException {
    NodeStatus status = new NodeStatus();
    status.add(deleting);
    var probe = new DiskProbe(flags.data, Filesystem.real()).start(registry);
    status.add(group.hold("disk probe", probe));
    return status;
  }

  /** They are shut in the other order. */
  private void hold(VisibleSegments stored, VisibleSegments unconsumed, KnownNodes queries) {
    group.hold("stored", stored);
    group.hold("unconsumed", unconsumed);
    group.hold("queries", queries);
  }

  private void becomeReady(
      NodeStatus status,
      @Nullable IngestNode ingest,
      Cluster cluster,
      QueryApi query,
      NodeAccess access)
      throws IOException {
    if (ingest != null) {
      IngestGate.open(ingest, cluster);
    }
    Native.load(); // Tried once a process: at first use, there may be no file descriptor for it.
    new SendersRoute(cluster, tls.isPresent(), access.tokens().isPresent()).addTo(routes);
    URI page = cluster.self().apiUri(tls.isPresent());
    flags.rules.start(flags.data, query, page, access.audit(), clock, group, routes, registry);
    status.ready();
    group.hold("senders", new IngestGate.Closing(status, ingest, cluster));
  }

  private NodeAccess guardRoutes() throws IOException {
    NodeAccess access = NodeAccess.of(flags, tokens, group, clock, registry);
    routes.guardedBy(access.guard());
    if (access.tokens().isPresent()) {
      SignInRoutes.addTo(routes, access.guard());
    }
    return access;
  }

  private static SenderPorts senderPorts(@Nullable IngestFlags ingest, @Nullable IngestNode node) {
    return ingest == null || node == null
        ? SenderPorts.NONE
        : ingest.advertised(new SenderPorts(node.fastPort(), node.durablePort()));
  }

  /**
   * Waits for the first look: a node that is ready must know what all hold, or know that it cannot
   * tell.
   */
  private static void awaitFirstLook(Cluster cluster) throws IOException {
    try {
      cluster.awaitFirstLook(FIRST_LOOK);
    } catch (InterruptedException e) {
      throw new InterruptedIOException("interrupted while it looks for its peers");
    }
  }

  private IngestNode startIngest(IngestFlags ingest, NodeAccess access, Deletions deletions)
      throws IOException {
    IngestNode node =
        group.hold(
            "ingest",
            IngestNode.start(
                ingest.options(flags.data.resolve("ingest"), flags.bind, tls),
                access
                    .tokens()
                    .map(tokens -> new Admission(tokens, access.refusals(), ingest.openIngest))
                    .orElse(Admission.OPEN),
                Filesystem.real(),
                registry,
                clock));
    node.leaveOut(deletions);
    node.addRoutes(routes);
    return node;
  }

  private PeerCredentials credentials(NodeAccess access) {
    var connections = new PeerConnections(tls.map(NodeTls::client), registry);
    group.hold("peer connections", connections);
    return new PeerCredentials(access.keys(), connections);
  }

  private QueryApi startQuery(
      String nodeId,
      LocalRecords records,
      KnownNodes nodes,
      QueryCaches caches,
      PeerCredentials credentials)
      throws IOException {
    var setting =
        new QueryApi.Setting(
            nodeId, records, nodes, clock, flags.queries.limits(), caches, credentials);
    QueryApi query = group.hold("query", new QueryApi(setting, SCAN_THREADS, registry));
    query.addRoutes(routes);
    return query;
  }

  private HttpServer startHttp(NodeStatus status, boolean takesRecords) throws IOException {
    group.hold("jvm metrics", ProcessMetrics.bindTo(registry));
    StandardRoutes.addTo(routes, registry, status::health, status::death);
    VersionRoute.addTo(routes, registry);
    if (takesRecords) {
      PageRoutes.addTo(routes, ElasticHandshake::info);
    } else {
      PageRoutes.addTo(routes);
    }
    flags.page.links().addTo(routes);
    return group.hold(
        "http",
        HttpServer.start(
            HttpServerOptions.at(flags.bind, flags.apiPort)
                .withHosts(flags.hosts())
                .withTls(tls.map(node -> node.httpPort("api", PLAIN_TEXT))),
            routes,
            registry));
  }

  private NodeInfo info(
      String nodeId, int apiPort, @Nullable StoreOptions store, SenderPorts senders) {
    boolean ingests = !senders.areNone();
    Set<Role> roles = EnumSet.noneOf(Role.class);
    if (ingests) {
      roles.add(Role.INGEST);
    }
    if (store != null) {
      roles.add(Role.STORE);
    }
    if (store != null || !ingests) {
      roles.add(Role.QUERY);
    }
    return new NodeInfo(
        nodeId,
        roles,
        flags.advertisedHost(),
        apiPort,
        store == null ? 0 : store.replicationFactor(),
        NodeLoad.NONE,
        senders);
  }

  private Cluster startCluster(NodeInfo self, NodeStatus status) throws IOException {
    Cluster cluster =
        group.hold("gossip", Cluster.start(self, flags.cluster().withTls(tls), registry));
    ClusterRoute.addTo(routes, cluster);
    group.hold(
        "load",
        PeriodicTask.start(
            "load-report",
            LOAD_REPORTED_EVERY,
            registry,
            () -> cluster.load(status.load(freeDiskBytes()))));
    return cluster;
  }

  private long freeDiskBytes() {
    return flags.data.toFile().getUsableSpace();
  }

  private StoreNode startStore(
      StoreOptions options,
      KnownPeers peers,
      Optional<ColdReader> bucket,
      Deletions deletions,
      NodeStatus status)
      throws IOException {
    StoreNode node =
        StoreNode.start(options, peers, bucket, deletions, Filesystem.real(), registry, clock);
    group.hold("store", node);
    node.addRoutes(routes);
    status.add(new StoreStatus(node));
    return node;
  }
}
