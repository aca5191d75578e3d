package io.cordwood.store.cold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.common.bucket.Bucket;
import io.cordwood.common.bucket.BucketException;
import io.cordwood.common.bucket.BucketUrl;
import io.cordwood.common.bucket.EncryptionKeyFiles;
import io.cordwood.common.bucket.FaultyBucket;
import io.cordwood.common.bucket.SessionPlace;
import io.cordwood.common.cold.ColdList;
import io.cordwood.common.cold.ColdObject;
import io.cordwood.common.cold.ColdSegment;
import io.cordwood.common.cold.ColdSegments;
import io.cordwood.common.segment.Batch;
import io.cordwood.common.segment.SegmentFiles;
import io.cordwood.common.segment.StoreSegment;
import io.cordwood.common.segment.Topic;
import io.cordwood.common.ulid.UlidRange;
import io.cordwood.store.BucketTurn;
import io.cordwood.store.ByTopic;
import io.cordwood.store.ColdOptions;
import io.cordwood.store.KnownPeers;
import io.cordwood.store.RetentionRule;
import io.cordwood.store.StopFlag;
import io.cordwood.store.StoreMetrics;
import io.cordwood.store.StorePeer;
import io.cordwood.store.keep.TestLog;
import io.micrometer.core.instrument.FunctionCounter;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is over is uploaded once, by one of those that hold it; whatever a bucket does. */
final class ColdUploaderTest {
  private static final Instant NOON = Instant.parse("2026-11-24T12:00:00Z");
  private static final Instant NEXT_DAY = Instant.parse("2026-11-25T01:00:00Z");

  @TempDir private Path folder;
  private String url;
  private Instant now = NEXT_DAY;
  private ByTopic<Duration> kept = ByTopic.all(ColdOptions.FOR_EVER);

  @BeforeEach
  void place() {
    url = folder.resolve("cold").toUri().toString();
  }

  /** A store that sees two others. */
  private final class Store implements AutoCloseable {
    private final TestLog test;
    private final ColdUploader uploader;

    Store(String nodeId, String... others) throws IOException {
      this(BucketUrl.parse(url).open(), nodeId, others);
    }

    Store(Bucket bucket, String nodeId, String... others) throws IOException {
      test = TestLog.open(folder.resolve(nodeId));
      List<StorePeer> peers =
          Stream.of(others)
              .map(id -> new StorePeer(id, URI.create("http://" + id + ":1"), 0, 0))
              .toList();
      uploader =
          new ColdUploader(
              new ColdOptions(
                  BucketUrl.parse(url), Duration.ofHours(1), 1L << 40, Optional.empty(), kept),
              bucket,
              test.log,
              new KnownPeers(nodeId, List::of, () -> peers),
              new StoreMetrics(test.registry),
              test.registry,
              () -> now,
              new StopFlag());
    }

    double counted(String name) {
      return test.registry.get("cordwood.cold." + name).functionCounters().stream()
          .mapToDouble(FunctionCounter::count)
          .sum();
    }

    /** Reasons why nothing is uploaded. */
    List<String> paused() {
      return test.registry.get("cordwood.cold.paused").gauges().stream()
          .filter(it -> it.value() == 1)
          .map(it -> String.valueOf(it.getId().getTag("reason")))
          .toList();
    }

    double uploaded() {
      return test.registry.get("cordwood.cold.uploaded.objects").counter().count();
    }

    @Override
    public void close() throws IOException {
      uploader.close();
      test.close();
    }
  }

  private static List<Batch> batches(String topic, Instant from) {
    return ColdSegments.batches(new Topic(topic), from, 30);
  }

  private List<Batch> uploaded() throws IOException {
    List<Batch> all = new ArrayList<>();
    try (Bucket bucket = BucketUrl.parse(url).open()) {
      for (ColdObject object : ColdList.of(bucket, UlidRange.ALL).objects()) {
        StoreSegment segment = ColdSegment.open(bucket, object);
        all.addAll(ColdSegments.all(segment));
        segment.release();
      }
    }
    return SegmentFiles.sorted(all);
  }

  private List<Path> objects() throws IOException {
    if (!Files.exists(folder.resolve("cold"))) {
      return List.of();
    }
    try (Stream<Path> files = Files.walk(folder.resolve("cold"))) {
      return files.filter(it -> it.toString().endsWith(".cws")).sorted().toList();
    }
  }

  @Test
  void aSegmentOfManyDaysIsUploadedToItsLastOne() throws IOException {
    List<Batch> all = new ArrayList<>();
    for (int days : new int[] {700, 650, 400, 31, 0}) {
      all.addAll(batches("shop", NOON.minus(Duration.ofDays(days))));
    }
    try (var store = new Store("a")) {
      store.test.store(all);
      store.uploader.uploadDue();
    }
    assertThat(uploaded()).isEqualTo(SegmentFiles.sorted(all));
    assertThat(objects()).hasSize(5);
  }

  @Test
  void aDayIsUploadedWhenItIsOverAndOnce() throws IOException {
    try (var store = new Store("a")) {
      List<Batch> ofDay = batches("shop", NOON);
      List<Batch> all = new ArrayList<>(ofDay);
      all.addAll(batches("shop", NOON.plusSeconds(86_400)));
      store.test.store(all);
      store.test.store(batches("other", NOON));
      now = NEXT_DAY.minusSeconds(1);
      store.uploader.uploadDue();
      assertThat(objects()).isEmpty();
      now = NEXT_DAY;
      store.uploader.uploadDue();
      List<Batch> expected = new ArrayList<>(ofDay);
      expected.addAll(batches("other", NOON));
      assertThat(uploaded()).isEqualTo(SegmentFiles.sorted(expected));
      assertThat(objects()).hasSize(1);
      double requests = store.counted("requests");
      store.uploader.uploadDue();
      assertThat(store.counted("requests")).isEqualTo(requests);
      assertThat(store.test.log.live()).hasSize(2);
      assertThat(store.test.log.folder().gather()).isEmptyDirectory();
    }
  }

  @Test
  void topicsOfDifferentTimesAreDifferentObjects() throws IOException {
    kept = RetentionRule.all(List.of(RetentionRule.parse("audit*=7y")), ColdOptions.FOR_EVER);
    try (var store = new Store("a")) {
      List<Batch> all = new ArrayList<>(batches("shop", NOON));
      all.addAll(batches("audit-web", NOON));
      store.test.store(all);
      store.uploader.uploadDue();
      assertThat(objects().stream().map(it -> "" + it.getName(it.getNameCount() - 2)))
          .containsExactlyInAnyOrder("61488h", "all");
      assertThat(uploaded()).isEqualTo(SegmentFiles.sorted(all));
    }
  }

  @Test
  void afterARestartNothingIsUploadedAgain() throws IOException {
    try (var store = new Store("a")) {
      store.test.store(batches("shop", NOON));
      store.uploader.uploadDue();
    }
    List<Path> before = objects();
    try (var store = new Store("a")) {
      store.uploader.uploadDue();
      assertThat(store.uploaded()).isZero();
    }
    assertThat(objects()).isEqualTo(before);
  }

  @Test
  void lateRecordsOfADayAreAnotherObject() throws IOException {
    try (var store = new Store("a")) {
      store.test.store(batches("shop", NOON));
      store.uploader.uploadDue();
      store.test.store(batches("late", NOON));
      store.uploader.uploadDue();
      assertThat(objects()).hasSize(1);
      now = now.plus(Duration.ofHours(1));
      store.uploader.uploadDue();
      assertThat(objects()).hasSize(2);
      assertThat(uploaded()).hasSize(60);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 30})
  void threeStoresWithTwoCopiesUploadEachBatchOnce(int daysLater) throws IOException {
    now = NEXT_DAY.plus(Duration.ofDays(daysLater));
    List<String> ids = List.of("a", "b", "c");
    List<Store> stores = new ArrayList<>();
    for (String id : ids) {
      stores.add(new Store(id, ids.stream().filter(it -> !it.equals(id)).toArray(String[]::new)));
    }
    for (int i = 0; i < 3; i++) {
      List<Batch> batches = batches("topic" + i, NOON);
      stores.get(i).test.store(batches);
      stores.get((i + 1) % 3).test.store(batches);
    }
    for (int hour = 0; hour < 4; hour++) {
      for (Store store : stores) {
        store.uploader.uploadDue();
      }
      now = now.plus(Duration.ofHours(1));
    }
    assertThat(uploaded()).hasSize(90);
    assertThat(stores.stream().mapToDouble(Store::uploaded).sum()).isEqualTo(2);
    for (Store store : stores) {
      store.close();
    }
  }

  @Test
  void ranksAreOfAllStoresAndChangeByDay() {
    Set<String> firsts = new TreeSet<>();
    List<String> ids = List.of("a", "b", "c");
    for (int day = 1; day <= 28; day++) {
      LocalDate date = LocalDate.of(2026, 11, day);
      assertThat(ids.stream().map(id -> BucketTurn.of(id, ids, date)))
          .containsExactlyInAnyOrder(0, 1, 2);
      ids.stream().filter(id -> BucketTurn.of(id, ids, date) == 0).forEach(firsts::add);
    }
    assertThat(firsts).containsExactly("a", "b", "c");
  }

  /** What is named, by key and length. */
  private List<String> named() throws IOException {
    Path manifests = folder.resolve("cold/named");
    List<String> lines = new ArrayList<>();
    if (Files.exists(manifests)) {
      try (Stream<Path> files = Files.walk(manifests)) {
        for (Path each : files.filter(Files::isRegularFile).toList()) {
          lines.addAll(Files.readAllLines(each));
        }
      }
    }
    return lines;
  }

  private List<String> lines(List<Path> objects) throws IOException {
    List<String> lines = new ArrayList<>();
    for (Path object : objects) {
      lines.add(folder.resolve("cold").relativize(object) + " " + Files.size(object));
    }
    return lines;
  }

  @Test
  void whatIsThereIsNamedOnce() throws IOException {
    kept = RetentionRule.all(List.of(RetentionRule.parse("audit*=7y")), ColdOptions.FOR_EVER);
    List<Batch> all = new ArrayList<>(batches("shop", NOON));
    all.addAll(batches("audit-web", NOON));
    try (var store = new Store("a")) {
      store.test.store(all);
      store.uploader.uploadDue();
      store.test.store(batches("late", NOON));
      now = now.plus(Duration.ofHours(1));
      store.uploader.uploadDue();
    }
    assertThat(objects()).hasSize(3);
    assertThat(named()).containsExactlyInAnyOrderElementsOf(lines(objects()));
    try (var store = new Store("a")) {
      store.uploader.uploadDue();
    }
    assertThat(named()).hasSize(3);
  }

  @Test
  void aStoreThatEndsBetweenAnObjectAndItsNameNamesItInItsNextLife() throws IOException {
    var bucket = new FaultyBucket(BucketUrl.parse(url).open());
    bucket.refusesPuts = key -> key.startsWith("named/");
    try (var store = new Store(bucket, "a")) {
      store.test.store(batches("shop", NOON));
      assertThatThrownBy(store.uploader::uploadDue).hasMessage("expected: 503");
    }
    assertThat(objects()).hasSize(1);
    assertThat(named()).isEmpty();
    try (var store = new Store("a")) {
      store.uploader.uploadDue();
      assertThat(store.uploaded()).isZero();
    }
    assertThat(named()).isEqualTo(lines(objects()));
  }

  @Test
  void whatWasPutBeforeAFailureIsNamed() throws IOException {
    kept = RetentionRule.all(List.of(RetentionRule.parse("audit*=7y")), ColdOptions.FOR_EVER);
    var bucket = new FaultyBucket(BucketUrl.parse(url).open());
    bucket.refusesPuts = key -> key.contains("/all/");
    List<Batch> all = new ArrayList<>(batches("shop", NOON));
    all.addAll(batches("audit-web", NOON));
    try (var store = new Store(bucket, "a")) {
      store.test.store(all);
      assertThatThrownBy(store.uploader::uploadDue).hasMessage("expected: 503");
    }
    assertThat(objects()).hasSize(1);
    assertThat(named()).isEqualTo(lines(objects()));
  }

  @Test
  void anObjectWithADamagedTailIsNoCopy() throws IOException {
    try (var store = new Store("a")) {
      store.test.store(batches("shop", NOON));
      store.uploader.uploadDue();
    }
    Path object = objects().getFirst();
    byte[] bytes = Files.readAllBytes(object);
    byte[] damaged = bytes.clone();
    damaged[bytes.length - 20] ^= 1;
    Files.write(object, damaged);
    try (var store = new Store("a")) {
      store.uploader.uploadDue();
      assertThat(store.uploaded()).isEqualTo(1);
    }
    assertThat(objects()).hasSize(1);
    assertThat(object).hasBinaryContent(bytes);
  }

  @Test
  void aDayInAnArchiveHoldsUpNoOther() throws IOException {
    var bucket = new FaultyBucket(BucketUrl.parse(url).open());
    List<Batch> next = batches("shop", NOON.plusSeconds(86_400));
    try (var store = new Store(bucket, "a")) {
      store.test.store(batches("shop", NOON));
      store.uploader.uploadDue();
      bucket.beforeTail =
          key -> {
            if (key.contains("/2026-11-24/")) {
              throw new BucketException(BucketException.Kind.ARCHIVED, "expected: archived");
            }
          };
      store.test.store(batches("late", NOON));
      store.test.store(next);
      now = now.plus(Duration.ofDays(1));
      assertThatThrownBy(store.uploader::uploadDue).hasMessage("expected: archived");
      bucket.beforeTail = _ -> {};
      assertThat(uploaded()).hasSize(60).containsAll(next);
      store.uploader.uploadDue();
      assertThat(uploaded()).hasSize(90);
    }
  }

  @Test
  void aManifestThatDoesNotReadHoldsUpNoUploads() throws IOException {
    var bucket = new FaultyBucket(BucketUrl.parse(url).open());
    try (var store = new Store(bucket, "a")) {
      store.test.store(batches("shop", NOON));
      store.uploader.uploadDue();
      bucket.beforeTail =
          key -> {
            if (key.startsWith("named/")) {
              throw new BucketException(BucketException.Kind.ARCHIVED, "expected: archived");
            }
          };
      store.test.store(batches("late", NOON));
      now = now.plus(Duration.ofHours(1));
      store.uploader.uploadDue();
      assertThat(uploaded()).hasSize(60);
      assertThat(named()).containsAll(lines(objects()));
    }
  }

  @Test
  void aStoreWithoutTheKeyOrWithOneThatIsNotNeededUploadsNothing() throws IOException {
    String plain = url;
    Path keys = EncryptionKeyFiles.write(folder.resolve("keys"), EncryptionKeyFiles.ONE);
    url = plain + "?key=" + keys;
    try (var store = new Store("a")) {
      store.test.store(batches("shop", NOON));
      store.uploader.uploadDue();
    }
    assertThat(uploaded()).isEqualTo(batches("shop", NOON));
    List<Path> before = objects();
    url = plain;
    try (var store = new Store("b")) {
      store.test.store(batches("other", NOON));
      assertThatThrownBy(store.uploader::uploadDue).hasMessageContaining("expected key=FILE");
    }
    url = plain + "?key=" + EncryptionKeyFiles.write(keys, EncryptionKeyFiles.OTHER);
    try (var store = new Store("b")) {
      assertThatThrownBy(store.uploader::uploadDue).hasMessageContaining("is encrypted by ");
    }
    assertThat(objects()).isEqualTo(before);
    url = folder.resolve("plain").toUri().toString();
    try (var store = new Store("b")) {
      store.uploader.uploadDue();
      assertThat(store.uploaded()).isEqualTo(1);
    }
    url += "?key=" + keys;
    try (var store = new Store("a")) {
      assertThatThrownBy(store.uploader::uploadDue).hasMessageContaining("is not encrypted");
    }
  }

  @Test
  void credentialsThatEndPauseUploads() throws IOException {
    try (var place = new SessionPlace();
        var store = new Store(place.open(), "a")) {
      store.test.store(batches("shop", NOON));
      var _ = store.uploader.step();
      place.isOver = true;
      store.test.store(batches("shop", NOON.minus(Duration.ofDays(1))));
      var _ = store.uploader.step();
      assertThat(store.paused()).containsExactly("expired");
      assertThat(store.uploaded()).isOne();
      assertThat(store.test.log.live()).hasSize(2);
      place.isOver = false;
      var _ = store.uploader.step();
      assertThat(store.paused()).isEmpty();
      assertThat(store.uploaded()).isEqualTo(2);
    }
  }

  @Test
  void whatSomebodyHasToMendIsToldByItsReason() throws IOException {
    try (var bucket = new FaultyBucket(BucketUrl.parse(url).open());
        var store = new Store(bucket, "a")) {
      store.test.store(batches("shop", NOON));
      for (var kind : BucketException.Kind.values()) {
        bucket.refusesPuts = _ -> true;
        bucket.refusal = kind;
        var _ = store.uploader.step();
        assertThat(store.paused())
            .isEqualTo(
                switch (kind) {
                  case DENIED, EXPIRED, KEY, FULL -> List.of(kind.name().toLowerCase(Locale.ROOT));
                  default -> List.of();
                });
      }
    }
  }

  @Test
  void aBucketThatIsAwayIsTriedAgainAndNothingIsLost() throws IOException {
    try (var store = new Store("a")) {
      store.test.store(batches("shop", NOON));
      url = folder.resolve("not/mounted").toUri().toString();
      try (var away = new Store("b")) {
        away.test.store(batches("shop", NOON));
        assertThatThrownBy(away.uploader::uploadDue).isInstanceOf(BucketException.class);
        Files.createDirectory(folder.resolve("not"));
        away.uploader.uploadDue();
        assertThat(away.uploaded()).isEqualTo(1);
        assertThat(away.test.log.folder().gather()).isEmptyDirectory();
      }
    }
  }
}
