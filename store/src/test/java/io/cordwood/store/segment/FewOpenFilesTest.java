package io.cordwood.store.segment;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.common.file.Filesystem;
import io.cordwood.common.file.OpenFiles;
import io.cordwood.common.segment.Batch;
import io.cordwood.common.segment.Records;
import io.cordwood.common.segment.SegmentFiles;
import io.cordwood.common.segment.Topic;
import io.cordwood.common.ulid.UlidRange;
import io.cordwood.store.StoreMetrics;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A store of more segments than it may have open serves all of them, whatever becomes of them. */
final class FewOpenFilesTest {
  private static final int MOST = 2;
  private static final int SEGMENTS = 12;

  @TempDir Path folder;

  private final OpenFiles files = new OpenFiles(Filesystem.real(), MOST);
  private final Records records = new Records(3);
  private final List<Batch> all = new ArrayList<>();

  private StoreLog open() throws IOException {
    var stored = new StoreFolder(Filesystem.real(), folder, InstantSource.system(), files);
    return StoreRecovery.open(stored, new StoreMetrics(new SimpleMeterRegistry()));
  }

  private void fill(StoreLog log) throws IOException {
    for (int i = 0; i < SEGMENTS; i++) {
      List<Batch> batches = new ArrayList<>();
      for (int j = 0; j < 6; j++) {
        batches.add(records.batch(j % 2 == 0 ? Topic.DEFAULT : new Topic("other"), 9));
      }
      all.addAll(batches);
      write(log, SegmentFiles.sorted(batches), List.of());
    }
  }

  private static void write(StoreLog log, List<Batch> batches, List<LiveSegment> old)
      throws IOException {
    try (SegmentBuilder active = log.newActive()) {
      for (Batch batch : batches) {
        active.append(batch);
      }
      if (old.isEmpty()) {
        log.publish(active.flush());
      } else {
        log.replace(old, active.flush());
      }
    }
  }

  private List<Batch> expected() {
    return SegmentFiles.sorted(all);
  }

  @Test
  void allAreReadAndSearchedWithFewOpen() throws IOException {
    try (StoreLog log = open()) {
      fill(log);
      for (int round = 0; round < 2; round++) {
        assertThat(Stored.batches(log)).isEqualTo(expected());
        assertThat(files.count()).isLessThanOrEqualTo(MOST);
      }
    }
    try (StoreLog again = open()) {
      assertThat(Stored.batches(again)).isEqualTo(expected());
      assertThat(files.count()).isLessThanOrEqualTo(MOST);
    }
    assertThat(files.count()).isZero();
  }

  @Test
  void whoHoldsSegmentsReadsThemAfterTheyWereReplacedTrashedAndPurged() throws IOException {
    try (StoreLog log = open()) {
      fill(log);
      HeldSegments held = log.hold(UlidRange.ALL);
      List<LiveSegment> live = log.live();
      List<LiveSegment> merged = live.subList(0, SEGMENTS / 2);
      write(log, Stored.merged(merged.stream().map(LiveSegment::segment).toList()), merged);
      for (LiveSegment old : live.subList(SEGMENTS / 2, SEGMENTS)) {
        log.purge(log.trash(old, Instant.now()));
      }
      assertThat(Stored.merged(held.segments())).isEqualTo(expected());
      held.close();
      assertThat(log.live()).hasSize(1);
      assertThat(Stored.batches(log)).hasSizeBetween(1, all.size() - 1);
      assertThat(files.count()).isLessThanOrEqualTo(MOST);
    }
  }
}
