package io.cordwood.store.replicate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.cordwood.common.file.FaultAt;
import io.cordwood.common.file.FaultyFilesystem;
import io.cordwood.common.segment.Batch;
import io.cordwood.common.segment.SegmentFiles;
import io.cordwood.store.KnownPeers;
import io.cordwood.store.StoreMetrics;
import io.cordwood.store.StorePeer;
import io.cordwood.store.consume.TestIngestNode;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What ingest nodes may forget is on as many stores as it has to be. */
final class ReplicationTest {

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void whatIsCommittedIsOnAsManyStoresAsTheFactorSays(int factor) throws IOException {
    try (var cluster = new TestCluster(folder, factor)) {
      List<Batch> all = new ArrayList<>();
      for (int n = 0; n < 2; n++) {
        TestIngestNode node = cluster.addIngest();
        for (int i = 0; i < 5; i++) {
          List<Batch> batches = cluster.someBatches(10);
          all.addAll(batches);
          node.add(batches);
        }
      }
      for (String id : List.of("a", "b", "c", "d")) {
        cluster.addStore(id);
      }

      cluster.awaitCommitted();

      assertThat(cluster.union()).isEqualTo(SegmentFiles.sorted(all));
      assertThat(Set.copyOf(cluster.holders().values())).containsExactly(factor);
    }
  }

  @Test
  void bytesThatPeersStoreAreThoseOfTheOwnFile() throws IOException {
    try (var cluster = new TestCluster(folder, 2)) {
      ServedStore a = cluster.addStore("a");
      cluster.see(new StorePeer("b", URI.create("http://127.0.0.1:1"), 0, 0));
      ServedStore b = cluster.addStore("b");
      cluster.addIngest().add(cluster.someBatches(50));

      cluster.awaitCommitted();

      assertThat(a.files(".flushed")).hasSize(1);
      assertThat(b.files(".flushed"))
          .singleElement()
          .satisfies(
              file -> assertThat(file).hasSameBinaryContentAs(a.files(".flushed").getFirst()));
      double sent = a.count("replicas.sent.bytes") + b.count("replicas.sent.bytes");
      assertThat(sent).isEqualTo(a.node.storedBytes());
    }
  }

  @Test
  void withTooFewStoresNothingIsClaimedUntilThereAreEnough() throws IOException {
    try (var cluster = new TestCluster(folder, 2)) {
      TestIngestNode node = cluster.addIngest();
      List<Batch> batches = cluster.someBatches(10);
      node.add(batches);
      ServedStore first = cluster.addStore("a");
      await().until(() -> first.gauge("missing.stores") == 1);
      assertThat(node.left()).isEqualTo(1);
      assertThat(node.claims.get()).isZero();
      assertThat(first.stored()).isEmpty();

      cluster.addStore("b");
      cluster.awaitCommitted();

      assertThat(first.gauge("missing.stores")).isZero();
      assertThat(Set.copyOf(cluster.holders().values())).containsExactly(2);
      assertThat(cluster.union()).isEqualTo(SegmentFiles.sorted(batches));
    }
  }

  @Test
  void storeThatSeesItselfAmongTheOthersIsNotItsOwnPeer() throws IOException {
    try (var cluster = new TestCluster(folder, 2)) {
      TestIngestNode node = cluster.addIngest();
      node.add(cluster.someBatches(10));
      ServedStore only = cluster.addStore("a");

      await().until(() -> only.gauge("missing.stores") == 1);
      assertThat(node.claims.get()).isZero();
    }
  }

  @Test
  void storeWithACopyOfAnothersFolderIsNoSecondStore() throws IOException {
    try (var cluster = new TestCluster(folder, 2)) {
      TestIngestNode node = cluster.addIngest();
      List<Batch> batches = cluster.someBatches(10);
      ServedStore a = cluster.addStore("a");
      cluster.see(new StorePeer("other", a.uri(), 0, 0));
      node.add(batches);

      await().until(() -> a.count("replicas.refused", "reason", "same-node") > 0);
      assertThat(node.left()).isEqualTo(1);
      assertThat(a.stored()).isEmpty();

      cluster.unsee("other");
      cluster.addStore("b");
      cluster.awaitCommitted();
      assertThat(Set.copyOf(cluster.holders().values())).containsExactly(2);
    }
  }

  @Test
  void peerThatIsGoneIsReplacedByAnotherAtOnce() throws IOException {
    try (var cluster = new TestCluster(folder, 2)) {
      TestIngestNode node = cluster.addIngest();
      cluster.see(new StorePeer("gone", URI.create("http://127.0.0.1:1"), 0, 1L << 40));
      cluster.addStore("a");
      cluster.addStore("b");
      for (int i = 0; i < 10; i++) {
        node.add(cluster.someBatches(3));
        cluster.awaitCommitted();
      }

      assertThat(Set.copyOf(cluster.holders().values())).containsExactly(2);
      assertThat(node.fails.get()).isZero();
    }
  }

  @Test
  void storeWithAFullDiskLeavesRecordsToOthers() throws IOException {
    try (var cluster = new TestCluster(folder, 2)) {
      var disk = new FaultyFilesystem(new FaultAt());
      disk.sayUsable(1 << 20);
      ServedStore full = cluster.addStore("full", disk);
      cluster.addStore("a");
      cluster.addStore("b");
      List<Batch> all = new ArrayList<>();
      for (int i = 0; i < 5; i++) {
        List<Batch> batches = cluster.someBatches(3);
        all.addAll(batches);
        cluster.addIngest().add(batches);
        cluster.awaitCommitted();
      }

      assertThat(full.gauge("disk.full")).isEqualTo(1);
      assertThat(full.stored()).isEmpty();
      assertThat(cluster.union()).isEqualTo(SegmentFiles.sorted(all));
      assertThat(Set.copyOf(cluster.holders().values())).containsExactly(2);

      disk.sayUsable(Long.MAX_VALUE);
      await().until(() -> full.gauge("disk.full") == 0);
    }
  }

  @Test
  void newStoreConsumesAtOnceAndTheOthersTakeTheShareOfOneThatIsGone() throws IOException {
    try (var cluster = new TestCluster(folder, 2)) {
      TestIngestNode node = cluster.addIngest();
      ServedStore a = cluster.addStore("a");
      cluster.addStore("b");
      node.add(cluster.someBatches(3));
      cluster.awaitCommitted();
      a.close();
      cluster.stores.remove(a);
      cluster.unsee("a");
      TestIngestNode later = cluster.addIngest(); // no claim of the one that is gone waits there
      ServedStore c = cluster.addStore("c");
      await()
          .until(() -> {
            later.add(cluster.someBatches(3));
            return c.count("consumed.segments") > 0;
          });
      cluster.awaitCommitted();

      assertThat(c.count("replicas.sent")).isPositive();
    }
  }

  @Test
  void aPeerIsWaitedForAsLongAsThereIsTime() {
    var now = new AtomicLong(5);
    var peer = new StorePeer("b", URI.create("http://127.0.0.1:1"), 0, 1L << 40);
    var choice =
        new PeerChoice(
            new KnownPeers("me", List::of, () -> List.of(peer)), new java.util.Random(5), now::get);
    List<Duration> waits = new ArrayList<>();
    Replicas silent =
        (_, _, longest) -> {
          waits.add(longest);
          now.addAndGet(longest.toNanos());
          throw new IOException("expected: nobody answers");
        };
    var metrics = new StoreMetrics(new SimpleMeterRegistry());
    var replicator = new Replicator(1, choice, silent, metrics, Runnable::run, now::get);
    long deadline = now.get() + Duration.ofSeconds(2).toNanos();

    assertThatThrownBy(() -> replicator.replicate(folder, 1, false, deadline))
        .isInstanceOf(ReplicationException.class)
        .hasMessageContaining("failed: [b, out of time]");

    assertThat(waits).containsExactly(Duration.ofSeconds(2));
  }

  @Test
  void emptierStoresGetMore() {
    List<StorePeer> peers = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      peers.add(
          new StorePeer("s" + i, URI.create("http://127.0.0.1:1"), i * 100L, 1000 - i * 100L));
    }
    var choice =
        new PeerChoice(
            new KnownPeers("me", List::of, () -> peers), new java.util.Random(5), System::nanoTime);
    int[] chosen = new int[10];
    for (int i = 0; i < 10_000; i++) {
      chosen[choice.next(Set.of(), false).orElseThrow().nodeId().charAt(1) - '0']++;
    }

    assertThat(chosen[0]).isBetween(1800, 2200);
    assertThat(chosen[5]).isBetween(700, 1080);
    assertThat(chosen[9]).isZero();
  }

  @Test
  void labelsGoToStoresThatKnowThem() {
    var uri = URI.create("http://127.0.0.1:1");
    List<StorePeer> peers =
        List.of(
            new StorePeer("before", uri, 0, 1000, true, false), new StorePeer("now", uri, 999, 1));
    var choice =
        new PeerChoice(
            new KnownPeers("me", List::of, () -> peers), new java.util.Random(5), System::nanoTime);
    for (int i = 0; i < 100; i++) {
      assertThat(choice.next(Set.of(), true)).contains(peers.get(1));
    }
    assertThat(choice.next(Set.of("now"), true)).isEmpty();
    assertThat(choice.next(Set.of("now"), false)).contains(peers.getFirst());
  }
}
