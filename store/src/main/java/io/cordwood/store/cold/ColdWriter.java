package io.cordwood.store.cold;

import io.cordwood.common.bucket.Bucket;
import io.cordwood.common.cold.ColdObject;
import io.cordwood.common.cold.ColdUpload;
import io.cordwood.common.segment.Batch;
import io.cordwood.common.segment.BatchInfo;
import io.cordwood.common.ulid.UlidRange;
import io.cordwood.store.ByTopic;
import io.cordwood.store.ColdOptions;
import io.cordwood.store.DiskPace;
import io.cordwood.store.segment.LiveSegment;
import io.cordwood.store.segment.SegmentBuilder;
import io.cordwood.store.segment.SegmentMerge;
import io.cordwood.store.segment.SettledFile;
import io.cordwood.store.segment.StoreLog;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * Makes objects of what a bucket lacks, and uploads them: those of each time that records are kept
 * there by themselves, so that a rule deletes them whole. One thread.
 */
final class ColdWriter {
  /** In the folder that is emptied at each start. */
  private static final String PREFIX = "cold-";

  private final StoreLog log;
  private final ColdUpload uploads;
  private final ByTopic<Duration> retention;
  private final ColdMetrics metrics;
  private final DiskPace pace;

  ColdWriter(
      StoreLog log,
      Bucket bucket,
      ByTopic<Duration> retention,
      ColdMetrics metrics,
      DiskPace pace) {
    this.log = log;
    this.uploads = new ColdUpload(bucket);
    this.retention = retention;
    this.metrics = metrics;
    this.pace = pace;
  }

  /**
   * Uploads the batches of a range, as one object for each retention, or as more if the format has
   * no room.
   *
   * @param segments that hold them, held
   * @param there the batches that the bucket has; those that are uploaded are added
   * @param put gets each object once it is there
   */
  void write(
      List<LiveSegment> segments, UlidRange range, Set<BatchInfo> there, Consumer<ColdObject> put)
      throws IOException {
    for (Duration kept : new TreeSet<>(retention.all())) {
      boolean more = true;
      while (more) {
        more = writeOne(segments, range, kept, there, put);
      }
    }
  }

  /** Whether there is more to write. */
  private boolean writeOne(
      List<LiveSegment> segments,
      UlidRange range,
      Duration kept,
      Set<BatchInfo> there,
      Consumer<ColdObject> put)
      throws IOException {
    boolean[] full = {false};
    try (SegmentBuilder builder = log.newActive();
        var merge =
            SegmentMerge.ofBatches(
                segments,
                it -> it.range().overlaps(range) && retention.of(it.topic()).equals(kept))) {
      merge.run(batch -> {
        if (range.contains(batch.first()) && !there.contains(BatchInfo.of(batch))) {
          full[0] |= builder.isFull();
          if (!full[0]) {
            append(builder, batch, there);
          }
        }
      });
      if (builder.payloadBytes() > 0) {
        put.accept(upload(builder.flush(), ColdOptions.className(kept)));
      }
    }
    return full[0];
  }

  private void append(SegmentBuilder builder, Batch batch, Set<BatchInfo> there)
      throws IOException {
    builder.append(batch);
    there.add(BatchInfo.of(batch));
    pace.add(batch.payload().remaining());
  }

  private ColdObject upload(SegmentBuilder.Flushed flushed, String className) throws IOException {
    Path file = log.folder().gather().resolve(PREFIX + UUID.randomUUID());
    try {
      SettledFile.write(flushed.segment(), log.folder().filesystem(), file, pace);
      ColdObject put = uploads.put(file, className);
      metrics.uploaded(put.bytes(), flushed.segment().records());
      return put;
    } finally {
      flushed.segment().release();
      SegmentBuilder.discard(log.folder().filesystem(), flushed.path(), null);
      SegmentBuilder.discard(log.folder().filesystem(), file, null);
    }
  }
}
