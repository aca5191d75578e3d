package io.cordwood.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Clusters that are run wrongly: nothing that was acknowledged is lost, and none sees another's.
 */
final class MisusedClustersIT {
  private static final String KEY = "11".repeat(32);
  private static final String OTHER_KEY = "22".repeat(32);
  private static final int PROGRESS = 10;

  @TempDir private Path folder;
  private NamespaceHosts hosts;

  @BeforeEach
  void makeHosts() throws IOException {
    hosts = NamespaceHosts.orSkip("clusters that are run wrongly", folder);
  }

  @AfterEach
  void removeHosts() throws IOException {
    hosts.close();
  }

  private static TestCluster.Shape shape(int stores, String... flags) {
    List<String> copies = List.of("--replication-factor", "" + Math.min(stores, 2));
    return new TestCluster.Shape(1, stores, List.of("--lease=3s"), copies)
        .with("--gossip-profile=local")
        .with(flags);
  }

  @Test
  void clustersThatNameEachOthersNodesStayApart() throws IOException {
    String key = Files.writeString(folder.resolve("key"), KEY).toString();
    String otherKey = Files.writeString(folder.resolve("other-key"), OTHER_KEY).toString();
    TestCluster one = TestCluster.of(hosts, "a", shape(1, "--cluster-key-file", key));
    String peer = one.ingest(0).host().address();
    List<TestCluster> strangers =
        List.of(
            TestCluster.of(hosts, "b", shape(1, "--peer", peer, "--cluster-key-file", otherKey)),
            TestCluster.of(
                hosts,
                "c",
                shape(1, "--peer", peer, "--cluster-key-file", key, "--cluster-name", "other")),
            TestCluster.of(hosts, "d", shape(1, "--peer", peer)));
    List<TestCluster> all = Stream.concat(Stream.of(one), strangers.stream()).toList();
    TestCluster.start(all.stream().flatMap(cluster -> cluster.all().stream()).toList());
    List<ClusterLoad> loads = new ArrayList<>();
    for (TestCluster cluster : all) {
      loads.add(ClusterLoad.start("cluster " + loads.size(), cluster.ingest()));
    }
    await()
        .until(
            () -> one.ingest(0).api().metric("cordwood_cluster_frames_refused_total"),
            refused -> refused >= strangers.size());
    for (int i = 0; i < all.size(); i++) {
      TestCluster cluster = all.get(i);
      ClusterLoad load = loads.get(i);
      TestCluster.awaitTogether(cluster.all());
      load.awaitProgress(PROGRESS);
      load.finish();
      if (cluster == one) {
        await().until(cluster.store(0)::answersAreComplete);
      } else {
        assertThat(cluster.store(0).answersAreComplete()).as("a stranger is its peer").isFalse();
      }
      long found = load.assertConsistent(() -> TestCluster.find(cluster.all()));
      assertThat(found).as("none of another cluster's records").isEqualTo(load.sent());
      load.close();
    }
  }

  @Test
  void storeOnAFullDiskLeavesItsShareToTheOthers() throws IOException {
    TestCluster cluster = TestCluster.of(hosts, "", shape(3));
    NamespaceHost small = (NamespaceHost) cluster.store(0).host();
    small.limitDisk("48m");
    cluster.start();
    Path filler = Files.createFile(small.disk().resolve("filler"));
    fill(filler);
    try (ClusterLoad load = ClusterLoad.start("load", cluster.ingest())) {
      awaitDiskFull(cluster.store(0), 1);
      load.awaitProgress(PROGRESS);
      List<Long> records = load.acknowledged();
      await()
          .alias("the others have all, twice")
          .pollInterval(Duration.ofMillis(500))
          .until(() -> load.areOnStores(records, 2, storedOn(cluster.store(1), cluster.store(2))));
      Files.delete(filler);
      awaitDiskFull(cluster.store(0), 0);
      load.finish();
      awaitNothingWaits(cluster);
      load.assertConsistent(() -> TestCluster.findFrom(cluster.ingest(0)));
    }
  }

  private static void awaitDiskFull(ClusterNode store, double full) {
    await().until(() -> store.api().metric("cordwood_store_disk_full"), is -> is == full);
  }

  private static List<FoundRecords> storedOn(ClusterNode... stores) throws IOException {
    List<FoundRecords> stored = new ArrayList<>();
    for (ClusterNode store : stores) {
      stored.add(TestCluster.find(List.of(store)));
    }
    return stored;
  }

  private static void fill(Path file) throws IOException {
    try (var out = Files.newOutputStream(file)) {
      byte[] zeros = new byte[4096];
      while (true) {
        out.write(zeros);
      }
    } catch (IOException e) {
      assertThat(e).as("what ends it").hasMessageContaining("No space left");
    }
  }

  /** Waits until the stores have everything. Segments that are still written count, too. */
  private static void awaitNothingWaits(TestCluster cluster) {
    List<ClusterNode> ingest = cluster.ingest();
    await()
        .alias("what the ingest nodes have themselves")
        .until(() -> TestCluster.find(ingest).size(), records -> records == 0);
  }

  @Test
  void copiedDataFolderLosesAndDoublesNothing() throws IOException {
    TestCluster cluster = TestCluster.of(hosts, "", shape(2));
    cluster.start();
    NamespaceHost original = (NamespaceHost) cluster.store(0).host();
    NamespaceHost copy = hosts.add("copy");
    try (ClusterLoad load = ClusterLoad.start("load", cluster.ingest())) {
      load.awaitProgress(PROGRESS);
      original.kill();
      Tool.run("cp", "-r", original.data().toString(), copy.data().toString());
      cluster.store(0).start();
      copy.start("store", "--gossip-profile=local", "--peer", cluster.ingest(0).host().address());
      ClusterNode twin = new ClusterNode(copy, "store", List.of());
      await()
          .alias("the twin is seen")
          .until(() -> cluster.ingest(0).sees().contains(twin.apiAddress()));
      load.awaitProgress(5 * PROGRESS);
      load.finish();
      awaitNothingWaits(cluster);
      List<ClusterNode> stores = new ArrayList<>(cluster.stores());
      stores.add(twin);
      load.assertConsistent(() -> TestCluster.find(stores));
    }
  }
}
