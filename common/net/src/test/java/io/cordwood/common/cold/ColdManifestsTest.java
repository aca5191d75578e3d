package io.cordwood.common.cold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.common.bucket.BucketException;
import io.cordwood.common.bucket.BucketRequests.Verb;
import io.cordwood.common.bucket.BucketUrl;
import io.cordwood.common.bucket.FaultyBucket;
import io.cordwood.common.segment.Topic;
import io.cordwood.common.testing.BitFlips;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.ulid.UlidRange;
import io.cordwood.common.wire.CorruptException;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who has never seen an object knows by its name in the bucket that a list lacks it. */
final class ColdManifestsTest {
  private static final Instant NOON = Instant.parse("2026-11-24T12:00:00Z");
  private static final LocalDate DAY = LocalDate.parse("2026-11-24");
  private static final int MANY = 5000;

  @TempDir private Path folder;
  private final List<Reader> readers = new ArrayList<>();
  private FaultyBucket bucket;
  private Instant now = NOON;

  @BeforeEach
  void open() throws IOException {
    bucket = new FaultyBucket(BucketUrl.parse(folder.resolve("bucket").toUri() + "").open());
  }

  @AfterEach
  void close() {
    readers.forEach(it -> it.reader.close());
    bucket.close();
  }

  /** One with an empty disk. */
  private final class Reader {
    final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    final ColdReader reader;

    Reader() throws IOException {
      Path own = Files.createDirectories(folder.resolve("reader" + readers.size()));
      var options = new ColdReader.Options(own, 1 << 20, 1000);
      reader =
          new ColdReader(
              bucket, options, () -> now, () -> now.getEpochSecond() * 1_000_000_000, meters);
      readers.add(this);
    }

    /** By a list of now. */
    ColdCatalogue.Found found(UlidRange range) throws IOException {
      now = now.plus(Duration.ofHours(1));
      return reader.catalogue().find(range);
    }

    ColdCatalogue.Found found() throws IOException {
      return found(UlidRange.ALL);
    }

    double count(String name) {
      return meters.get("cordwood.cold." + name).counter().count();
    }
  }

  private ColdObject upload(String topic, Instant from) throws IOException {
    Path file = folder.resolve("settled");
    Files.write(file, ColdSegments.settled(ColdSegments.batches(new Topic(topic), from, 20)));
    return ColdUpload.put(bucket, file, ColdName.USUAL_CLASS);
  }

  private ColdObject named(String topic) throws IOException {
    ColdObject object = upload(topic, NOON);
    ColdManifests.put(bucket, DAY, List.of(object));
    return object;
  }

  private Path onlyManifest() throws IOException {
    try (Stream<Path> files = Files.list(folder.resolve("bucket/named/" + DAY))) {
      List<Path> all = files.toList();
      assertThat(all).hasSize(1);
      return all.getFirst();
    }
  }

  @Test
  void whatIsNamedAndNotListedIsMissedOnAnEmptyDiskAndReadByItsName() throws IOException {
    ColdObject object = named("shop");
    ColdObject other = upload("audit", NOON);
    bucket.hides = key -> key.equals(object.name().key());
    var reader = new Reader();
    ColdCatalogue.Found found = reader.found();
    assertThat(found.absent()).isEqualTo(1);
    assertThat(found.objects())
        .extracting(ColdObject::name)
        .containsExactlyInAnyOrder(object.name(), other.name());
    assertThat(reader.count("lists.refused")).isEqualTo(1);
    assertThat(reader.reader.catalogue().proven(UlidRange.ALL).objects()).isEmpty();
    reader.reader.open(object).release();
    bucket.hides = _ -> false;
    assertThat(reader.found().absent()).isZero();
    now = now.plus(ColdTimes.USUAL.proof());
    assertThat(reader.reader.catalogue().proven(UlidRange.ALL).objects()).hasSize(2);
  }

  @Test
  void aListIsComparedWithWhatIsNamedAndNotOver() throws IOException {
    ColdObject hidden = named("shop");
    ColdObject listed = named("audit");
    bucket.hides = key -> key.equals(hidden.name().key());
    ComparedList compared = ComparedList.of(bucket, UlidRange.ALL);
    assertThat(compared.lacking()).extracting(ColdObject::name).containsExactly(hidden.name());
    assertThat(compared.list().objects())
        .extracting(ColdObject::name)
        .containsExactly(listed.name());
    Ulid later = Ulid.firstOf(NOON.plusSeconds(3600).toEpochMilli());
    assertThat(ComparedList.of(bucket, UlidRange.ALL.since(later)).all()).isEmpty();
    ColdEnds.put(bucket, DAY, List.of(hidden.name()));
    assertThat(ComparedList.of(bucket, UlidRange.ALL).lacking()).isEmpty();
  }

  @Test
  void aManifestIsReadOnceAndOnlyForItsDay() throws IOException {
    named("shop");
    var reader = new Reader();
    var later = UlidRange.ALL.since(Ulid.firstOf(NOON.plusSeconds(86_400).toEpochMilli()));
    long before = bucket.requests().count(Verb.GET);
    assertThat(reader.found(later).objects()).isEmpty();
    long mark = bucket.requests().count(Verb.GET) - before;
    assertThat(reader.found().objects()).hasSize(1);
    assertThat(reader.found().objects()).hasSize(1);
    assertThat(bucket.requests().count(Verb.GET) - before).isEqualTo(3 * mark + 1);
  }

  @Test
  void aDamagedManifestMakesItsDayDoubtfulUntilItIsReadRight() throws IOException {
    ColdObject object = named("shop");
    Path manifest = onlyManifest();
    byte[] right = Files.readAllBytes(manifest);
    BitFlips.flip(manifest, 40);
    var reader = new Reader();
    ColdCatalogue.Found found = reader.found();
    assertThat(found.objects()).hasSize(1);
    assertThat(found.unread()).hasSize(1);
    assertThat(found.unread().getFirst().why())
        .contains("named/" + DAY + "/" + manifest.getFileName() + ": ")
        .contains("expected the bytes of its name, found " + right.length + " of ");
    assertThat(reader.count("unread.manifests")).isEqualTo(1);
    Files.write(manifest, new byte[0]);
    assertThat(reader.found().unread().getFirst().why()).contains("found 0");
    assertThat(reader.found(ofNextDay()).unread()).isEmpty();
    bucket.hides = key -> key.equals(object.name().key());
    Files.write(manifest, right);
    var fresh = new Reader();
    assertThat(fresh.found().unread()).isEmpty();
    assertThat(fresh.found().absent()).isEqualTo(1);
  }

  private static UlidRange ofNextDay() {
    return ColdName.rangeOf(DAY.plusDays(1));
  }

  @Test
  void whatIsDamagedOnItsWayIsReadOnceMore() throws IOException {
    named("shop");
    Path manifest = onlyManifest();
    byte[] right = Files.readAllBytes(manifest);
    BitFlips.flip(manifest, 40);
    var reads = new AtomicInteger();
    bucket.beforeTail =
        key -> {
          if (key.startsWith("named/") && reads.incrementAndGet() == 2) {
            Files.write(manifest, right);
          }
        };
    assertThat(new Reader().found().unread()).isEmpty();
    assertThat(reads).hasValue(2);
  }

  @Test
  void whatNamesObjectsMayGoWithItsDayOnceItWasListed() throws IOException {
    ColdObject object = named("shop");
    ColdEnds.put(bucket, DAY, List.of(object.name()));
    bucket.beforeTail =
        key -> {
          if (key.startsWith("named/") || key.startsWith("ended/")) {
            bucket.delete(key);
          }
        };
    var reader = new Reader();
    assertThat(reader.found().all()).hasSize(1);
    assertThat(reader.count("unread.manifests")).isZero();
  }

  private void refuseManifests(BucketException.Kind kind) {
    bucket.beforeTail =
        key -> {
          if (key.startsWith("named/")) {
            throw new BucketException(kind, "expected: refused");
          }
        };
  }

  @Test
  void aManifestThatIsNotGivenFailsNoListAndIsAskedForAgain() throws IOException {
    ColdObject object = named("shop");
    var reader = new Reader();
    refuseManifests(BucketException.Kind.ARCHIVED);
    ColdCatalogue.Found found = reader.found();
    assertThat(found.objects()).hasSize(1);
    assertThat(found.unread()).extracting(UnreadManifest::day).containsExactly(DAY);
    assertThat(found.unread().getFirst().why()).endsWith(": expected: refused");
    long lists = bucket.requests().count(Verb.LIST);
    assertThat(reader.reader.catalogue().find(UlidRange.ALL).unread()).hasSize(1);
    assertThat(bucket.requests().count(Verb.LIST)).isEqualTo(lists);
    bucket.beforeTail = _ -> {};
    bucket.hides = key -> key.equals(object.name().key());
    assertThat(reader.found().absent()).isEqualTo(1);
    assertThat(reader.found().unread()).isEmpty();
  }

  @Test
  void aListWhoseManifestsMayReadTheNextTimeIsMadeAgain() throws IOException {
    named("shop");
    var reader = new Reader();
    refuseManifests(BucketException.Kind.UNREACHABLE);
    assertThat(reader.found().unread()).hasSize(1);
    bucket.beforeTail = _ -> {};
    assertThat(reader.reader.catalogue().find(UlidRange.ALL).unread()).isEmpty();
  }

  @Test
  void anObjectOfNoBytesIsNoStranger() throws IOException {
    ColdObject object = upload("shop", NOON);
    Files.write(folder.resolve("bucket").resolve(object.name().key()), new byte[0]);
    var reader = new Reader();
    ColdObject found = reader.found().objects().getFirst();
    assertThat(found.name()).isEqualTo(object.name());
    assertThatThrownBy(() -> reader.reader.open(found)).isInstanceOf(CorruptException.class);
  }

  @Test
  void whatIsOverIsNotMissedThoughItIsNamed() throws IOException {
    ColdObject object = named("shop");
    ColdEnds.put(bucket, DAY, List.of(object.name()));
    bucket.delete(object.name().key());
    var reader = new Reader();
    ColdCatalogue.Found found = reader.found();
    assertThat(found.all()).isEmpty();
    assertThat(found.absent()).isZero();
    assertThat(reader.count("lists.refused")).isZero();
    assertThat(reader.reader.catalogue().needlessManifests()).containsValue(DAY);
  }

  @Test
  void namesAreAddedOnce() throws IOException {
    ColdObject first = upload("shop", NOON);
    ColdObject second = upload("audit", NOON);
    ColdManifests.add(bucket, DAY, List.of(first));
    ColdManifests.add(bucket, DAY, List.of(first));
    assertThat(onlyManifest()).hasContent(first.name() + " " + first.bytes());
    ColdManifests.add(bucket, DAY, List.of(first, second));
    assertThat(bucket.listAll(ColdManifests.ROOT)).hasSize(2);
    BitFlips.flip(folder.resolve("bucket").resolve(bucket.listAll("named/").getFirst().key()), 40);
    ColdManifests.add(bucket, DAY, List.of(first, second));
    bucket.hides = key -> key.endsWith(".cws");
    assertThat(new Reader().found().absent()).isEqualTo(2);
  }

  @Test
  void aDayOfManyObjectsIsNamedInSeveralManifests() throws IOException {
    ColdObject object = upload("shop", NOON);
    List<ColdObject> many = new ArrayList<>();
    for (int i = 0; i < MANY; i++) {
      ColdName it = object.name();
      var name = new ColdName(it.retention(), it.range(), it.tailBytes(), "%032x".formatted(i));
      many.add(new ColdObject(name, object.bytes(), object.uploaded()));
    }
    ColdManifests.put(bucket, DAY, many);
    assertThat(bucket.listAll(ColdManifests.ROOT)).hasSize(2);
    assertThat(new Reader().found().absent()).isEqualTo(MANY);
  }

  @Test
  void linesThatDoNotReadAreLeftOut() throws IOException {
    ColdObject object = upload("shop", NOON);
    String key = object.name().key();
    List<String> lines =
        List.of(key, key + " -1", key + " x", key + " 1", key + " 1000000 of 2", "x 1", "");
    DayLines.put(bucket, ColdManifests.ROOT, DAY, lines);
    LocalDate next = DAY.plusDays(1);
    DayLines.put(bucket, ColdManifests.ROOT, next, List.of(key + " " + object.bytes()));
    bucket.hides = it -> it.endsWith(".cws");
    assertThat(new Reader().found().all()).isEmpty();
  }
}
