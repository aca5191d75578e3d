package io.cordwood.store.repair;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cordwood.common.file.Filesystem;
import io.cordwood.common.file.PassThroughFilesystem;
import io.cordwood.common.segment.Batch;
import io.cordwood.common.segment.BatchInfo;
import io.cordwood.common.segment.SegmentFiles;
import io.cordwood.common.segment.Topic;
import io.cordwood.common.testing.Patience;
import io.cordwood.common.ulid.UlidRange;
import io.cordwood.store.ByTopic;
import io.cordwood.store.StoreOptions;
import io.cordwood.store.StorePeer;
import io.cordwood.store.keep.TestLog;
import io.cordwood.store.segment.SegmentName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Stores that lose data, or each other, bring every batch back to its copies by themselves. */
final class RepairTest extends RepairFixture {
  @Test
  void whatAVanishedStoreHeldIsBroughtBack() throws IOException {
    List<Batch> batches = someBatches(400);
    List<String> ids = List.of("a", "b", "c", "d");
    scatter(batches, ids, 2);
    allStarted = new CountDownLatch(1);
    for (String id : ids) {
      start(id, 2);
    }
    allStarted.countDown();
    await().until(() -> store("a").count("repair.rounds") > 2);
    assertThat(missingBytes()).isZero();
    assertThat(store("a").count("repair.copied.batches")).isZero();

    kill("c");

    awaitCopies(batches, 2);
  }

  @Test
  void aStoreWhoseDiskWasWipedIsFilledAgain() throws IOException {
    List<Batch> batches = someBatches(200);
    scatter(batches, List.of("a", "b", "c"), 2);
    start("a", 2);
    start("b", 2);
    stores.put("c", new TestStore("c", TestStore.options(folder("empty"), 2), this::living));

    awaitCopies(batches, 2);
    assertThat(store("c").batches()).isNotEmpty();
  }

  @Test
  void fiveStoresWithWhateverTheyHoldConverge() throws IOException {
    List<Batch> batches = someBatches(300);
    List<String> ids = List.of("a", "b", "c", "d", "e");
    scatter(batches.subList(0, 100), ids, 1);
    scatter(batches.subList(100, 200), ids, 2);
    scatter(batches.subList(200, 300), ids, 4);
    for (String id : ids) {
      start(id, 3);
    }

    awaitCopies(batches, 3);
  }

  @Test
  void whatQueriesMissedIsCopiedFirst() throws IOException {
    List<Batch> batches = someBatches(200);
    put("a", batches);
    allStarted = new CountDownLatch(1);
    start("a", 2);
    var arrivals = new Arrivals();
    var options = TestStore.options(folder("b"), 2);
    stores.put("b", new TestStore("b", options, this::living, arrivals, InstantSource.system()));

    Batch missed = batches.getLast(); // the newest one, which would come last
    assertThat(store("a").hint(missed.range())).isEqualTo(202);
    allStarted.countDown();
    awaitCopies(batches, 2);

    List<UlidRange> arrived = List.copyOf(arrivals.ranges);
    assertThat(arrived).hasSizeGreaterThan(3);
    assertThat(arrived.getFirst().contains(missed.first())).isTrue();
    assertThat(arrived.get(1).from()).isLessThan(arrived.get(2).from());
  }

  /** A disk that notes which segments are shown, in their order. */
  private static final class Arrivals extends PassThroughFilesystem {
    private final List<UlidRange> ranges = new CopyOnWriteArrayList<>();

    @Override
    public void rename(Path from, Path to) throws IOException {
      super.rename(from, to);
      SegmentName.parse(to.getFileName().toString())
          .flatMap(name -> UlidRange.parse(name.stem()))
          .ifPresent(ranges::add);
    }
  }

  /** Two pairs of stores of which one lacks a segment; a query misses copies in the second pair. */
  @Test
  void hintBringsRepairForward() throws IOException {
    List<Batch> batches = someBatches(50);
    for (String id : List.of("a", "b", "other-a", "other-b")) {
      put(id, batches);
    }
    for (String id : List.of("b", "other-b")) {
      try (Stream<Path> files = Files.list(folder(id))) {
        for (Path file : files.filter(f -> f.toString().endsWith(".flushed")).toList()) {
          Files.delete(file);
        }
      }
    }
    for (String id : List.of("other-a", "other-b", "a", "b")) {
      var options = TestStore.options(folder(id), 2);
      boolean isOther = id.startsWith("other");
      Supplier<List<StorePeer>> pair =
          () -> living().stream().filter(s -> s.nodeId().startsWith("other") == isOther).toList();
      var seldom = options.repair().withRepairEvery(Patience.millis(40_000));
      stores.put(id, new TestStore(id, options.with(seldom), pair));
    }

    store("a").hint(batches.getFirst().range());

    await().until(() -> store("b").batches().equals(store("a").batches()));
    assertThat(store("other-b").batches()).isEmpty();
    assertThat(store("other-a").count("repair.rounds")).isZero();
  }

  @Test
  void moreCopiesThanStoresAreMissedUntilAStoreComesAndNobodyRunsInCircles() throws IOException {
    List<Batch> batches = someBatches(100);
    put("a", batches);
    put("b", batches);
    start("a", 3);
    start("b", 3);
    await().until(() -> missingBytes() == payload(batches));
    double compared = store("a").count("repair.compared.slices");
    double rounds = store("a").count("repair.rounds");
    await().until(() -> store("a").count("repair.rounds") > rounds + 5);
    assertThat(store("a").count("repair.compared.slices")).isEqualTo(compared);

    start("c", 3);

    awaitCopies(batches, 3);
  }

  @Test
  void aLoneStoreSaysHowMuchHasNoCopy() throws IOException {
    List<Batch> batches = someBatches(50);
    put("a", batches);
    start("a", 2);

    await().until(() -> missingBytes() == payload(batches));
  }

  /**
   * Until then they could be on their way: nothing is said of them, and nothing is copied. The same
   * goes for a store whose clock is as much behind.
   */
  @Test
  void recordsWithOneCopyFromAClockTwoMinutesAheadAreCopiedOnceTheStoresClockIsThereToo()
      throws IOException {
    List<Batch> batches = someBatches(20);
    put("a", batches);
    Instant first = batches.getFirst().first().time();
    Instant last = batches.getLast().first().time();
    var now = new AtomicReference<>(first.minus(Duration.ofMinutes(2)));
    for (String id : List.of("a", "b")) {
      StoreOptions options = TestStore.options(folder(id), 2);
      stores.put(id, new TestStore(id, options, this::living, Filesystem.real(), now::get));
    }
    awaitRounds("a", 3);
    assertThat(missingBytes()).isZero();
    assertThat(store("b").batches()).isEmpty();

    now.set(first.plus(TestStore.REPAIR_AFTER).minusMillis(1));
    awaitRounds("a", 3);
    assertThat(store("b").batches()).isEmpty();

    now.set(last.plus(TestStore.REPAIR_AFTER).plus(TestStore.SLICE.multipliedBy(2)));
    awaitCopies(batches, 2);
    awaitRounds("a", 1); // Copies are counted once they were sent.
    assertThat(store("a").count("repair.copied.batches")).isEqualTo(batches.size());
  }

  @Test
  void whatIsOlderThanAnyStoresHorizonIsNotBroughtBack() throws IOException {
    List<Batch> old = someBatches(100);
    List<Batch> between = someBatches(100);
    List<Batch> young = someBatches(100);
    List<Batch> all = new ArrayList<>(old);
    all.addAll(between);
    all.addAll(young);
    put("a", all);
    start("a", 2);
    Instant horizon = between.getLast().first().time();
    Instant now = Instant.now();
    var retention = new StoreOptions.Keeping(Duration.between(horizon, now), Duration.ZERO, 0);
    var options = TestStore.options(folder("b"), 2).with(retention);
    InstantSource stopped = InstantSource.fixed(now); // The horizon goes on with the clock.
    stores.put("b", new TestStore("b", options, this::living, Filesystem.real(), stopped));

    List<Batch> reached =
        young.stream().filter(b -> b.first().time().isAfter(horizon.plusMillis(200))).toList();
    assertThat(reached).isNotEmpty();
    await().until(() -> fewestCopies(reached) == 2);
    awaitRounds("a", 3);

    assertThat(store("b").batches())
        .doesNotContainAnyElementsOf(old.stream().map(BatchInfo::of).toList())
        .allMatch(b -> b.first().time().isAfter(horizon));
    assertThat(missingBytes()).isZero();
  }

  @Test
  void topicsThatAreBeyondTheirOwnRetentionAreNotBroughtBackAndOthersAre() throws IOException {
    List<Batch> batches = someBatches(100);
    put("a", batches);
    start("a", 2);
    Instant now = Instant.now();
    Instant newest = batches.getLast().first().time();
    var times =
        new ByTopic<>(
            Map.of("*", TestStore.FOREVER, "oth*", Duration.between(newest, now).minusSeconds(1)));
    var options =
        TestStore.options(folder("b"), 2).with(new StoreOptions.Keeping(times, Duration.ZERO, 0));
    InstantSource stopped = InstantSource.fixed(now); // The horizon goes on with the clock.
    stores.put("b", new TestStore("b", options, this::living, Filesystem.real(), stopped));

    List<Batch> kept = batches.stream().filter(b -> b.topic().equals(Topic.DEFAULT)).toList();
    await().until(() -> fewestCopies(kept) == 2);
    awaitRounds("a", 3);

    assertThat(store("b").stored()).isEqualTo(SegmentFiles.sorted(kept));
    assertThat(missingBytes()).isZero();
    awaitReplicatedFrom("a", 0);
  }

  @Test
  void aBlockThatRotsIsFetchedFromAPeer() throws IOException {
    List<Batch> batches = someBatches(200);
    put("a", batches);
    put("b", batches);
    try (var log = TestLog.open(folder("a"))) {
      log.damageFirstBlock();
    }
    start("b", 2);
    start("a", 2);

    // Repair, which compares, may come upon it before scrubbing does, and the peer send it first.
    await()
        .until(() ->
            store("a").count("refetched.records") + store("b").count("repair.copied.batches") > 0);
    await().until(() -> fewestCopies(batches) == 2);

    await().until(() -> store("a").count("damaged.blocks") == 1); // It is counted last.
    assertThat(store("a").count("damaged.segments")).isEqualTo(1);
    assertThat(store("a").stored()).isEqualTo(SegmentFiles.sorted(batches));
    await().until(() -> store("a").lack().isEmpty());
    try (Stream<Path> files = Files.list(folder("a"))) {
      assertThat(files.filter(p -> p.toString().endsWith(".restored"))).hasSize(1);
    }
  }
}
