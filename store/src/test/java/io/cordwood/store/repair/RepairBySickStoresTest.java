package io.cordwood.store.repair;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cordwood.common.file.FaultyFilesystem;
import io.cordwood.common.file.FaultyFilesystem.Call;
import io.cordwood.common.file.Filesystem;
import io.cordwood.common.segment.Batch;
import io.cordwood.common.segment.BatchInfo;
import io.cordwood.common.segment.Records;
import io.cordwood.common.segment.Topic;
import io.cordwood.store.StorePeer;
import io.cordwood.store.keep.TestLog;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentSkipListMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A store that is full, or whose disk fails, holds up no copies that others can make or take. */
final class RepairBySickStoresTest {

  @TempDir Path folders;
  private final Records records = new Records(45);
  private final Map<String, TestStore> stores = new ConcurrentSkipListMap<>();
  private volatile boolean sick;

  @AfterEach
  void closeAll() throws IOException {
    for (TestStore store : stores.values()) {
      store.close();
    }
  }

  private List<Batch> someBatches(int count) {
    List<Batch> batches = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      batches.add(records.batch(Topic.DEFAULT, 5));
    }
    return batches;
  }

  private void put(String id, List<Batch> batches) throws IOException {
    try (var log = TestLog.open(folders.resolve(id))) {
      log.store(batches);
    }
  }

  private void start(String id, int copies) throws IOException {
    start(id, copies, Filesystem.real());
  }

  private void start(String id, int copies, Filesystem disk) throws IOException {
    var options = TestStore.options(folders.resolve(id), copies);
    stores.put(id, new TestStore(id, options, this::living, disk, InstantSource.system()));
  }

  private List<StorePeer> living() {
    return stores.values().stream().map(TestStore::asPeer).toList();
  }

  private TestStore store(String id) {
    return Objects.requireNonNull(stores.get(id));
  }

  private void awaitHeld(String id, List<Batch> batches) {
    List<BatchInfo> all = batches.stream().map(BatchInfo::of).toList();
    await().until(() -> store(id).batches().containsAll(all));
  }

  private double copiedBy(String id) {
    return store(id).count("repair.copied.batches");
  }

  private static FaultyFilesystem withRoom(long bytes) {
    var disk = new FaultyFilesystem((_, _) -> false);
    disk.sayUsable(bytes);
    return disk;
  }

  /** A disk that fails at a kind of call once it is sick. */
  private FaultyFilesystem failing(Call call) {
    return new FaultyFilesystem((found, _) -> sick && found == call);
  }

  @Test
  void aStoreWithLittleRoomMakesItsCopiesPieceByPiece() throws IOException {
    List<Batch> batches = someBatches(400);
    put("a", batches);
    start("a", 2, withRoom(CopyAbility.LEAST_ROOM_BYTES));
    start("b", 2);

    awaitHeld("b", batches);
    await().until(() -> copiedBy("a") == batches.size());
  }

  @Test
  void theNextHolderMakesTheCopiesOfAStoreWithoutRoom() throws IOException {
    List<Batch> batches = someBatches(100);
    put("a", batches);
    put("b", batches);
    start("a", 3, withRoom(1000));
    start("b", 3);
    start("c", 3);

    awaitHeld("c", batches);
    await().until(() -> copiedBy("b") == batches.size());
    assertThat(copiedBy("a")).isZero();
  }

  @Test
  void theNextHolderMakesTheCopiesOnceTheDiskOfTheFirstIsFull() throws IOException {
    List<Batch> batches = someBatches(100);
    put("a", batches);
    put("b", batches);
    var disk = withRoom(Long.MAX_VALUE);
    start("a", 3, disk);
    start("b", 3);
    await().until(() -> store("a").missingBytes() > 0);
    assertThat(store("b").missingBytes()).isZero();

    disk.sayUsable(1000);

    await().until(() -> store("b").missingBytes() > 0);
    await().until(() -> store("a").missingBytes() == 0);
  }

  @Test
  void theNextHolderMakesTheCopiesOfAStoreThatCannotWrite() throws IOException {
    for (Call call : List.of(Call.CREATE, Call.WRITE, Call.FORCE)) {
      sick = false;
      String first = "a-" + call;
      List<Batch> batches = someBatches(20);
      put(first, batches);
      put("b-" + call, batches);
      start(first, 3, failing(call));
      sick = true;
      start("b-" + call, 3);
      start("c-" + call, 3);

      awaitHeld("c-" + call, batches);
      closeAll();
      stores.clear();
    }
  }

  @Test
  void theNextHolderMakesTheCopiesOfAStoreThatCannotReadItsRecordsAnyMore() throws IOException {
    List<Batch> batches = someBatches(20);
    put("a", batches);
    put("b", batches);
    // Whatever it is called: a segment that was compacted meanwhile was opened by another name.
    var disk = new FaultyFilesystem((_, _) -> false, (_, _) -> sick);
    start("a", 3, disk);
    start("b", 3);
    await().until(() -> store("a").missingBytes() > 0);
    sick = true;

    start("c", 3);

    awaitHeld("c", batches);
    assertThat(copiedBy("a")).isZero();
  }

  /** Of the newer slices only the sick store lacks a copy, of the older ones another one, too. */
  @Test
  void olderSlicesAreCopiedAlthoughNobodyIsLeftForNewerOnes() throws IOException {
    List<Batch> old = someBatches(100);
    List<Batch> young = someBatches(400);
    List<Batch> all = new ArrayList<>(old);
    all.addAll(young);
    put("a", all);
    put("b", young);
    start("c", 3, failing(Call.CREATE));
    sick = true;
    start("b", 3);
    start("a", 3);

    awaitHeld("b", all);
    assertThat(store("c").batches()).isEmpty();
  }
}
