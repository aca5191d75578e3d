package io.cordwood.it;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Ingest and store nodes, each on a host of its own, that know each other's addresses from the
 * start.
 */
final class TestCluster {
  /** Begins the last line of an answer. */
  private static final String VERDICT = "# cordwood: {\"verdict\":";

  private static final Duration POLL = Duration.ofMillis(500);

  private final List<ClusterNode> ingest = new ArrayList<>();
  private final List<ClusterNode> stores = new ArrayList<>();

  /** So many nodes of each role, and the flags of each role. */
  record Shape(int ingest, int stores, List<String> ingestFlags, List<String> storeFlags) {
    /** The same with more flags for all nodes. */
    Shape with(String... flags) {
      return new Shape(
          ingest, stores, joined(ingestFlags, List.of(flags)), joined(storeFlags, List.of(flags)));
    }

    private static List<String> joined(List<String> some, List<String> more) {
      return Stream.concat(some.stream(), more.stream()).toList();
    }
  }

  /**
   * Nodes that are not started yet.
   *
   * @param name the beginning of the hosts' names
   */
  static TestCluster of(Hosts hosts, String name, Shape shape) throws IOException {
    List<Host> ingestHosts = add(hosts, name + "i", shape.ingest);
    List<Host> storeHosts = add(hosts, name + "s", shape.stores);
    String[] peers =
        Stream.concat(ingestHosts.stream(), storeHosts.stream())
            .flatMap(host -> Stream.of("--peer", host.address()))
            .toArray(String[]::new);
    Shape whole = shape.with(peers);
    var cluster = new TestCluster();
    ingestHosts.forEach(
        host -> cluster.ingest.add(new ClusterNode(host, "ingest", whole.ingestFlags)));
    storeHosts.forEach(
        host -> cluster.stores.add(new ClusterNode(host, "store", whole.storeFlags)));
    return cluster;
  }

  private static List<Host> add(Hosts hosts, String name, int count) throws IOException {
    List<Host> added = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      added.add(hosts.add(name + i));
    }
    return added;
  }

  ClusterNode ingest(int index) {
    return ingest.get(index);
  }

  ClusterNode store(int index) {
    return stores.get(index);
  }

  List<ClusterNode> ingest() {
    return ingest;
  }

  List<ClusterNode> stores() {
    return stores;
  }

  /** The nodes, those that take records first. */
  List<ClusterNode> all() {
    return Stream.of(ingest, stores).flatMap(List::stream).toList();
  }

  List<ClusterNode> allBut(ClusterNode... others) {
    Set<ClusterNode> left = Set.of(others);
    return all().stream().filter(node -> !left.contains(node)).toList();
  }

  /** From their next start on all have certificates and a key, which are made in a folder. */
  void secure(Path folder) throws IOException {
    ClusterTls tls = ClusterTls.of(folder, all().stream().map(ClusterNode::host).toList());
    all().forEach(node -> node.secure(tls));
  }

  /** Starts all nodes at once, and returns when each sees all. */
  void start() throws IOException {
    start(all());
    awaitTogether(all());
  }

  static void start(List<ClusterNode> nodes) throws IOException {
    try (ExecutorService starts = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> started = new ArrayList<>();
      for (ClusterNode node : nodes) {
        started.add(
            starts.submit(() -> {
              node.start();
              return node;
            }));
      }
      for (Future<?> start : started) {
        start.get();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    } catch (ExecutionException e) {
      throw new IOException(e);
    }
  }

  /** Waits until each of these nodes sees just these. */
  static void awaitTogether(List<ClusterNode> nodes) {
    Set<String> expected = nodes.stream().map(ClusterNode::apiAddress).collect(Collectors.toSet());
    for (ClusterNode node : nodes) {
      await()
          .alias(node + " sees " + expected)
          .ignoreExceptionsInstanceOf(IOException.class)
          .until(node::sees, expected::equals);
    }
  }

  /**
   * The union of what each of these nodes has itself. Those that take records come first: a record
   * leaves them only when stores have it, so that none is missed on its way.
   */
  static FoundRecords find(List<ClusterNode> nodes) throws IOException {
    var found = new FoundRecords();
    for (ClusterNode node : nodes) {
      found.add(node.api().query("here=true&format=ulid"));
    }
    return found;
  }

  /** What a node finds in the whole cluster, as soon as it can say that this is all there is. */
  static FoundRecords findFrom(ClusterNode node) throws IOException {
    String answer =
        await()
            .alias(node + " gives a complete answer")
            .pollDelay(Duration.ZERO)
            .pollInterval(POLL)
            .until(
                () -> node.api().query("format=ulid&verdict=true"),
                lines -> lines.contains(VERDICT + "\"complete\""));
    var found = new FoundRecords();
    found.add(answer.substring(0, answer.lastIndexOf(VERDICT)));
    return found;
  }

  /** Everything that the nodes have said, for the message of a test that failed. */
  String says() {
    Map<String, String> said = new TreeMap<>();
    all().forEach(node -> said.put(node.host().name(), node.host().says()));
    return String.join("\n", said.values());
  }
}
