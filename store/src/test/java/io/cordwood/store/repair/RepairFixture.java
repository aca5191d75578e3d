package io.cordwood.store.repair;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cordwood.common.segment.Batch;
import io.cordwood.common.segment.BatchInfo;
import io.cordwood.common.segment.Records;
import io.cordwood.common.segment.SegmentFiles;
import io.cordwood.store.StoreOptions;
import io.cordwood.store.StorePeer;
import io.cordwood.store.keep.TestLog;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

/** Stores that know each other, and what they hold between them. */
abstract class RepairFixture {
  @TempDir Path folders;
  final Records records = new Records(44);
  final Random random = new Random(44);
  final Map<String, TestStore> stores = new ConcurrentSkipListMap<>();
  volatile CountDownLatch allStarted = new CountDownLatch(0);
  volatile CountDownLatch lookingOn = new CountDownLatch(0);

  @AfterEach
  void closeAll() throws IOException {
    allStarted.countDown();
    lookingOn.countDown();
    for (TestStore store : stores.values()) {
      store.close();
    }
  }

  List<Batch> someBatches(int count) {
    return records.labelledBatches(count, 5);
  }

  Path folder(String id) {
    return folders.resolve(id);
  }

  /** Repair asks for them first of all, and so begins when it is to. */
  List<StorePeer> living() {
    pass(allStarted);
    return stores.values().stream().map(TestStore::asPeer).toList();
  }

  static void pass(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  void put(String id, List<Batch> batches) throws IOException {
    if (!batches.isEmpty()) {
      try (var log = TestLog.open(folder(id))) {
        log.store(batches);
      }
    }
  }

  void start(String id, int copies) throws IOException {
    start(id, TestStore.options(folder(id), copies));
  }

  void start(String id, StoreOptions options) throws IOException {
    stores.put(id, new TestStore(id, options, this::living));
  }

  TestStore store(String id) {
    return Objects.requireNonNull(stores.get(id));
  }

  void kill(String id) throws IOException {
    store(id).close();
    stores.remove(id);
  }

  /** Puts each batch on some random stores. */
  void scatter(List<Batch> batches, List<String> ids, int copies) throws IOException {
    Map<String, List<Batch>> parts = new ConcurrentSkipListMap<>();
    for (Batch batch : batches) {
      List<String> shuffled = new ArrayList<>(ids);
      Collections.shuffle(shuffled, random);
      shuffled.stream()
          .limit(copies)
          .forEach(id -> parts.computeIfAbsent(id, _ -> new ArrayList<>()).add(batch));
    }
    for (var part : parts.entrySet()) {
      put(part.getKey(), part.getValue());
    }
  }

  long fewestCopies(List<Batch> batches) {
    var held = stores.values().stream().map(TestStore::batches).toList();
    return batches.stream()
        .map(BatchInfo::of)
        .mapToLong(batch -> held.stream().filter(set -> set.contains(batch)).count())
        .min()
        .orElse(0);
  }

  double missingBytes() {
    return stores.values().stream().mapToDouble(TestStore::missingBytes).sum();
  }

  void awaitCopies(List<Batch> batches, int copies) {
    await().pollInterval(Duration.ofMillis(200)).until(() -> fewestCopies(batches) >= copies);
    await().until(() -> missingBytes() == 0);
    for (TestStore store : stores.values()) {
      assertThat(SegmentFiles.sorted(batches)).containsAll(store.stored());
    }
  }

  static long payload(List<Batch> batches) {
    return batches.stream().mapToLong(b -> b.payload().remaining()).sum();
  }

  void awaitReplicatedFrom(String id, long millis) {
    await().until(() -> store(id).replicatedFromMillis() == millis);
  }

  void awaitRounds(String id, int more) {
    double rounds = store(id).count("repair.rounds");
    await().until(() -> store(id).count("repair.rounds") > rounds + more);
  }
}
