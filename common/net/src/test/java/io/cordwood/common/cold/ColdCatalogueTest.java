package io.cordwood.common.cold;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.common.bucket.Bucket.Entry;
import io.cordwood.common.bucket.BucketUrl;
import io.cordwood.common.bucket.FaultyBucket;
import io.cordwood.common.segment.Topic;
import io.cordwood.common.ulid.UlidRange;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Lists that take their time, or have names and lengths that are wrong. */
final class ColdCatalogueTest {
  private static final Instant NOON = Instant.parse("2026-11-24T12:00:00Z");
  private static final Duration PROOF = ColdTimes.USUAL.proof();

  @TempDir private Path folder;
  private final AtomicLong nanos = new AtomicLong();

  private void pass(Duration time) {
    nanos.addAndGet(time.toNanos());
  }

  /** A node that listed just before it came relies on that list for as long as a proof takes. */
  @Test
  void whatComesWhileAListIsMadeIsNoOlderThanTheEndOfTheList() throws IOException {
    Path file = folder.resolve("settled");
    Files.write(file, ColdSegments.settled(ColdSegments.batches(new Topic("shop"), NOON, 20)));
    String place = folder.resolve("bucket").toUri().toString();
    var options = new ColdReader.Options(folder.resolve("cold"), 1 << 20, 1000);
    Files.createDirectories(options.folder());
    try (var bucket = new FaultyBucket(BucketUrl.parse(place).open());
        var reader =
            new ColdReader(
                bucket,
                options,
                () -> NOON.plusNanos(nanos.get()),
                nanos::get,
                new SimpleMeterRegistry())) {
      bucket.beforeTail =
          _ -> {
            bucket.beforeTail = _ -> {};
            pass(PROOF);
            var _ = ColdUpload.put(bucket, file, ColdName.USUAL_CLASS);
          };
      assertThat(reader.catalogue().find(UlidRange.ALL).objects()).hasSize(1);
      assertThat(reader.catalogue().proven(UlidRange.ALL).objects()).isEmpty();
      pass(PROOF);
      assertThat(reader.catalogue().proven(UlidRange.ALL).objects()).hasSize(1);
    }
  }

  /** A reader with a bucket that does not do as it should. */
  private final class Misreading implements AutoCloseable {
    final FaultyBucket bucket;
    ColdReader reader;

    Misreading() throws IOException {
      bucket = new FaultyBucket(BucketUrl.parse(folder.resolve("bucket").toUri() + "").open());
      reader = reader();
    }

    private ColdReader reader() throws IOException {
      return new ColdReader(
          bucket,
          new ColdReader.Options(Files.createDirectories(folder.resolve("cold")), 1 << 20, 1000),
          () -> NOON.plusNanos(nanos.get()),
          nanos::get,
          new SimpleMeterRegistry());
    }

    void restart() throws IOException {
      reader.close();
      reader = reader();
    }

    ColdObject upload(String topic) throws IOException {
      Path file = folder.resolve("settled");
      Files.write(file, ColdSegments.settled(ColdSegments.batches(new Topic(topic), NOON, 20)));
      return ColdUpload.put(bucket, file, ColdName.USUAL_CLASS);
    }

    /** By a list of now. */
    ColdCatalogue.Found found() throws IOException {
      pass(Duration.ofHours(1));
      return reader.catalogue().find(UlidRange.ALL);
    }

    @Override
    public void close() {
      reader.close();
      bucket.close();
    }
  }

  /** Another last digit of the hash. */
  private static Entry misread(Entry it) {
    int digit = it.key().length() - ".cws".length() - 1;
    char other = it.key().charAt(digit) == '0' ? '1' : '0';
    String key = it.key().substring(0, digit) + other + it.key().substring(digit + 1);
    return it.key().endsWith(".cws") ? new Entry(key, it.bytes(), it.modified()) : it;
  }

  @Test
  void aNameThatAListHadWrongIsForgottenOverRestartsToo() throws IOException {
    try (var place = new Misreading()) {
      ColdObject real = place.upload("shop");
      place.bucket.misreads = ColdCatalogueTest::misread;
      assertThat(place.found().objects()).extracting(ColdObject::name).doesNotContain(real.name());
      place.bucket.misreads = it -> it;
      place.restart();
      ColdCatalogue.Found found = place.found();
      assertThat(found.objects()).extracting(ColdObject::name).containsExactly(real.name());
      assertThat(found.absent()).isZero();
      place.restart();
      assertThat(place.found().objects()).hasSize(1);
      assertThat(place.reader.catalogue().size()).isEqualTo(1);
    }
  }

  @Test
  void theNameOfAnObjectThatIsOverIsDroppedOnceItHasGone() throws IOException {
    Path names = folder.resolve("cold/names");
    try (var place = new Misreading()) {
      ColdName over = place.upload("shop").name();
      ColdName stays = place.upload("audit").name();
      assertThat(place.found().objects()).hasSize(2);
      ColdEnds.put(place.bucket, over.day(), List.of(over));
      assertThat(place.found().ending()).extracting(ColdObject::name).containsExactly(over);
      place.restart(); // Its tail is here, which may have what is deleted.
      assertThat(place.reader.catalogue().known()).hasSize(2);
      assertThat(place.found().ending()).hasSize(1);
      place.bucket.delete(over.key());
      assertThat(place.found().all()).extracting(ColdObject::name).containsExactly(stays);
      place.restart();
      assertThat(place.reader.catalogue().known())
          .extracting(ColdObject::name)
          .containsExactly(stays);
      assertThat(names).content().doesNotContain(over.key()).contains(stays.key());
    }
  }

  @Test
  void aNameThatWasRightStaysKnownBesideOneThatIsWrong() throws IOException {
    try (var place = new Misreading()) {
      ColdObject real = place.upload("shop");
      assertThat(place.found().absent()).isZero();
      place.bucket.misreads = ColdCatalogueTest::misread;
      ColdCatalogue.Found wrong = place.found();
      assertThat(wrong.objects()).extracting(ColdObject::name).contains(real.name()).hasSize(2);
      assertThat(wrong.absent()).isEqualTo(1);
      place.bucket.misreads = it -> it;
      ColdCatalogue.Found found = place.found();
      assertThat(found.objects()).extracting(ColdObject::name).containsExactly(real.name());
      assertThat(found.absent()).isZero();
    }
  }

  @Test
  void objectsThatAListLacksAreNotTakenForMisread() throws IOException {
    try (var place = new Misreading()) {
      ColdObject first = place.upload("shop");
      ColdObject second = place.upload("audit");
      assertThat(place.found().objects()).hasSize(2);
      place.bucket.hides = key -> key.equals(first.name().key());
      assertThat(place.found().absent()).isEqualTo(1);
      place.bucket.delete(first.name().key());
      assertThat(place.found().absent()).isEqualTo(1);
      place.restart();
      assertThat(place.found().objects())
          .extracting(ColdObject::name)
          .containsExactlyInAnyOrder(first.name(), second.name());
    }
  }

  @Test
  void aLengthThatAListHadWrongIsThatOfTheNextOne() throws IOException {
    try (var place = new Misreading()) {
      ColdObject real = place.upload("shop");
      place.bucket.misreads = it -> new Entry(it.key(), it.bytes() + (1 << 20), it.modified());
      assertThat(place.found().objects().getFirst().bytes()).isNotEqualTo(real.bytes());
      place.bucket.misreads = it -> it;
      assertThat(place.found().objects().getFirst().bytes()).isEqualTo(real.bytes());
      place.restart();
      place.bucket.hides = _ -> true;
      assertThat(place.found().objects().getFirst().bytes()).isEqualTo(real.bytes());
    }
  }
}
