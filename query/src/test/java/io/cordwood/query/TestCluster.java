package io.cordwood.query;

import io.cordwood.common.access.NodeKeys;
import io.cordwood.common.cluster.Partners;
import io.cordwood.common.deletion.DeletionRoutes;
import io.cordwood.common.deletion.DeletionSpread;
import io.cordwood.common.http.ApiParams;
import io.cordwood.common.http.ApiPaths;
import io.cordwood.common.http.client.PeerCredentials;
import io.cordwood.common.http.server.Guard;
import io.cordwood.common.http.server.HttpError;
import io.cordwood.common.http.server.HttpServer;
import io.cordwood.common.http.server.HttpServerOptions;
import io.cordwood.common.http.server.Params;
import io.cordwood.common.http.server.Routes;
import io.cordwood.common.segment.Batch;
import io.cordwood.common.segment.SegmentSource;
import io.cordwood.common.testing.Patience;
import io.cordwood.query.api.OwnQuestions;
import io.cordwood.query.api.QueryApi;
import io.cordwood.query.gather.ClusterNodes;
import io.cordwood.query.gather.ClusterNodes.Gone;
import io.cordwood.query.gather.ClusterNodes.Peer;
import io.cordwood.query.request.QueryLimits;
import io.cordwood.query.scan.QueryCaches;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.net.URI;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/**
 * Nodes within this process, each with a server of its own, that know each other; a test may let
 * some of them die or be forgotten.
 */
public final class TestCluster implements AutoCloseable {
  /** The usual limits, but for how long other nodes may be silent on a slow machine. */
  public static final QueryLimits PATIENT = QueryLimits.DEFAULT.withSilence(Patience.LONG);

  private static final QueryCaches CACHES = new QueryCaches(4 << 20, 1 << 20);

  public final List<Node> nodes = new CopyOnWriteArrayList<>();

  /** Nodes that are gone, and that all others met. */
  public final List<Gone> gone = new ArrayList<>();

  /** By the id of a node that has never met it, the id of a node that is gone. */
  public final Map<String, String> forgottenBy = new HashMap<>();

  /** Stores that are none of these nodes. */
  public final List<Peer> strangers = new ArrayList<>();

  /** Of nodes that are added from now on. */
  public QueryLimits limits = PATIENT;

  /** What all nodes take for the time of day. */
  public volatile InstantSource clock = InstantSource.system();

  public int replicationFactor;

  /** By which nodes that are added from now on show that they are of the cluster. */
  public NodeKeys keys = NodeKeys.NONE;

  /** What others take a node for, by its id: who was at its address before. */
  public final Map<String, String> takenFor = new ConcurrentHashMap<>();

  /** What all stores say of their records' copies. */
  public long replicatedFromMillis;

  /** Who is gone, to nodes that see that otherwise than the others. */
  public final Map<String, List<Gone>> goneTo = new ConcurrentHashMap<>();

  /** What each store says of whom it may need. */
  public final Map<String, Partners> partners = new ConcurrentHashMap<>();

  public TestCluster(int replicationFactor) {
    this.replicationFactor = replicationFactor;
  }

  /** A node, and what clients get from it. */
  public final class Node implements AutoCloseable {
    public final String id;
    public final LocalRecords records;
    public final SimpleMeterRegistry meters = new SimpleMeterRegistry();

    /** Ranges of which this node was told that too few stores gave them. */
    public final List<String> hints = new CopyOnWriteArrayList<>();

    /** Whether it answers no more, as when it stops. */
    public volatile boolean stops;

    private final QueryApi api;
    private final HttpServer server;
    private final Routes routes = new Routes();

    private Node(String id, LocalRecords records) throws IOException {
      this.id = id;
      this.records = records;
      var setting =
          new QueryApi.Setting(
              id,
              records,
              () -> others(this),
              () -> clock.instant(),
              limits,
              CACHES,
              new PeerCredentials(keys, Optional.empty()));
      this.api = new QueryApi(setting, 2, meters);
      api.addRoutes(routes);
      DeletionRoutes.addTo(routes, records.deletions());
      routes.post(
          ApiPaths.STORE_HINT,
          Params.ANY,
          0,
          (request, response) -> {
            hints.add(
                request.requiredParam(ApiParams.FROM_ULID)
                    + "-"
                    + request.requiredParam(ApiParams.TO_ULID));
            response.text(202, "taken\n");
          });
      this.server = HttpServer.start(HttpServerOptions.at("127.0.0.1", 0), routes, meters);
    }

    /** Questions of the node to itself. */
    public OwnQuestions own() {
      return api.own(meters);
    }

    /** Answers something else, too. */
    public void answer(Consumer<Routes> adding) {
      adding.accept(routes);
    }

    /** From now on it deletes what it is asked to. */
    public void deletes(DeletionSpread spread) {
      api.addDeletion(routes, spread);
    }

    /** From now on it asks for what the guard says. */
    public void guardedBy(Guard guard) {
      routes.guardedBy(guard);
    }

    public int port() {
      return server.port();
    }

    public Answer get(String path) throws IOException {
      return Answer.get(port(), path);
    }

    public Answer ask(String method, String path) throws IOException {
      return Answer.ask(method, port(), path);
    }

    public Answer post(String path, String form) throws IOException {
      return Answer.post(port(), path, form);
    }

    @Override
    public void close() {
      server.close();
      api.close();
    }
  }

  public Node ingest(String id, SegmentSource unconsumed) throws IOException {
    return add(id, new LocalRecords(Optional.of(unconsumed), Optional.empty()));
  }

  public Node store(String id, SegmentSource stored) throws IOException {
    return add(id, new LocalRecords(Optional.empty(), Optional.of(stored)));
  }

  public Node query(String id) throws IOException {
    return add(id, LocalRecords.NONE);
  }

  public Node add(String id, LocalRecords records) throws IOException {
    var node = new Node(id, records);
    nodes.add(node);
    return node;
  }

  /** A store that is no node of this cluster's own. */
  public void addStranger(String id, int port) {
    strangers.add(peer(id, port));
  }

  private Peer peer(String id, int port) {
    return new Peer(id, URI.create("http://127.0.0.1:" + port), replicatedFromMillis, partners(id));
  }

  private ClusterNodes others(Node self) {
    if (self.stops) {
      throw new HttpError(503, "this node stops");
    }
    List<Peer> ingest = new ArrayList<>();
    List<Peer> stores = new ArrayList<>(strangers);
    for (Node node : nodes) {
      var peer = peer(takenFor.getOrDefault(node.id, node.id), node.port());
      if (node != self && node.records.unconsumed().isPresent()) {
        ingest.add(peer);
      }
      if (node != self && node.records.stored().isPresent()) {
        stores.add(peer);
      }
    }
    var own = peer(self.id, self.port());
    List<Gone> met =
        goneTo.getOrDefault(self.id, gone).stream()
            .filter(g -> !g.nodeId().equals(forgottenBy.get(self.id)))
            .toList();
    return new ClusterNodes(
        ingest, stores, met, replicationFactor, Optional.of(own), Optional.empty());
  }

  /** The node is gone for good, and the others have noticed. */
  public void forget(Node node) {
    node.close();
    nodes.remove(node);
    boolean ingests = node.records.unconsumed().isPresent();
    boolean stores = node.records.stored().isPresent();
    gone.add(
        new Gone(node.id, ingests, stores, Instant.EPOCH, replicatedFromMillis, partners(node.id)));
  }

  private Partners partners(String id) {
    return partners.getOrDefault(id, Partners.UNKNOWN);
  }

  /**
   * Two ingest nodes, three stores, one of which receives too, and one that holds nothing; each
   * batch is not consumed yet, or on as many stores as there have to be, or on its way.
   */
  public static TestCluster random(long seed, int replicationFactor, List<Batch> batches)
      throws IOException {
    var random = new SplittableRandom(seed);
    List<List<Batch>> received = lists(3);
    List<List<Batch>> consumed = lists(3);
    for (Batch batch : batches) {
      int state = random.nextInt(4);
      if (state <= 1) {
        received.get(random.nextInt(3)).add(batch);
      }
      if (state >= 1) {
        int first = random.nextInt(3);
        for (int copy = 0; copy < replicationFactor; copy++) {
          consumed.get((first + copy) % 3).add(batch);
        }
      }
    }
    var cluster = new TestCluster(replicationFactor);
    cluster.ingest("ingest-1", new SegmentFixture(seed, 2, received.get(0)));
    cluster.ingest("ingest-2", new SegmentFixture(seed, 3, received.get(1)));
    cluster.store("store-1", new SegmentFixture(seed, 2, consumed.get(0)));
    cluster.store("store-2", new SegmentFixture(seed, 1, consumed.get(1)));
    cluster.add(
        "both",
        new LocalRecords(
            Optional.of(new SegmentFixture(seed, 1, received.get(2))),
            Optional.of(new SegmentFixture(seed, 2, consumed.get(2)))));
    cluster.query("query");
    return cluster;
  }

  private static List<List<Batch>> lists(int count) {
    List<List<Batch>> lists = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      lists.add(new ArrayList<>());
    }
    return lists;
  }

  @Override
  public void close() {
    nodes.forEach(Node::close);
  }
}
