package io.cordwood.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;

/**
 * A cluster that is changed while senders go on, as its operators change it, node by node. After
 * each change: acknowledged &sube; found &sube; sent, each once, byte for byte, and on two stores.
 * Each test begins with a new cluster of an ingest node and two stores.
 */
final class RollingChangesIT {
  private static final int COPIES = 2;
  private static final int PROGRESS = 5;
  private static final int MOST_ENDS = 10;
  private static final String OLD_KEY = "5a".repeat(32);
  private static final String NEW_KEY = "a5".repeat(32);

  @TempDir private Path folder;
  private final List<ClusterNode> nodes = new ArrayList<>();
  private final List<ClusterNode> everStarted = new ArrayList<>();
  private final List<ClusterLoad> loads = new ArrayList<>();
  private final List<ClusterLoad> going = new ArrayList<>();
  private NamespaceHosts hosts;
  private List<NamespaceHost> first;

  @BeforeEach
  void start() throws IOException {
    hosts = NamespaceHosts.orSkip("a cluster that is changed", folder);
    first = List.of(hosts.add("i0"), hosts.add("s0"), hosts.add("s1"));
    for (NamespaceHost host : first) {
      add(host, OLD_KEY);
    }
    TestCluster.start(nodes);
    TestCluster.awaitTogether(nodes);
    load("first", node("i0"));
    awaitProgress();
  }

  @AfterEach
  void end(TestInfo test) throws IOException {
    loads.forEach(ClusterLoad::close);
    if (hosts != null) {
      String name = test.getTestMethod().orElseThrow().getName();
      Files.writeString(
          Path.of("target", "RollingChangesIT-" + name + ".txt"),
          String.join("\n", everStarted.stream().map(node -> node.host().says()).toList()));
      hosts.close();
    }
  }

  /** Adds a node that knows the first ones, and is not started yet. */
  private ClusterNode add(NamespaceHost host, String keys) throws IOException {
    boolean isStore = host.name().startsWith("s");
    Stream<String> flags =
        Stream.concat(
            first.stream().flatMap(peer -> Stream.of("--peer", peer.address())),
            Stream.of("--cluster-key-file", setKeys(host.name(), keys).toString()));
    Stream<String> quick =
        Stream.of("--gossip-profile=local", isStore ? "--repair-after=3s" : "--drain=500ms");
    var node =
        new ClusterNode(host, isStore ? "store" : "ingest", Stream.concat(flags, quick).toList());
    nodes.add(node);
    everStarted.add(node);
    return node;
  }

  private Path setKeys(String host, String keys) throws IOException {
    Path file = Files.writeString(folder.resolve(host + ".key"), keys + "\n");
    return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
  }

  private ClusterNode node(String host) {
    return nodes.stream().filter(n -> n.host().name().equals(host)).findFirst().orElseThrow();
  }

  private ClusterLoad load(String name, ClusterNode... to) {
    ClusterLoad load = ClusterLoad.start(name, List.of(to));
    loads.add(load);
    going.add(load);
    return load;
  }

  private void awaitProgress() {
    going.forEach(load -> load.awaitProgress(PROGRESS));
  }

  /** New ones get the new key only, when the old ones know both, and then the old key goes. */
  @Test
  void keyIsChangedNodeByNodeAndNewNodesTakeTheirShareAtOnce() throws IOException {
    restartEach(nodes.reversed(), NEW_KEY + "\n" + OLD_KEY);
    awaitProgress();
    assertNothingIsLost();
    addStoreAndIngestNode(NEW_KEY);
    restartEach(List.copyOf(nodes.subList(0, first.size())), NEW_KEY);
    awaitProgress();
    assertNothingIsLost();
    for (ClusterNode node : nodes) {
      assertThat(node.api().metric("cordwood_cluster_frames_refused_total"))
          .as("frames that %s refused", node)
          .isZero();
    }
  }

  /** As an upgrade is done: stores first, each back and seen before the next one is stopped. */
  private void restartEach(List<ClusterNode> some, String keys) throws IOException {
    for (ClusterNode node : some) {
      setKeys(node.host().name(), keys);
      node.host().stop();
      node.start();
      TestCluster.awaitTogether(nodes);
    }
  }

  private void addStoreAndIngestNode(String keys) throws IOException {
    ClusterNode store = add(hosts.add("s2"), keys);
    ClusterNode ingest = add(hosts.add("i1"), keys);
    TestCluster.start(List.of(store, ingest));
    TestCluster.awaitTogether(nodes);
    load("added", ingest);
    awaitProgress();
    await().until(() -> store.api().metric("cordwood_store_consumed_bytes_total") > 0);
    assertNothingIsLost();
  }

  @Test
  void storeAndIngestNodeThatAreTakenAwayLeaveNothingBehindAndNothingWithTooFewCopies()
      throws IOException {
    addStoreAndIngestNode(OLD_KEY);
    remove("s0");
    awaitProgress();
    assertNothingIsLost();
    ClusterLoad leaving = loads.getFirst();
    leaving.finish();
    going.remove(leaving);
    removeEmptied("i0");
    awaitProgress();
    assertNothingIsLost();
  }

  private void remove(String host) throws IOException {
    ClusterNode gone = node(host);
    gone.host().stop();
    nodes.remove(gone);
    TestCluster.awaitTogether(nodes);
  }

  /** Ended once more, if stores were too busy to ask within the second that they are waited for. */
  private void removeEmptied(String host) throws IOException {
    ClusterNode gone = node(host);
    remove(host);
    for (int end = 1; end < MOST_ENDS && !isEmptied(gone); end++) {
      gone.start();
      nodes.add(gone);
      TestCluster.awaitTogether(nodes);
      remove(host);
    }
    assertThat(isEmptied(gone)).as(gone.host().says()).isTrue();
  }

  private static boolean isEmptied(ClusterNode ended) {
    return ended.host().says().contains("all segments are handed over");
  }

  private void assertNothingIsLost() throws IOException {
    FoundRecords found = TestCluster.findFrom(nodes.getLast());
    for (ClusterLoad load : loads) {
      long records = load.assertConsistent(() -> TestCluster.findFrom(nodes.getFirst()));
      assertThat(records).isGreaterThanOrEqualTo(found.size());
    }
    List<List<Long>> acknowledged = loads.stream().map(ClusterLoad::acknowledged).toList();
    await()
        .alias(COPIES + " copies of each record")
        .pollInterval(Duration.ofMillis(500))
        .until(() -> areOnStores(acknowledged));
  }

  private boolean areOnStores(List<List<Long>> acknowledged) throws IOException {
    List<FoundRecords> stored = new ArrayList<>();
    for (ClusterNode node : nodes) {
      if (node.isStore()) {
        stored.add(TestCluster.find(List.of(node)));
      }
    }
    for (int i = 0; i < loads.size(); i++) {
      if (!loads.get(i).areOnStores(acknowledged.get(i), COPIES, stored)) {
        return false;
      }
    }
    return true;
  }
}
