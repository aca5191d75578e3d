package io.cordwood.store.keep;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.common.bucket.Bucket;
import io.cordwood.common.bucket.BucketException;
import io.cordwood.common.bucket.BucketUrl;
import io.cordwood.common.bucket.EncryptionKeyFiles;
import io.cordwood.common.bucket.FaultyBucket;
import io.cordwood.common.bucket.SessionPlace;
import io.cordwood.common.cold.ColdName;
import io.cordwood.common.cold.ColdReader;
import io.cordwood.common.cold.ColdSegments;
import io.cordwood.common.cold.ColdUpload;
import io.cordwood.common.file.CrashingFilesystem;
import io.cordwood.common.file.PowerLoss;
import io.cordwood.common.segment.Batch;
import io.cordwood.common.segment.SegmentFiles;
import io.cordwood.common.segment.SegmentSource.Evicted;
import io.cordwood.common.segment.Topic;
import io.cordwood.common.ulid.UlidRange;
import io.cordwood.store.ByTopic;
import io.cordwood.store.ColdOptions;
import io.cordwood.store.StoreOptions;
import io.cordwood.store.StoreOptions.Keeping;
import io.cordwood.store.cold.ProvenObjects;
import io.cordwood.store.segment.LiveSegment;
import io.cordwood.store.segment.Stored;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Nothing leaves a store that was not seen in the bucket, for two hours, batch by batch. */
final class EvictionTest {
  private static final Instant NOON = Instant.parse("2026-11-24T12:00:00Z");
  private static final Duration DAY = Duration.ofDays(1);

  @TempDir private Path folder;
  private FaultyBucket bucket;
  private ColdReader reader;
  private TestLog test;
  private Instant wall = NOON.plus(DAY);
  private long nanos;
  private long maxBytes;

  @BeforeEach
  void open() throws IOException {
    bucket = new FaultyBucket(BucketUrl.parse(place()).open());
    reader = readerOf(bucket);
    test = TestLog.open(folder.resolve("store"));
  }

  private String place() {
    return folder.resolve("bucket").toUri().toString();
  }

  private ColdReader readerOf(Bucket place) throws IOException {
    return new ColdReader(
        place,
        new ColdReader.Options(folder.resolve("reader"), 1 << 20, 1000),
        () -> wall,
        () -> nanos,
        new SimpleMeterRegistry());
  }

  @AfterEach
  void close() throws IOException {
    test.close();
    reader.close();
    bucket.close();
  }

  private static List<Batch> batches(Instant from) {
    return ColdSegments.batches(new Topic("shop"), from, 30);
  }

  private void upload(List<Batch> batches) throws IOException {
    Path file = Files.write(folder.resolve("settled"), ColdSegments.settled(batches));
    var _ = ColdUpload.put(bucket, file, ColdName.USUAL_CLASS);
  }

  private Retention retention() throws IOException {
    return retention(test);
  }

  private Retention retention(TestLog of) throws IOException {
    return retention(of, Optional.of(Duration.ofDays(2)), ByTopic.all(ColdOptions.FOR_EVER));
  }

  private Retention retention(TestLog of, Optional<Duration> after, ByTopic<Duration> inBucket)
      throws IOException {
    var cold =
        new ColdOptions(BucketUrl.parse(place()), Duration.ofHours(1), 1L << 40, after, inBucket);
    StoreOptions options =
        of.options.with(new Keeping(DAY.multipliedBy(7), DAY, maxBytes)).with(Optional.of(cold));
    return of.retention(options, Optional.of(new ProvenObjects(reader)), () -> wall, () -> nanos);
  }

  private void pass(Duration time) {
    wall = wall.plus(time);
    nanos += time.toNanos();
  }

  /** Has it look again and again for some hours. */
  private void hours(Retention retention, int hours) throws IOException {
    for (int i = 0; i < 4 * hours; i++) {
      pass(Duration.ofMinutes(15));
      retention.run();
    }
  }

  private int held() {
    return test.log.live().size();
  }

  private List<Evicted> evicted() {
    return test.log.lacks().evicted(UlidRange.ALL);
  }

  private List<Path> objects() throws IOException {
    try (Stream<Path> files = Files.walk(folder.resolve("bucket"))) {
      return files.filter(it -> it.toString().endsWith(".cws")).toList();
    }
  }

  @Test
  void whatWasListedForTwoHoursAndIsOldEnoughGoes() throws IOException {
    test.store(batches(NOON));
    upload(batches(NOON));
    Retention retention = retention();
    hours(retention, 23);
    assertThat(held()).isEqualTo(1);
    pass(DAY);
    hours(retention, 1);
    assertThat(held()).isEqualTo(1); // Old enough, and not listed for two hours by then.
    assertThat(evicted()).isEmpty();
    hours(retention, 2);
    assertThat(held()).isZero();
    assertThat(evicted())
        .singleElement()
        .satisfies(
            gone -> assertThat(gone.range().contains(batches(NOON).getLast().first())).isTrue())
        .satisfies(
            gone -> assertThat(gone.place()).isEqualTo(reader.marked().orElseThrow().toString()));
    assertThat(test.log.lacks().in(UlidRange.ALL)).isEmpty();
    assertThat(retention.horizons().of(new Topic("shop"))).isAfter(NOON);
    assertThat(test.log.folder().evicted()).exists();
    test.log.lacks().evictions(List.of());
    var _ = retention();
    assertThat(evicted()).isNotEmpty(); // after a restart, too
  }

  @Test
  void whatIsNotProvenStays() throws IOException {
    List<Batch> more = new ArrayList<>(batches(NOON));
    more.addAll(ColdSegments.batches(new Topic("late"), NOON, 1));
    test.store(more);
    upload(batches(NOON));
    Retention retention = retention();
    pass(DAY.multipliedBy(2));
    hours(retention, 5);
    assertThat(held()).isEqualTo(1);
    upload(ColdSegments.batches(new Topic("late"), NOON, 1));
    hours(retention, 4);
    assertThat(held()).isZero();
  }

  @Test
  void aBucketThatDoesNotAnswerOrLosesNamesEvictsNothing() throws IOException {
    test.store(batches(NOON));
    upload(batches(NOON));
    Retention retention = retention();
    pass(DAY.multipliedBy(2));
    bucket.listsNothing = true;
    hours(retention, 5);
    assertThat(held()).isEqualTo(1);
    bucket.listsNothing = false;
    hours(retention, 1);
    bucket.hides = _ -> true;
    hours(retention, 5);
    assertThat(held()).isEqualTo(1);
    bucket.hides = _ -> false;
    bucket.tailsNothing = true;
    hours(retention, 5);
    assertThat(held()).isEqualTo(1);
    bucket.tailsNothing = false;
    bucket.readsNothing = true;
    hours(retention, 5);
    assertThat(held()).isEqualTo(1);
    assertThat(evicted()).isEmpty();
    bucket.readsNothing = false;
    hours(retention, 1);
    assertThat(held()).isZero();
  }

  @Test
  void anObjectWithADamagedTailProvesNothing() throws IOException {
    test.store(batches(NOON));
    upload(batches(NOON));
    Path object = objects().getFirst();
    byte[] bytes = Files.readAllBytes(object);
    bytes[bytes.length - 20] ^= 1;
    Files.write(object, bytes);
    Retention retention = retention();
    pass(DAY.multipliedBy(2));
    hours(retention, 5);
    assertThat(held()).isEqualTo(1);
  }

  @Test
  void anObjectInAnArchiveProvesNothingAndHoldsUpNoOther() throws IOException {
    test.store(batches(NOON));
    test.store(batches(NOON.plus(DAY)));
    upload(batches(NOON));
    upload(batches(NOON.plus(DAY)));
    bucket.beforeTail =
        key -> {
          if (key.contains("/2026-11-24/")) {
            throw new BucketException(BucketException.Kind.ARCHIVED, "expected: archived");
          }
        };
    Retention retention = retention();
    pass(DAY.multipliedBy(3));
    hours(retention, 5);
    assertThat(held()).isEqualTo(1);
    bucket.beforeTail = _ -> {};
    hours(retention, 1);
    assertThat(held()).isZero();
  }

  @Test
  void encryptedObjectsProveNothingWithoutTheirKey() throws IOException {
    test.store(batches(NOON));
    Path keys = EncryptionKeyFiles.write(folder.resolve("keys"), EncryptionKeyFiles.ONE);
    String encrypted = place() + "?key=" + keys;
    reopen(BucketUrl.parse(encrypted).open());
    upload(batches(NOON));
    for (String without : new String[] {place(), encrypted.replace("keys", "others")}) {
      EncryptionKeyFiles.write(folder.resolve("others"), EncryptionKeyFiles.OTHER);
      reopen(BucketUrl.parse(without).open());
      Retention retention = retention();
      pass(DAY.multipliedBy(2));
      hours(retention, 5);
      assertThat(held()).isEqualTo(1);
    }
    reopen(BucketUrl.parse(encrypted).open());
    Retention retention = retention();
    pass(DAY.multipliedBy(2));
    hours(retention, 5);
    assertThat(held()).isZero();
  }

  @Test
  void credentialsThatEndEvictNothing() throws IOException {
    try (var place = new SessionPlace()) {
      reopen(place.open());
      test.store(batches(NOON));
      upload(batches(NOON));
      Retention retention = retention();
      pass(DAY.multipliedBy(2));
      hours(retention, 1);
      place.isOver = true;
      hours(retention, 5);
      assertThat(held()).isEqualTo(1);
      place.isOver = false;
      hours(retention, 1);
      assertThat(held()).isZero();
    }
  }

  private void reopen(Bucket place) throws IOException {
    reader.close();
    bucket.close();
    bucket = new FaultyBucket(place);
    reader = readerOf(bucket);
  }

  @Test
  void beyondTheByteBudgetWhatIsProvenGoesFirstAndNothingElse() throws IOException {
    wall = NOON.plus(Duration.ofHours(3));
    test.store(batches(NOON));
    test.store(batches(NOON.plusSeconds(60)));
    maxBytes = 1;
    upload(batches(NOON));
    Retention retention = retention();
    hours(retention, 5);
    assertThat(held()).isEqualTo(1);
    assertThat(test.log.lacks().in(UlidRange.ALL)).isEmpty();
    assertThat(evicted()).isNotEmpty();
  }

  @Test
  void aPowerLossAtAnyPointLeavesTheSegmentOrTheNote() throws IOException {
    var disk = new CrashingFilesystem();
    Path home = folder.resolve("lossy");
    upload(batches(NOON));
    int from;
    try (var lossy = new TestLog(home, disk, 1 << 20)) {
      lossy.store(batches(NOON));
      from = disk.point();
      Retention retention = retention(lossy);
      pass(DAY.multipliedBy(2));
      hours(retention, 4);
      assertThat(lossy.log.live()).isEmpty();
    }
    var random = new SplittableRandom(47);
    int noted = 0;
    var loss = new PowerLoss(disk, from);
    for (int point = from; point <= disk.point(); point++) {
      loss.goOnTo(point);
      for (PowerLoss.Survival survival : PowerLoss.Survival.values()) {
        Path left = Files.createDirectory(folder.resolve(point + "-" + survival));
        for (var file : loss.state(survival, random).entrySet()) {
          if (home.equals(file.getKey().getParent())) {
            Files.write(left.resolve(file.getKey().getFileName()), file.getValue().array());
          }
        }
        try (var again = TestLog.open(left)) {
          var _ = retention(again);
          boolean isNoted = !again.log.lacks().evicted(UlidRange.ALL).isEmpty();
          boolean isThere = Stored.batches(again.log).equals(SegmentFiles.sorted(batches(NOON)));
          assertThat(isThere || isNoted).as("%s %s", point, survival).isTrue();
          noted += isNoted ? 1 : 0;
        }
      }
    }
    assertThat(noted).isPositive();
  }

  /** Written long ago, as retention looks at both. */
  private void age() throws IOException {
    for (LiveSegment segment : test.log.live()) {
      Files.setLastModifiedTime(segment.file(), FileTime.from(NOON));
    }
  }

  @Test
  void whatTheBucketIsToKeepForLongerStaysUntilItIsThere() throws IOException {
    test.store(batches(NOON));
    age();
    Retention retention = retention(test, Optional.empty(), ByTopic.all(ColdOptions.FOR_EVER));
    pass(DAY.multipliedBy(7));
    hours(retention, 24);
    assertThat(held()).isEqualTo(1);
    upload(batches(NOON));
    hours(retention, 1);
    assertThat(held()).isEqualTo(1);
    hours(retention, 3);
    assertThat(held()).isZero();
    assertThat(evicted()).isNotEmpty(); // Beyond the time on disks, and in the bucket.
    pass(DAY.multipliedBy(300));
    retention.run();
    assertThat(evicted()).isNotEmpty();
  }

  @Test
  void whatIsOverInTheBucketTooGoesWithoutIt() throws IOException {
    test.store(batches(NOON));
    age();
    ByTopic<Duration> inBucket = ByTopic.all(DAY.multipliedBy(9));
    Retention retention = retention(test, Optional.empty(), inBucket);
    pass(DAY.multipliedBy(7));
    hours(retention, 20);
    assertThat(held()).isEqualTo(1);
    hours(retention, 48);
    assertThat(held()).isZero();
    assertThat(evicted()).isEmpty();
  }
}
