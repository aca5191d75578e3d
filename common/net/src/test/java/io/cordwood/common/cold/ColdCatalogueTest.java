package io.cordwood.common.cold;

import static org.assertj.core.api.Assertions.assertThat;

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
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a list that takes its time says of the objects that came meanwhile. */
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
}
