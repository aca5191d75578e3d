package io.cordwood.it;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.MethodOrderer.OrderAnnotation;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/**
 * A cluster of two ingest and three store nodes to which one thing after another happens, while
 * senders go on. After each round: acknowledged &sube; found &sube; sent, each once, byte for byte,
 * and once the senders rest, what was acknowledged gets to as many stores as it should be on,
 * without a hand.
 *
 * <p>The first rounds are in clear text. In the midst all nodes are killed, and come back with TLS
 * and a cluster key. {@code -Dcordwood.it.tls=true} has all rounds with both, {@code false} none.
 *
 * <p>A round that fails leaves nothing to the next one, which gets a new cluster.
 */
@TestInstance(Lifecycle.PER_CLASS)
@TestMethodOrder(OrderAnnotation.class)
abstract class ClusterRounds {
  private static final int IN_CLEAR_TEXT = 1;
  private static final int CHANGE = 2;
  private static final int WITH_TLS = 3;
  private static final @Nullable String TLS = System.getProperty("cordwood.it.tls");

  private static final int COPIES = 2;
  private static final Duration POLL = Duration.ofMillis(250);
  private static final String COPIED = "cordwood_store_repair_copied_batches_total";

  /**
   * Not so hasty that five nodes on a busy machine lose each other, and all they do is done twice.
   */
  private static final TestCluster.Shape SHAPE =
      new TestCluster.Shape(2, 3, List.of("--lease=10s"), List.of("--repair-after=3s"));

  /** Records that each sender has acknowledged in the midst of what happens. */
  private static final int PROGRESS = 5;

  /** Long enough that a store gives up what it pulls from a node that it does not hear. */
  private static final int LONG_PROGRESS = 40;

  private Path folder;
  private int clusters;
  private @Nullable Running running;
  private boolean whole;
  private Hosts hosts;
  private TestCluster cluster;
  private ClusterLoad load;
  private boolean secured = "true".equals(TLS);
  private int asked;

  /**
   * @param loads the last one of which goes on
   */
  private record Running(Hosts hosts, TestCluster cluster, List<ClusterLoad> loads) {}

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
    load = now.loads.getLast();
    whole = false;
  }

  private Running startAnew() throws IOException {
    close();
    Hosts made = hosts(Files.createDirectory(folder.resolve("cluster" + clusters++)));
    TestCluster nodes = TestCluster.of(made, "", SHAPE);
    if (secured) {
      secure(nodes);
    }
    var started = new Running(made, nodes, new ArrayList<>());
    running = started;
    started.loads.add(ClusterLoad.start("load", nodes.ingest()));
    nodes.start();
    started.loads.getLast().awaitProgress(PROGRESS);
    return started;
  }

  private void secure(TestCluster nodes) throws IOException {
    nodes.secure(Files.createDirectory(folder.resolve("certificates" + clusters)));
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
      last.loads.forEach(ClusterLoad::close);
      String name = "%s-nodes-%d.txt".formatted(getClass().getSimpleName(), clusters);
      Files.writeString(Path.of("target", name), last.cluster.says());
      last.hosts.close();
    }
  }

  @Test
  @Order(WITH_TLS)
  void killedStoreIsMissedAndComesBack() throws IOException {
    ClusterNode store = cluster.store(0);
    store.host().kill();
    load.awaitProgress(PROGRESS);
    TestCluster.awaitTogether(cluster.allBut(store));
    store.start();
    assertNothingIsLost();
  }

  @Test
  @Order(IN_CLEAR_TEXT)
  void killedIngestNodeKeepsWhatItAcknowledged() throws IOException {
    ClusterNode node = cluster.ingest(0);
    node.host().kill();
    load.awaitProgressOfTheOneWithAChoice(PROGRESS);
    node.start();
    assertNothingIsLost();
  }

  @Test
  @Order(WITH_TLS)
  void pausedStoreIsDroppedAndTakenBack() throws IOException {
    ClusterNode store = cluster.store(1);
    store.host().pause();
    TestCluster.awaitTogether(cluster.allBut(store));
    load.awaitProgress(PROGRESS);
    store.host().resume();
    assertNothingIsLost();
  }

  @Test
  @Order(IN_CLEAR_TEXT)
  void halvesGoOnAndFindEachOtherAgain() throws IOException {
    assumeTrue(hosts.canDrop(), "packets can be dropped");
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
  @Order(IN_CLEAR_TEXT)
  void storeThatIsHeardByNobodyButHearsAllLosesNothing() throws IOException {
    assumeTrue(hosts.canDrop(), "packets can be dropped");
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
  @Order(WITH_TLS)
  void storeWhosePathToOneIngestNodeIsBrokenOneWayLosesNothing() throws IOException {
    assumeTrue(hosts.canDrop(), "packets can be dropped");
    Host store = cluster.store(0).host();
    Host ingest = cluster.ingest(1).host();
    ingest.dropTo(store);
    load.awaitProgress(LONG_PROGRESS);
    ingest.deliverTo(store);
    assertNothingIsLost();
  }

  @Test
  @Order(WITH_TLS)
  void storeWhoseCableWasPulledComesBack() throws IOException {
    ClusterNode store = cluster.store(1);
    store.host().cutOff();
    TestCluster.awaitTogether(cluster.allBut(store));
    load.awaitProgress(PROGRESS);
    store.host().reconnect();
    assertNothingIsLost();
  }

  @Test
  @Order(IN_CLEAR_TEXT)
  void storeThatLostItsDiskIsFilledAnew() throws IOException {
    assertAllIsThere();
    ClusterNode store = cluster.store(2);
    double copied = copiedByRepair();
    // Without it, answers would be in doubt for as long as the lost store was not forgotten.
    for (ClusterNode other : cluster.allBut(store)) {
      await()
          .alias(other + " knows that others have all of " + store)
          .until(() -> other.knowsCopiesOfAll(store));
    }
    store.host().kill();
    store.host().wipe();
    store.start();
    assertNothingIsLost();
    // A store counts what it copied when all have it that are to have it.
    await().alias("batches copied by repair").until(() -> copiedByRepair() > copied);
  }

  private double copiedByRepair() throws IOException {
    return cluster.store(0).api().metric(COPIED) + cluster.store(1).api().metric(COPIED);
  }

  @Test
  @Order(CHANGE)
  void killOfEverythingLosesNothing() throws IOException {
    for (ClusterNode node : cluster.all()) {
      node.host().kill();
    }
    if (TLS == null && !secured) {
      goOnWithTls();
    }
    TestCluster.start(cluster.all());
    assertNothingIsLost();
  }

  /** Who has sent in clear text is not heard again; what was acknowledged to it has to be there. */
  private void goOnWithTls() throws IOException {
    secured = true;
    secure(cluster);
    load.close();
    load = ClusterLoad.start("load over TLS", cluster.ingest());
    Objects.requireNonNull(running).loads.add(load);
  }

  private void assertNothingIsLost() throws IOException {
    TestCluster.awaitTogether(cluster.all());
    load.awaitProgress(PROGRESS);
    assertAllIsThere();
    whole = true;
  }

  private void assertAllIsThere() throws IOException {
    List<ClusterLoad> loads = Objects.requireNonNull(running).loads;
    List<List<Long>> before = loads.stream().map(ClusterLoad::acknowledged).toList();
    FoundRecords found = TestCluster.findFrom(anyNode());
    for (int i = 0; i < loads.size(); i++) {
      loads.get(i).assertConsistent(before.get(i), found);
    }
    load.inQuiet(() -> awaitCopies(loads));
    System.out.printf(
        "%s: %d records, %s%n",
        getClass().getSimpleName(), found.size(), secured ? "TLS" : "clear text");
  }

  /** One after the other is asked. */
  private ClusterNode anyNode() {
    List<ClusterNode> nodes = cluster.all();
    return nodes.get(asked++ % nodes.size());
  }

  /** What is acknowledged by now gets to as many stores as it should. */
  private void awaitCopies(List<ClusterLoad> loads) {
    List<List<Long>> records = loads.stream().map(ClusterLoad::acknowledged).toList();
    // A number is asked for more cheaply than all records, which then are on their stores as a
    // rule.
    awaitNoCopyIsMissed();
    await()
        .alias(COPIES + " copies of each record")
        .pollDelay(Duration.ZERO)
        .pollInterval(POLL.multipliedBy(2))
        .until(() -> areOnStores(loads, records));
    awaitNoCopyIsMissed();
  }

  private boolean areOnStores(List<ClusterLoad> loads, List<List<Long>> records)
      throws IOException {
    List<FoundRecords> stored = stored();
    return IntStream.range(0, loads.size())
        .allMatch(i -> loads.get(i).areOnStores(records.get(i), COPIES, stored));
  }

  private void awaitNoCopyIsMissed() {
    await()
        .alias("no store misses copies")
        .pollInterval(POLL)
        .until(this::missedBytes, missed -> missed.values().stream().allMatch(bytes -> bytes == 0));
  }

  private Map<ClusterNode, Double> missedBytes() throws IOException {
    Map<ClusterNode, Double> missed = new LinkedHashMap<>();
    for (ClusterNode store : cluster.stores()) {
      missed.put(store, store.api().metric("cordwood_store_underreplicated_bytes"));
    }
    return missed;
  }

  private List<FoundRecords> stored() throws IOException {
    List<FoundRecords> stored = new ArrayList<>();
    for (ClusterNode store : cluster.stores()) {
      stored.add(TestCluster.find(List.of(store)));
    }
    return stored;
  }
}
