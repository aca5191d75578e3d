package io.cordwood.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;

/**
 * A cluster of two ingest and three store nodes to which one thing after another happens, in any
 * order, while senders go on. After each round: acknowledged &sube; found &sube; sent, each once,
 * byte for byte, and what was acknowledged gets to as many stores as it should be on, without a
 * hand.
 *
 * <p>A round that fails leaves nothing to the next one, which gets a new cluster.
 */
@TestInstance(Lifecycle.PER_CLASS)
abstract class ClusterRounds {
  private static final int COPIES = 2;
  private static final Duration POLL = Duration.ofMillis(250);
  private static final String COPIED = "cordwood_store_repair_copied_batches_total";

  /** Nodes notice each other quickly, and what a lost store had claimed is not waited for long. */
  private static final TestCluster.Shape SHAPE =
      new TestCluster.Shape(2, 3, List.of("--lease=3s"), List.of("--repair-after=3s"))
          .with("--gossip-profile=local");

  /** Records that each sender has acknowledged in the midst of what happens. */
  private static final int PROGRESS = 25;

  private Path folder;
  private int clusters;
  private @Nullable Running running;
  private boolean whole;
  private Hosts hosts;
  private TestCluster cluster;
  private ClusterLoad load;
  private int asked;

  private record Running(Hosts hosts, TestCluster cluster, ClusterLoad load) {}

  /** Hosts to be closed by the rounds; skips them where there can be none. */
  abstract Hosts hosts(Path folder) throws IOException;

  @BeforeAll
  void keep(@TempDir Path folder) {
    this.folder = folder;
  }

  @BeforeEach
  void startUnlessWhole() throws IOException {
    Running now = running != null && whole ? running : startAnew();
    hosts = now.hosts;
    cluster = now.cluster;
    load = now.load;
    whole = false;
  }

  private Running startAnew() throws IOException {
    close();
    Hosts made = hosts(Files.createDirectory(folder.resolve("cluster" + clusters++)));
    TestCluster nodes = TestCluster.of(made, "", SHAPE);
    var started = new Running(made, nodes, ClusterLoad.start("load", nodes.ingest()));
    running = started;
    nodes.start();
    started.load.awaitProgress(PROGRESS);
    return started;
  }

  @AfterAll
  void end() throws IOException {
    try {
      if (whole) {
        load.finish();
        assertAllIsThere();
      }
    } finally {
      close();
    }
  }

  private void close() throws IOException {
    Running last = running;
    running = null;
    if (last != null) {
      last.load.close();
      String name = "%s-nodes-%d.txt".formatted(getClass().getSimpleName(), clusters);
      Files.writeString(Path.of("target", name), last.cluster.says());
      last.hosts.close();
    }
  }

  @Test
  void killedStoreIsMissedAndComesBack() throws IOException {
    ClusterNode store = cluster.store(0);
    store.host().kill();
    load.awaitProgress(PROGRESS);
    TestCluster.awaitTogether(cluster.allBut(store));
    store.start();
    assertNothingIsLost();
  }

  @Test
  void killedIngestNodeKeepsWhatItAcknowledged() throws IOException {
    ClusterNode node = cluster.ingest(0);
    node.host().kill();
    load.awaitProgressOfTheOneWithAChoice(PROGRESS);
    node.start();
    assertNothingIsLost();
  }

  @Test
  void pausedStoreIsDroppedAndTakenBack() throws IOException {
    ClusterNode store = cluster.store(1);
    store.host().pause();
    TestCluster.awaitTogether(cluster.allBut(store));
    load.awaitProgress(PROGRESS);
    store.host().resume();
    assertNothingIsLost();
  }

  @Test
  void halvesGoOnAndFindEachOtherAgain() throws IOException {
    assumeThat(hosts.canDrop()).as("packets can be dropped").isTrue();
    List<ClusterNode> few = List.of(cluster.ingest(0), cluster.store(0));
    List<ClusterNode> many = cluster.allBut(cluster.ingest(0), cluster.store(0));
    for (ClusterNode one : few) {
      for (ClusterNode other : many) {
        one.host().dropTo(other.host());
        other.host().dropTo(one.host());
      }
    }
    TestCluster.awaitTogether(few);
    TestCluster.awaitTogether(many);
    load.awaitProgress(PROGRESS);
    for (ClusterNode one : few) {
      for (ClusterNode other : many) {
        one.host().deliverTo(other.host());
        other.host().deliverTo(one.host());
      }
    }
    assertNothingIsLost();
  }

  @Test
  void storeThatIsHeardByNobodyButHearsAllLosesNothing() throws IOException {
    assumeThat(hosts.canDrop()).as("packets can be dropped").isTrue();
    ClusterNode store = cluster.store(2);
    List<ClusterNode> others = cluster.allBut(store);
    for (ClusterNode other : others) {
      store.host().dropTo(other.host());
    }
    TestCluster.awaitTogether(others);
    load.awaitProgress(PROGRESS);
    for (ClusterNode other : others) {
      store.host().deliverTo(other.host());
    }
    assertNothingIsLost();
  }

  @Test
  void storeWhosePathToOneIngestNodeIsBrokenOneWayLosesNothing() throws IOException {
    assumeThat(hosts.canDrop()).as("packets can be dropped").isTrue();
    Host store = cluster.store(0).host();
    Host ingest = cluster.ingest(1).host();
    ingest.dropTo(store);
    load.awaitProgress(5 * PROGRESS);
    ingest.deliverTo(store);
    assertNothingIsLost();
  }

  @Test
  void storeWhoseCableWasPulledComesBack() throws IOException {
    ClusterNode store = cluster.store(1);
    store.host().cutOff();
    TestCluster.awaitTogether(cluster.allBut(store));
    load.awaitProgress(PROGRESS);
    store.host().reconnect();
    assertNothingIsLost();
  }

  @Test
  void storeThatLostItsDiskIsFilledAnew() throws IOException {
    assertAllIsThere();
    ClusterNode store = cluster.store(2);
    double copied = copiedByRepair();
    store.host().kill();
    store.host().wipe();
    store.start();
    assertNothingIsLost();
    assertThat(copiedByRepair()).as("batches copied by repair").isGreaterThan(copied);
  }

  private double copiedByRepair() throws IOException {
    return cluster.store(0).api().metric(COPIED) + cluster.store(1).api().metric(COPIED);
  }

  @Test
  void killOfEverythingLosesNothing() throws IOException {
    for (ClusterNode node : cluster.all()) {
      node.host().kill();
    }
    TestCluster.start(cluster.all());
    assertNothingIsLost();
  }

  private void assertNothingIsLost() throws IOException {
    TestCluster.awaitTogether(cluster.all());
    load.awaitProgress(PROGRESS);
    assertAllIsThere();
    whole = true;
  }

  private void assertAllIsThere() throws IOException {
    long found = load.assertConsistent(() -> TestCluster.findFrom(anyNode()));
    assertThat(found).isPositive();
    awaitCopies();
    System.out.printf("%s: %d records%n", getClass().getSimpleName(), found);
  }

  /** One after the other is asked. */
  private ClusterNode anyNode() {
    List<ClusterNode> nodes = cluster.all();
    return nodes.get(asked++ % nodes.size());
  }

  /** What is acknowledged by now gets to as many stores as it should. */
  private void awaitCopies() {
    List<Long> records = load.acknowledged();
    // A number is asked for more cheaply than all records, which then are on their stores as a
    // rule.
    awaitNoCopyIsMissed();
    await()
        .alias(COPIES + " copies of each record")
        .pollDelay(Duration.ZERO)
        .pollInterval(POLL.multipliedBy(2))
        .until(() -> load.areOnStores(records, COPIES, stored()));
    awaitNoCopyIsMissed();
  }

  private void awaitNoCopyIsMissed() {
    for (ClusterNode store : cluster.stores()) {
      await()
          .alias(store + " misses no copies")
          .pollInterval(POLL)
          .until(() -> store.api().metric("cordwood_store_underreplicated_bytes") == 0);
    }
  }

  private List<FoundRecords> stored() throws IOException {
    List<FoundRecords> stored = new ArrayList<>();
    for (ClusterNode store : cluster.stores()) {
      stored.add(TestCluster.find(List.of(store)));
    }
    return stored;
  }
}
