package io.cordwood.store.replicate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cordwood.common.file.FaultAt;
import io.cordwood.common.file.FaultyFilesystem;
import io.cordwood.common.segment.Batch;
import io.cordwood.common.segment.SegmentFiles;
import io.cordwood.common.testing.Patience;
import io.cordwood.store.consume.TestIngestNode;
import io.cordwood.store.replicate.FaultyPeer.Fault;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Each step from claim to commit fails in turn: what is committed is on as many stores as it has to
 * be, and every record is found once.
 */
final class ReplicationFaultsTest {
  @TempDir Path folder;

  private static void assertKept(TestCluster cluster, List<Batch> all, int factor) {
    assertThat(cluster.union()).isEqualTo(SegmentFiles.sorted(all));
    assertThat(cluster.holders().values()).allMatch(stores -> stores >= factor);
    for (ServedStore store : cluster.stores) {
      assertThat(store.stored()).doesNotHaveDuplicates();
    }
  }

  private static List<Batch> addTo(TestIngestNode node, TestCluster cluster) {
    List<Batch> batches = cluster.someBatches(40);
    node.add(batches);
    return batches;
  }

  @ParameterizedTest
  @CsvSource({
    "2, BEFORE_UPLOAD",
    "2, DURING_UPLOAD",
    "2, AFTER_UPLOAD",
    "3, BEFORE_UPLOAD",
    "3, DURING_UPLOAD",
    "3, AFTER_UPLOAD"
  })
  void peerThatBreaksOffIsReplacedInTheSameAttempt(int factor, Fault fault) throws IOException {
    try (var cluster = new TestCluster(folder, factor)) {
      FaultyPeer broken = cluster.addFaulty("broken", fault);
      for (int i = 0; i < factor; i++) {
        cluster.addStore("whole-" + i);
      }
      TestIngestNode node = cluster.addIngest();
      List<Batch> all = new ArrayList<>();
      for (int round = 0; round < 20 && (round < 3 || broken.begun.get() == 0); round++) {
        all.addAll(addTo(node, cluster));
        cluster.awaitCommitted();
      }

      assertThat(broken.begun.get()).isPositive();
      assertThat(node.fails.get()).isZero();
      assertKept(cluster, all, factor);
    }
  }

  @ParameterizedTest
  @CsvSource({"BEFORE_UPLOAD", "DURING_UPLOAD", "AFTER_UPLOAD"})
  void withoutAnotherPeerItIsGivenBackAndDoneAgainLater(Fault fault) throws IOException {
    try (var cluster = new TestCluster(folder, 2)) {
      FaultyPeer keeper = cluster.addFaulty("keeper", fault);
      ServedStore store = cluster.addStore("store");
      TestIngestNode node = cluster.addIngest();
      List<Batch> all = addTo(node, cluster);
      await().until(() -> node.fails.get() >= 2);
      assertThat(node.left()).isEqualTo(1);
      assertThat(store.stored()).isEmpty();
      keeper.fault = Fault.NONE;

      cluster.awaitCommitted();

      assertKept(cluster, all, 2);
      assertThat(store.files(".flushed")).hasSize(1);
      assertThat(store.files(".active")).isEmpty();
    }
  }

  @Test
  void pausedPeerHoldsNothingUpForLongerThanALease() throws IOException {
    try (var cluster = new TestCluster(folder, 2)) {
      FaultyPeer paused = cluster.addFaulty("paused", Fault.PAUSE);
      ServedStore store = cluster.addStore("store");
      TestIngestNode node = cluster.addIngest();
      List<Batch> all = addTo(node, cluster);
      await().until(() -> paused.begun.get() > 0);
      cluster.addKeeper("other");

      cluster.awaitCommitted();

      assertThat(store.count("failures", "what", "send")).isPositive();
      assertThat(store.count("failures", "what", "commit-late")).isZero();
      assertKept(cluster, all, 2);
    }
  }

  @Test
  void replicatingEndsBeforeAShortLeaseDoes() throws IOException {
    try (var cluster = new TestCluster(folder, 2)) {
      FaultyPeer paused = cluster.addFaulty("paused", Fault.PAUSE);
      cluster.addStore("store");
      TestIngestNode node = cluster.addIngest();
      node.lease = Patience.millis(2000);
      List<Batch> all = addTo(node, cluster);
      await().until(() -> node.fails.get() > 0);
      paused.goOn();

      cluster.awaitCommitted();

      assertKept(cluster, all, 2);
    }
  }

  @Test
  void leaseThatEndsWhileItIsReplicatedLosesNothing() throws IOException {
    try (var cluster = new TestCluster(folder, 2)) {
      FaultyPeer keeper = cluster.addFaulty("keeper", Fault.PAUSE);
      ServedStore store = cluster.addStore("store");
      TestIngestNode node = cluster.addIngest();
      List<Batch> all = addTo(node, cluster);
      await().until(() -> keeper.begun.get() == 1);
      node.endLeases();
      await().until(() -> keeper.begun.get() == 2);
      keeper.goOn();

      cluster.awaitCommitted();

      await().until(() -> store.count("failures", "what", "commit-late") == 1);
      assertKept(cluster, all, 2);
      await().untilAsserted(() -> assertThat(store.files(".flushed")).hasSize(1));
      await().untilAsserted(() -> assertThat(keeper.store.files(".flushed")).hasSize(1));
      assertKept(cluster, all, 2);
    }
  }

  @Test
  void commitThatIsLostMakesDuplicatesThatAreReadOnce() throws IOException {
    try (var cluster = new TestCluster(folder, 2)) {
      ServedStore a = cluster.addStore("a");
      ServedStore b = cluster.addStore("b");
      TestIngestNode node = cluster.addIngest();
      node.fault = TestIngestNode.Fault.LOSE_COMMIT;
      List<Batch> all = addTo(node, cluster);
      await().until(() -> a.count("consumed.segments") + b.count("consumed.segments") == 1);
      node.fault = TestIngestNode.Fault.NONE;
      node.endLeases();

      cluster.awaitCommitted();

      assertKept(cluster, all, 2);
    }
  }

  @Test
  void diskThatFailsAtAnyStepOfEitherSideLosesNothing() throws IOException {
    try (var cluster = new TestCluster(folder, 2)) {
      var fault = new FaultAt();
      cluster.addStore("faulty", new FaultyFilesystem(fault));
      cluster.addStore("whole");
      TestIngestNode node = cluster.addIngest();
      List<Batch> all = new ArrayList<>();
      for (int step = 0; step < 18; step++) {
        fault.failAt(step, false);
        List<Batch> batches = cluster.someBatches(3);
        all.addAll(batches);
        node.add(batches);
        cluster.awaitCommitted();
        assertKept(cluster, all, 2);
      }
    }
  }

  @Test
  void storeThatEndsWhileItReplicatesGivesBackAndLeavesNoFile() throws IOException {
    try (var cluster = new TestCluster(folder, 2)) {
      FaultyPeer keeper = cluster.addFaulty("keeper", Fault.PAUSE);
      ServedStore store = cluster.addStore("store");
      TestIngestNode node = cluster.addIngest();
      List<Batch> all = addTo(node, cluster);
      await().until(() -> keeper.begun.get() == 1);

      store.close();

      assertThat(node.claimed()).isZero();
      assertThat(node.left()).isEqualTo(1);
      assertThat(store.files(".active")).isEmpty();
      assertThat(store.files(".flushed")).isEmpty();
      cluster.stores.remove(store);
      cluster.unsee("store");
      keeper.goOn();
      cluster.addStore("next");
      cluster.awaitCommitted();
      assertKept(cluster, all, 2);
    }
  }
}
