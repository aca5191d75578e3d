package io.cordwood.store.keep;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.common.bucket.Bucket;
import io.cordwood.common.bucket.BucketRequests.Verb;
import io.cordwood.common.bucket.BucketUrl;
import io.cordwood.common.bucket.FaultyBucket;
import io.cordwood.common.cold.ColdManifests;
import io.cordwood.common.cold.ColdName;
import io.cordwood.common.cold.ColdObject;
import io.cordwood.common.cold.ColdReader;
import io.cordwood.common.cold.ColdSegments;
import io.cordwood.common.cold.ColdUpload;
import io.cordwood.common.segment.Batch;
import io.cordwood.common.segment.SegmentFiles;
import io.cordwood.common.segment.Topic;
import io.cordwood.common.testing.BitFlips;
import io.cordwood.common.ulid.UlidRange;
import io.cordwood.store.ByTopic;
import io.cordwood.store.ColdOptions;
import io.cordwood.store.KnownPeers;
import io.cordwood.store.RetentionRule;
import io.cordwood.store.StopFlag;
import io.cordwood.store.StoreMetrics;
import io.cordwood.store.StorePeer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Objects go by a rule alone, and everybody knows why they went. */
final class ColdRetentionTest {
  private static final Instant NOON = Instant.parse("2026-11-24T12:00:00Z");
  private static final Duration DAY = Duration.ofDays(1);

  @TempDir private Path folder;
  private final List<Store> stores = new ArrayList<>();
  private Instant wall = NOON.plus(DAY);
  private long nanos;

  /** One with rules for the bucket, that sees others. */
  private final class Store {
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final FaultyBucket bucket = new FaultyBucket(place().open());
    private final ColdReader reader;
    private final ColdRetention retention;

    Store(String nodeId, List<String> others, String... rules) throws IOException {
      this(peers(nodeId, others), rules);
    }

    Store(KnownPeers peers, String... rules) throws IOException {
      reader =
          new ColdReader(
              bucket,
              new ColdReader.Options(folder.resolve("reader-" + peers.nodeId()), 1 << 20, 1000),
              () -> wall,
              () -> nanos,
              registry);
      ByTopic<Duration> kept =
          RetentionRule.all(
              Stream.of(rules).map(RetentionRule::parse).toList(), ColdOptions.FOR_EVER);
      retention =
          new ColdRetention(
              new ColdOptions(place(), Duration.ZERO, 1, Optional.empty(), kept),
              reader,
              bucket,
              peers,
              new StoreMetrics(registry),
              registry,
              new ColdRetention.Clocks(() -> wall, () -> nanos),
              new StopFlag());
      stores.add(this);
    }

    /** Looks once an hour. */
    Store hours(int hours) throws IOException {
      for (int i = 0; i < hours; i++) {
        pass(Duration.ofHours(1));
        var _ = retention.runOnce();
      }
      return this;
    }

    int searched() throws IOException {
      return reader.catalogue().find(UlidRange.ALL).all().size();
    }

    int known() throws IOException {
      var found = reader.catalogue().find(UlidRange.ALL);
      assertThat(found.absent()).isZero();
      return found.objects().size();
    }

    long requests() {
      return Stream.of(Verb.values()).mapToLong(it -> bucket.requests().count(it)).sum();
    }

    double failures() {
      return registry
          .find("cordwood.store.failures")
          .tag("what", "cold-retention")
          .counters()
          .stream()
          .mapToDouble(it -> it.count())
          .sum();
    }

    double value(String name) {
      return registry.get("cordwood.cold." + name).gauge().value();
    }

    double deleted() {
      return registry.get("cordwood.cold.deleted.objects").counter().count();
    }

    double listsRefused() {
      return registry.get("cordwood.cold.lists.refused").counter().count();
    }
  }

  private static KnownPeers peers(String nodeId, List<String> others) {
    List<StorePeer> peers =
        others.stream()
            .map(id -> new StorePeer(id, URI.create("http://" + id + ":1"), 0, 0))
            .toList();
    return new KnownPeers(nodeId, List::of, () -> peers);
  }

  private Store alone(String... rules) throws IOException {
    return new Store("a", List.of(), rules);
  }

  @AfterEach
  void close() {
    for (Store store : stores) {
      store.reader.close();
      store.retention.close();
    }
  }

  private BucketUrl place() {
    return BucketUrl.parse(folder.resolve("bucket").toUri().toString());
  }

  private void pass(Duration time) {
    wall = wall.plus(time);
    nanos += time.toNanos();
  }

  private static List<Batch> batches(String topic, Instant from) {
    return ColdSegments.batches(new Topic(topic), from, 10);
  }

  private Path upload(List<Batch> batches) throws IOException {
    Path file = Files.write(folder.resolve("settled"), ColdSegments.settled(batches));
    try (var bucket = place().open()) {
      ColdName name = ColdUpload.put(bucket, file, ColdName.USUAL_CLASS).name();
      Path object = folder.resolve("bucket").resolve(name.key());
      return Files.setLastModifiedTime(object, FileTime.from(wall));
    }
  }

  private void uploadEightDays(String topic) throws IOException {
    for (int day = 0; day < 8; day++) {
      upload(batches(topic, NOON.minus(DAY.multipliedBy(day))));
    }
  }

  @Test
  void whatIsOverIsNamedAndDeletedTwoHoursLater() throws IOException {
    Path object = upload(batches("shop", NOON));
    Store store = alone("30d");
    assertThat(store.hours(1).known()).isEqualTo(1);
    pass(DAY.multipliedBy(29));
    assertThat(store.hours(1).known()).isEqualTo(1);
    pass(DAY);
    store.hours(2);
    assertThat(store.known()).isZero();
    assertThat(object).exists();
    assertThat(store.value("ending.objects")).isEqualTo(1);
    store.hours(3);
    assertThat(object).doesNotExist();
    assertThat(store.deleted()).isEqualTo(1);
    store.hours(1);
    assertThat(store.value("ending.objects")).isZero();
    assertThat(store.failures()).isZero();
  }

  private Path name(Path... objects) throws IOException {
    List<ColdObject> named = new ArrayList<>();
    for (Path object : objects) {
      Path key = folder.resolve("bucket").relativize(object);
      ColdName name = ColdName.parse(key.toString()).orElseThrow();
      named.add(new ColdObject(name, Files.size(object), wall));
    }
    try (var bucket = place().open()) {
      ColdManifests.put(bucket, named.getFirst().name().day(), named);
      return folder.resolve("bucket").resolve(bucket.listAll("named/").getFirst().key());
    }
  }

  @Test
  void aManifestGoesWithTheLastObjectOfItsDay() throws IOException {
    Path shop = upload(batches("shop", NOON));
    Path audit = upload(batches("audit", NOON));
    Path manifest = name(shop, audit);
    Store store = alone("shop=30d", "audit=60d").hours(1);
    pass(DAY.multipliedBy(31));
    store.hours(8);
    assertThat(shop).doesNotExist();
    assertThat(manifest).exists();
    assertThat(new Store("fresh", List.of()).known()).isEqualTo(1);
    pass(DAY.multipliedBy(31));
    store.hours(4);
    assertThat(manifest).exists();
    store.hours(4);
    assertThat(audit).doesNotExist();
    assertThat(manifest).doesNotExist();
    assertThat(new Store("anew", List.of()).known()).isZero();
    assertThat(store.failures()).isZero();
    assertThat(store.listsRefused()).isZero();
  }

  @Test
  void whenAManifestWasPutProvesNoAge() throws IOException {
    Path object = upload(batches("shop", NOON));
    Instant wrong = wall.plus(DAY.multipliedBy(3660));
    Path early = upload(batches("early", wrong));
    Files.setLastModifiedTime(name(early), FileTime.from(wrong));
    Instant right = wall;
    Store store = alone("30d");
    store.bucket.hides = key -> early.endsWith(key);
    wall = wrong;
    store.hours(4);
    assertThat(store.failures()).isEqualTo(4);
    store.bucket.hides = _ -> false;
    store.hours(24);
    wall = right;
    store.hours(24);
    assertThat(object).exists();
    assertThat(store.known()).isEqualTo(2);
  }

  @Test
  void aReaderThatKnewItForgetsItWithAReason() throws IOException {
    upload(batches("shop", NOON));
    Store reader = new Store("reader", List.of());
    assertThat(reader.known()).isEqualTo(1);
    Store store = alone("30d").hours(1);
    pass(DAY.multipliedBy(31));
    store.hours(8);
    assertThat(store.deleted()).isEqualTo(1);
    assertThat(reader.known()).isZero();
    assertThat(new Store("reader", List.of()).known()).isZero(); // After a restart, too.
    assertThat(reader.listsRefused()).isZero();
  }

  @Test
  void topicsWithoutARuleAreKeptForEverAndTheLongestTimeCounts() throws IOException {
    Path shop = upload(batches("shop", NOON));
    Path debug = upload(batches("debug-a", NOON));
    List<Batch> mixed = new ArrayList<>(batches("debug-b", NOON));
    mixed.addAll(batches("audit", NOON));
    Path both = upload(SegmentFiles.sorted(mixed));
    Store store = alone("debug*=1d", "audit=60d").hours(1);
    pass(DAY.multipliedBy(3));
    store.hours(8);
    assertThat(debug).doesNotExist();
    assertThat(both).exists();
    pass(DAY.multipliedBy(70));
    store.hours(8);
    assertThat(both).doesNotExist();
    pass(DAY.multipliedBy(3000));
    store.hours(8);
    assertThat(shop).exists();
  }

  @Test
  void noClockThatIsWrongByYearsDeletesAnything() throws IOException {
    Path object = upload(batches("shop", NOON));
    Path imported = upload(batches("shop", NOON.minus(DAY.multipliedBy(3000))));
    Path early = upload(batches("late", NOON));
    Files.setLastModifiedTime(early, FileTime.from(NOON.minus(DAY.multipliedBy(3000))));
    Instant right = wall;
    wall = wall.plus(DAY.multipliedBy(3660));
    Store store = alone("30d").hours(24);
    wall = right;
    store.hours(24);
    wall = wall.plus(DAY.multipliedBy(3660));
    store.hours(24);
    assertThat(List.of(object, imported, early)).allSatisfy(it -> assertThat(it).exists());
    assertThat(store.known()).isEqualTo(3);
  }

  @Test
  void nothingGoesWhileAListLacksSomething() throws IOException {
    Path object = upload(batches("shop", NOON));
    Path hidden = upload(batches("other", NOON));
    Store store = alone("30d").hours(1);
    store.bucket.hides = key -> hidden.endsWith(key);
    pass(DAY.multipliedBy(31));
    store.hours(8);
    assertThat(object).exists();
    assertThat(store.failures()).isEqualTo(8);
    assertThat(store.value("retention.paused")).isEqualTo(1);
    store.bucket.hides = _ -> false;
    store.hours(8);
    assertThat(object).doesNotExist();
    assertThat(hidden).doesNotExist();
    assertThat(store.value("retention.paused")).isZero();
  }

  @Test
  void deletesThatFailAndDidItAndTheReverse() throws IOException {
    Path object = upload(batches("shop", NOON));
    Store store = alone("30d").hours(1);
    pass(DAY.multipliedBy(31));
    store.bucket.losesDeletes = true;
    store.hours(8);
    assertThat(object).exists();
    assertThat(store.known()).isZero();
    store.bucket.losesDeletes = false;
    store.bucket.losesAnswersToDeletes = true;
    store.hours(2);
    assertThat(object).doesNotExist();
    assertThat(store.failures()).isEqualTo(1);
    assertThat(store.value("ending.objects")).isZero();
    assertThat(store.known()).isZero();
  }

  @Test
  void credentialsThatMayNotDeleteHarmNothingElse() throws IOException {
    Path object = upload(batches("shop", NOON));
    Path young = upload(batches("audit", NOON));
    Store store = alone("shop=30d").hours(1);
    pass(DAY.multipliedBy(31));
    store.bucket.refusesDeletes = true;
    store.hours(8);
    assertThat(store.failures()).isPositive();
    assertThat(store.value("ending.objects")).isEqualTo(1);
    assertThat(List.of(object, young)).allSatisfy(it -> assertThat(it).exists());
    assertThat(store.known()).isEqualTo(1);
    assertThat(store.searched()).isEqualTo(2);
    store.bucket.refusesDeletes = false;
    store.hours(1);
    assertThat(object).doesNotExist();
    store.hours(1);
    assertThat(store.searched()).isEqualTo(1);
  }

  @Test
  void aStoreThatRestartsGoesOnAndWaitsAgain() throws IOException {
    Path object = upload(batches("shop", NOON));
    Store store = alone("30d").hours(1);
    pass(DAY.multipliedBy(32));
    upload(batches("shop", NOON.plus(DAY.multipliedBy(32))));
    store.hours(2);
    assertThat(store.known()).isEqualTo(1);
    Store again = alone("30d").hours(2);
    assertThat(object).exists();
    again.hours(3);
    assertThat(object).doesNotExist();
    assertThat(again.known()).isEqualTo(1);
  }

  @Test
  void ofTwoStoresTheFirstDoesItAndTheNextOneWhenItIsNotDone() throws IOException {
    Store a = new Store("a", List.of("b"), "30d");
    Store b = new Store("b", List.of("a"), "30d");
    uploadEightDays("shop");
    a.hours(1);
    b.hours(1);
    pass(DAY.multipliedBy(30).minusHours(2));
    for (int hour = 0; hour < 8; hour++) {
      a.hours(1);
      var _ = b.retention.runOnce();
    }
    assertThat(a.deleted()).isBetween(1.0, 7.0);
    assertThat(a.deleted() + b.deleted()).isEqualTo(8);
    uploadEightDays("late");
    Store only = new Store("b", List.of("a"), "30d").hours(1);
    pass(DAY.multipliedBy(60));
    only.hours(8);
    assertThat(only.deleted()).isEqualTo(8);
    assertThat(only.known()).isZero();
    assertThat(only.failures()).isZero();
  }

  @Test
  void nothingGoesBesideOtherRulesOtherClustersAndVersionsBefore() throws IOException {
    Path object = upload(batches("shop", NOON));
    Store a = new Store("a", List.of("b"), "30d").hours(1);
    pass(DAY.multipliedBy(31));
    a.hours(8);
    assertThat(object).exists(); // b, of the version before, says nothing.
    new Store("b", List.of("a"), "60d").hours(1);
    a.hours(8);
    assertThat(object).exists();
    new Store("b", List.of("a"), "30d").hours(1);
    new Store("stranger", List.of("another")).hours(1);
    a.hours(8);
    assertThat(object).exists();
    assertThat(a.value("retention.paused")).isEqualTo(1);
    new Store("another", List.of("b")).hours(1); // They have met by now.
    a.hours(8);
    assertThat(object).doesNotExist();
  }

  /** Somebody deletes what was said of the old stores, and of the new one by mistake. */
  @Test
  void aStoreThatIsGoneForGoodIsForgottenOnceWhatItSaidIsDeleted() throws IOException {
    Path object = upload(batches("shop", NOON));
    new Store("old", List.of(), "30d").hours(1);
    Store a = new Store("a", List.of(), "30d").hours(1);
    pass(DAY.multipliedBy(31));
    a.hours(8);
    assertThat(object).exists();
    try (Bucket bucket = place().open()) {
      for (Bucket.Entry said : bucket.listAll("stores/")) {
        bucket.delete(said.key());
      }
      a.hours(8);
      assertThat(object).doesNotExist();
      assertThat(bucket.listAll("stores/")).hasSize(1);
    }
  }

  /** One that died before it said whom it had met. */
  @Test
  void aStoreThatIsAwayIsOfThisClusterThoughItNeverSaidSo() throws IOException {
    Path object = upload(batches("shop", NOON));
    new Store("b", List.of(), "30d").hours(1);
    KnownPeers none = peers("a", List.of());
    var peers =
        new KnownPeers(
            "a",
            none.ingestNodes(),
            none.stores(),
            none.credentials(),
            none.ownSegments(),
            () -> Optional.of(Set.of("a", "b")));
    Store a = new Store(peers, "30d").hours(1);
    pass(DAY.multipliedBy(31));
    a.hours(8);
    assertThat(object).doesNotExist();
  }

  @Test
  void aStoreWithoutRulesSaysOnceWhatItIsAndAsksNoMore() throws IOException {
    Store store = alone().hours(1);
    assertThat(folder.resolve("bucket/stores")).isDirectoryContaining("glob:**");
    long before = store.requests();
    store.hours(12);
    assertThat(store.requests()).isEqualTo(before);
    assertThat(store.bucket.requests().count(Verb.LIST)).isZero();
  }

  @Test
  void strangersAndWhatDoesNotReadStay() throws IOException {
    Path damaged = upload(batches("shop", NOON));
    BitFlips.flip(damaged, -20);
    Files.setLastModifiedTime(damaged, FileTime.from(wall));
    Path stranger = Files.writeString(damaged.resolveSibling("notes.txt"), "mine");
    Files.setLastModifiedTime(stranger, FileTime.from(wall));
    Store store = alone("30d").hours(1);
    pass(DAY.multipliedBy(3000));
    store.hours(8);
    assertThat(damaged).exists();
    assertThat(stranger).exists();
  }
}
