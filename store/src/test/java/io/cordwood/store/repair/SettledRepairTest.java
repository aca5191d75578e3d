package io.cordwood.store.repair;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cordwood.common.file.Filesystem;
import io.cordwood.common.segment.Batch;
import io.cordwood.common.segment.Records;
import io.cordwood.common.segment.SegmentFiles;
import io.cordwood.common.segment.Topic;
import io.cordwood.store.StorePeer;
import io.cordwood.store.keep.TestLog;
import io.cordwood.store.segment.LiveSegment;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two stores with the same batches: the first has settled them, and the second has not. */
final class SettledRepairTest {
  private static final int TARGET_BYTES = 16 << 10;

  @TempDir Path folders;
  private final List<Batch> batches = new ArrayList<>();
  private final List<TestStore> stores = new CopyOnWriteArrayList<>();
  private final CountDownLatch allStarted = new CountDownLatch(2);

  @BeforeEach
  void fill() throws IOException {
    var records = new Records(45);
    for (long bytes = 0; bytes < TARGET_BYTES; bytes += batches.getLast().payload().remaining()) {
      batches.add(records.batch(bytes % 3 == 0 ? new Topic("other") : Topic.DEFAULT, 20));
    }
    for (String id : List.of("settled", "new")) {
      try (var log = open(id)) {
        log.store(batches);
      }
    }
    try (var log = open("settled")) {
      log.settle();
      assertThat(onlySegment(log).segment().isSettled()).isTrue();
    }
  }

  @AfterEach
  void close() throws IOException {
    for (TestStore store : stores) {
      store.close();
    }
  }

  private TestLog open(String id) throws IOException {
    return new TestLog(folders.resolve(id), Filesystem.real(), TARGET_BYTES);
  }

  private static LiveSegment onlySegment(TestLog log) {
    assertThat(log.log.live()).hasSize(1);
    return log.log.live().getFirst();
  }

  private TestStore start(String id) throws IOException {
    var store = new TestStore(id, TestStore.options(folders.resolve(id), 2), this::living);
    stores.add(store);
    allStarted.countDown();
    return store;
  }

  private List<StorePeer> living() {
    try {
      allStarted.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
    return stores.stream().map(TestStore::asPeer).toList();
  }

  private void delete(String id) throws IOException {
    try (Stream<Path> files = Files.list(folders.resolve(id))) {
      for (Path file : files.filter(f -> f.toString().endsWith(".flushed")).toList()) {
        Files.delete(file);
      }
    }
  }

  private void awaitBothHoldAll(TestStore one, TestStore other) {
    List<Batch> all = SegmentFiles.sorted(batches);
    await().until(() -> one.stored().equals(all) && other.stored().equals(all));
  }

  @Test
  void theyAreCopiesOfEachOther() throws IOException {
    TestStore settled = start("settled");
    TestStore fresh = start("new");
    await().until(() -> settled.count("repair.rounds") > 2 && fresh.count("repair.rounds") > 2);
    assertThat(settled.missingBytes() + fresh.missingBytes()).isZero();
    assertThat(settled.count("repair.copied.batches") + fresh.count("repair.copied.batches"))
        .isZero();
    awaitBothHoldAll(settled, fresh);
  }

  /** It is sent in the first form, which nodes of every version can read. */
  @ParameterizedTest
  @ValueSource(strings = {"settled", "new"})
  void aStoreThatHasLostAllGetsItFromTheOther(String lost) throws IOException {
    delete(lost);
    TestStore settled = start("settled");
    TestStore fresh = start("new");
    awaitBothHoldAll(settled, fresh);
    TestStore other = lost.equals("new") ? settled : fresh;
    await().until(() -> other.count("repair.copied.batches") == batches.size());
    assertThat(settled.hasSettledSegments()).isEqualTo(lost.equals("new"));
    assertThat(fresh.hasSettledSegments()).isFalse();
  }

  @Test
  void aDamagedBlockOfTheSettledOneIsFetchedFromTheOther() throws IOException {
    try (var log = open("settled")) {
      log.damageFirstBlock();
    }
    TestStore settled = start("settled");
    TestStore fresh = start("new");
    // Scrubbing fetches it, or repair sends it.
    await()
        .until(() -> settled.count("refetched.records") + fresh.count("repair.copied.batches") > 0);
    awaitBothHoldAll(settled, fresh);
    await().until(() -> settled.count("damaged.segments") == 1);
  }
}
