package io.cordwood.dist.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cordwood.common.bucket.Bucket;
import io.cordwood.common.bucket.BucketUrl;
import io.cordwood.common.cold.ColdEnds;
import io.cordwood.common.cold.ColdName;
import io.cordwood.common.cold.ColdReader;
import io.cordwood.common.cold.ColdSegments;
import io.cordwood.common.cold.ColdTimes;
import io.cordwood.common.cold.ColdUpload;
import io.cordwood.common.deletion.RandomTombstones;
import io.cordwood.common.deletion.Tombstones;
import io.cordwood.common.deletion.WaitingDeletions;
import io.cordwood.common.segment.Batch;
import io.cordwood.common.segment.Topic;
import io.cordwood.common.ulid.UlidRange;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class BucketStatusTest {
  private static final Instant NOON = Instant.parse("2026-11-24T12:00:00Z");
  private static final Topic SHOP = new Topic("shop");

  @TempDir private Path folder;
  private final AtomicLong nanos = new AtomicLong();

  /** Dictionaries are pieces of records; so a tail must not stay for longer than its object. */
  @Test
  void theTailOfAnObjectThatHeldSomethingDeletedGoesThoughNobodyAsks() throws IOException {
    try (Bucket bucket = BucketUrl.parse(folder.resolve("bucket").toUri().toString()).open();
        var reader =
            new ColdReader(
                bucket,
                new ColdReader.Options(folder.resolve("cold"), 1 << 20, 1000),
                () -> NOON.plus(Duration.ofDays(30)).plusNanos(nanos.get()),
                nanos::get,
                new SimpleMeterRegistry())) {
      List<Batch> batches = ColdSegments.batches(SHOP, NOON, 10);
      ColdName old = upload(bucket, batches);
      ColdName other = upload(bucket, ColdSegments.batches(SHOP, NOON.plusSeconds(7200), 3));
      reader.view(UlidRange.ALL, () -> false).close();
      Tombstones deleted = RandomTombstones.naming(SHOP, batches.get(4).first().plus(3));
      var status = new BucketStatus(reader);
      assertThat(waits(status, deleted))
          .hasValueSatisfying(it -> assertThat(it).contains(old + ""));
      assertThat(tail(old)).exists();
      ColdEnds.put(bucket, old.day(), List.of(old));
      bucket.delete(old.key());
      nanos.addAndGet(ColdTimes.USUAL.fresh().toNanos());
      await().until(() -> waits(status, deleted).isEmpty());
      assertThat(tail(old)).doesNotExist();
      assertThat(tail(other)).exists();
    }
  }

  private static Optional<String> waits(BucketStatus status, Tombstones deleted) {
    var waiting = new WaitingDeletions(deleted);
    status.addTo(waiting);
    return deleted.all().stream().flatMap(it -> waiting.why(it).stream()).findFirst();
  }

  private Path tail(ColdName name) {
    return folder.resolve("cold/tails").resolve(name.hash() + ".tail");
  }

  private ColdName upload(Bucket bucket, List<Batch> batches) throws IOException {
    Path file = Files.write(folder.resolve("settled"), ColdSegments.settled(batches));
    return ColdUpload.put(bucket, file, ColdName.USUAL_CLASS).name();
  }
}
