package io.cordwood.store.repair;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cordwood.common.file.Filesystem;
import io.cordwood.common.file.PassThroughFilesystem;
import io.cordwood.common.segment.Batch;
import io.cordwood.common.segment.BatchInfo;
import io.cordwood.common.segment.Records;
import io.cordwood.common.segment.SegmentFiles;
import io.cordwood.common.segment.Topic;
import io.cordwood.common.ulid.UlidRange;
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
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Stores that lose data, or each other, bring every batch back to its copies by themselves. */
final class RepairTest {

  @TempDir Path folders;
  private final Records records = new Records(44);
  private final Random random = new Random(44);
  private final Map<String, TestStore> stores = new ConcurrentSkipListMap<>();
  private volatile CountDownLatch allStarted = new CountDownLatch(0);
  private volatile CountDownLatch lookingOn = new CountDownLatch(0);

  @AfterEach
  void closeAll() throws IOException {
    allStarted.countDown();
    lookingOn.countDown();
    for (TestStore store : stores.values()) {
      store.close();
    }
  }

  private List<Batch> someBatches(int count) {
    List<Batch> batches = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Batch batch = records.batch(i % 3 == 0 ? new Topic("other") : Topic.DEFAULT, 5);
      batches.add(Records.labelled(batch, records.labels()));
    }
    return batches;
  }

  private Path folder(String id) {
    return folders.resolve(id);
  }

  /** Repair asks for them first of all, and so begins when it is to. */
  private List<StorePeer> living() {
    pass(allStarted);
    return stores.values().stream().map(TestStore::asPeer).toList();
  }

  private static void pass(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /**
   * Starts a pair of which the first one can be made to miss that the other one is started again.
   */
  private void startPair() throws IOException {
    allStarted = new CountDownLatch(1);
    Supplier<List<StorePeer>> paused =
        () -> {
          pass(lookingOn);
          return living();
        };
    stores.put("a", new TestStore("a", TestStore.options(folder("a"), 2), paused));
    start("b", 2);
    allStarted.countDown();
    awaitReplicatedFrom("a", 0);
    awaitReplicatedFrom("b", 0);
  }

  private void put(String id, List<Batch> batches) throws IOException {
    if (!batches.isEmpty()) {
      try (var log = TestLog.open(folder(id))) {
        log.store(batches);
      }
    }
  }

  private void start(String id, int copies) throws IOException {
    start(id, TestStore.options(folder(id), copies));
  }

  private void start(String id, StoreOptions options) throws IOException {
    stores.put(id, new TestStore(id, options, this::living));
  }

  private TestStore store(String id) {
    return Objects.requireNonNull(stores.get(id));
  }

  private void kill(String id) throws IOException {
    store(id).close();
    stores.remove(id);
  }

  /** Puts each batch on some random stores. */
  private void scatter(List<Batch> batches, List<String> ids, int copies) throws IOException {
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

  private long fewestCopies(List<Batch> batches) {
    var held = stores.values().stream().map(TestStore::batches).toList();
    return batches.stream()
        .map(BatchInfo::of)
        .mapToLong(batch -> held.stream().filter(set -> set.contains(batch)).count())
        .min()
        .orElse(0);
  }

  private double missingBytes() {
    return stores.values().stream().mapToDouble(TestStore::missingBytes).sum();
  }

  private void awaitCopies(List<Batch> batches, int copies) {
    await().pollInterval(Duration.ofMillis(200)).until(() -> fewestCopies(batches) >= copies);
    await().until(() -> missingBytes() == 0);
    for (TestStore store : stores.values()) {
      assertThat(SegmentFiles.sorted(batches)).containsAll(store.stored());
    }
  }

  private static long payload(List<Batch> batches) {
    return batches.stream().mapToLong(b -> b.payload().remaining()).sum();
  }

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
      var seldom = options.repair().withRepairEvery(Duration.ofSeconds(40));
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

  @Test
  void aStoreNeedsOneThatIsGoneUntilAllHasItsCopiesWithoutIt() throws IOException {
    List<Batch> batches = someBatches(100);
    scatter(batches, List.of("a", "b", "c"), 2);
    allStarted = new CountDownLatch(1);
    for (String id : List.of("a", "b", "c")) {
      start(id, 2);
    }
    allStarted.countDown();
    await().until(() -> store("a").partners().equals(Optional.of(Set.of("b", "c"))));
    awaitReplicatedFrom("a", 0);

    kill("b");

    await().until(() -> store("a").partners().equals(Optional.of(Set.of("c"))));
    await().until(() -> store("c").partners().equals(Optional.of(Set.of("a"))));
    awaitReplicatedFrom("a", 0);
    assertThat(fewestCopies(batches)).isEqualTo(2);
  }

  /** As a store of the version before has them: it has to read them to know what they hold. */
  private void removeLists(String id) throws IOException {
    try (Stream<Path> all = Files.list(folder(id))) {
      for (Path file : all.filter(it -> it.toString().endsWith(".flushed")).toList()) {
        Files.write(file, SegmentFiles.withoutList(Files.readAllBytes(file)));
      }
    }
  }

  /** The clock of the one that comes back is so early that it reads nothing to compare it. */
  @Test
  void whileAStoreThatCameBackDoesNotKnowWhatItHoldsOthersKeepWhatWasFoundBefore()
      throws IOException {
    List<Batch> batches = someBatches(100);
    for (String id : List.of("a", "b")) {
      put(id, batches);
      removeLists(id);
    }
    startPair();

    lookingOn = new CountDownLatch(1);
    kill("b");
    InstantSource early = () -> batches.getFirst().first().time().minusSeconds(3600);
    var options = TestStore.options(folder("b"), 2);
    stores.put("b", new TestStore("b", options, this::living, Filesystem.real(), early));
    lookingOn.countDown();

    double rounds = store("a").count("repair.rounds");
    await().until(() -> store("a").count("repair.rounds") > rounds + 3);
    assertThat(store("a").replicatedFromMillis()).isZero();
    assertThat(store("b").replicatedFromMillis()).isZero();
    assertThat(store("a").partners()).isEqualTo(Optional.of(Set.of("b")));
  }

  @Test
  void aStoreThatComesBackKnowsAtOnceWhatItHoldsAndNothingIsComparedAgain() throws IOException {
    List<Batch> batches = someBatches(100);
    put("a", batches);
    put("b", batches);
    startPair();

    lookingOn = new CountDownLatch(1);
    kill("b");
    double compared = store("a").count("repair.compared.slices");
    start("b", 2);
    lookingOn.countDown();

    double rounds = store("a").count("repair.rounds");
    await().until(() -> store("a").count("repair.rounds") > rounds + 3);
    assertThat(store("a").replicatedFromMillis()).isZero();
    assertThat(store("a").count("repair.compared.slices")).isEqualTo(compared);
  }

  private void awaitReplicatedFrom(String id, long millis) {
    await().until(() -> store(id).replicatedFromMillis() == millis);
  }

  @Test
  void aStoreKnowsThatAllHasItsCopiesWhenThatWasComparedAndNoMoreWhenTheyAreGone()
      throws IOException {
    List<Batch> batches = someBatches(100);
    scatter(batches, List.of("a", "b"), 2);
    allStarted = new CountDownLatch(1);
    start("a", 2);
    start("b", 2);
    assertThat(store("a").replicatedFromMillis()).isEqualTo(ReplicatedFrom.UNKNOWN);
    allStarted.countDown();
    awaitReplicatedFrom("a", 0);
    awaitReplicatedFrom("b", 0);
    kill("b");
    awaitReplicatedFrom("a", ReplicatedFrom.UNKNOWN);
    start("b", 2);
    assertThat(store("b").replicatedFromMillis()).as("it was written down").isZero();
    awaitReplicatedFrom("a", 0);
    kill("b");
    kill("a");
    start("a", 3);
    assertThat(store("a").replicatedFromMillis()).as("of three").isEqualTo(ReplicatedFrom.UNKNOWN);
    start("empty", 3);
    assertThat(store("empty").replicatedFromMillis()).as("of nothing").isZero();
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
    assertThat(store("a").count("repair.copied.batches")).isEqualTo(batches.size());
  }

  private void awaitRounds(String id, int more) {
    double rounds = store(id).count("repair.rounds");
    await().until(() -> store(id).count("repair.rounds") > rounds + more);
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

    assertThat(store("a").count("damaged.segments")).isEqualTo(1);
    assertThat(store("a").count("damaged.blocks")).isEqualTo(1);
    assertThat(store("a").stored()).isEqualTo(SegmentFiles.sorted(batches));
    try (Stream<Path> files = Files.list(folder("a"))) {
      assertThat(files.filter(p -> p.toString().endsWith(".damaged"))).hasSize(1);
    }
  }
}
