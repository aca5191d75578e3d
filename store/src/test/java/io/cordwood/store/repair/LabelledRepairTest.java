package io.cordwood.store.repair;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cordwood.common.segment.Batch;
import io.cordwood.common.segment.Records;
import io.cordwood.common.segment.SegmentFiles;
import io.cordwood.common.segment.Topic;
import io.cordwood.common.wire.Labels;
import io.cordwood.store.StorePeer;
import io.cordwood.store.keep.TestLog;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Batches with labels are copied, and to stores of versions before labels only those without. */
final class LabelledRepairTest {
  @TempDir Path folders;
  private final Records records = new Records(47);
  private final Map<String, TestStore> stores = new ConcurrentSkipListMap<>();
  private final Set<String> before = ConcurrentHashMap.newKeySet();

  /** By a store's id, where nobody answers in its place. */
  private final Map<String, URI> paused = new ConcurrentHashMap<>();

  private final List<Batch> batches = new ArrayList<>();

  @BeforeEach
  void someBatches() {
    for (int i = 0; i < 100; i++) {
      Batch batch = records.batch(i % 3 == 0 ? new Topic("other") : Topic.DEFAULT, 5);
      batches.add(batch);
      batches.add(Records.labelled(batch, records.labels()));
      batches.add(Records.labelled(batch, Labels.of(Map.of("pod", "another"))));
    }
    List<Batch> once = SegmentFiles.sorted(batches.stream().distinct().toList());
    batches.clear();
    batches.addAll(once);
  }

  @AfterEach
  void closeAll() throws IOException {
    for (TestStore store : stores.values()) {
      store.close();
    }
  }

  private List<StorePeer> living() {
    return stores.values().stream().map(TestStore::asPeer).map(this::asTheyAre).toList();
  }

  private StorePeer asTheyAre(StorePeer peer) {
    boolean labels = !before.contains(peer.nodeId());
    return new StorePeer(
        peer.nodeId(),
        paused.getOrDefault(peer.nodeId(), peer.uri()),
        peer.storedBytes(),
        peer.freeDiskBytes(),
        true,
        labels);
  }

  private TestStore start(String id) throws IOException {
    var store = new TestStore(id, TestStore.options(folders.resolve(id), 2), this::living);
    stores.put(id, store);
    return store;
  }

  private List<Batch> plain() {
    return batches.stream().filter(it -> it.labels().isEmpty()).toList();
  }

  private static List<Batch> stored(TestStore store) {
    return SegmentFiles.sorted(store.stored().stream().distinct().toList());
  }

  @Test
  void batchesThatDifferInLabelsAloneAreAllCopied() throws IOException {
    try (var log = TestLog.open(folders.resolve("a"))) {
      log.store(batches);
    }
    start("a");
    TestStore b = start("b");
    await().until(() -> stored(b).equals(batches));
  }

  @Test
  void aStoreThatDoesNotKnowLabelsGetsTheBatchesWithoutThemUntilItDoes() throws IOException {
    try (var log = TestLog.open(folders.resolve("a"))) {
      log.store(batches);
    }
    before.add("b");
    TestStore a = start("a");
    TestStore b = start("b");
    await().until(() -> stored(b).equals(plain()));
    await().until(() -> a.missingBytes() > 0); // Said at the end of a round.

    before.clear();
    await().until(() -> stored(b).equals(batches));
    await().until(() -> a.missingBytes() == 0);
  }

  @Test
  void copiesOfLabelsGoToAnotherStoreThanTheOneOfBefore() throws IOException {
    try (var log = TestLog.open(folders.resolve("a"))) {
      log.store(batches);
    }
    before.add("b");
    start("a");
    TestStore b = start("b");
    TestStore c = start("c");
    await().until(() -> stored(c).containsAll(labelled()));
    assertThat(stored(b)).allMatch(it -> it.labels().isEmpty());
  }

  private List<Batch> labelled() {
    return batches.stream().filter(it -> !it.labels().isEmpty()).toList();
  }

  /** Labels wait for the one that is paused, and meanwhile the other one has what it can have. */
  @Test
  void aPausedStoreHasTheLabelsOnceItAnswersAndTheOneOfBeforeNever() throws IOException {
    try (var log = TestLog.open(folders.resolve("a"))) {
      log.store(batches);
    }
    before.add("b");
    try (var silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      paused.put("c", URI.create("http://127.0.0.1:" + silent.getLocalPort()));
      start("a");
      start("b");
      start("c");
      await().until(() -> stored(store("b")).containsAll(plain()));
      await().until(() -> store("a").missingBytes() > 0);
    }
    paused.clear();
    await().until(() -> stored(store("c")).containsAll(labelled()));
    await().until(() -> store("a").missingBytes() == 0);
    assertThat(stored(store("a"))).isEqualTo(batches);
    assertThat(stored(store("b"))).allMatch(it -> it.labels().isEmpty());
  }

  private TestStore store(String id) {
    return Objects.requireNonNull(stores.get(id));
  }
}
