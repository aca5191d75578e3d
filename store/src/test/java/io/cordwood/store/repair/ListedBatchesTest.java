package io.cordwood.store.repair;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.common.segment.Batch;
import io.cordwood.common.segment.BatchInfo;
import io.cordwood.common.segment.BlockInfo;
import io.cordwood.common.segment.Fingerprint;
import io.cordwood.common.segment.Records;
import io.cordwood.common.segment.SegmentFiles;
import io.cordwood.common.segment.SliceSums;
import io.cordwood.common.segment.Topic;
import io.cordwood.common.testing.BitFlips;
import io.cordwood.common.ulid.UlidRange;
import io.cordwood.store.ByTopic;
import io.cordwood.store.RepairOptions;
import io.cordwood.store.StopFlag;
import io.cordwood.store.keep.TestLog;
import io.cordwood.store.segment.LiveSegment;
import io.cordwood.store.segment.Stored;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A store tells what it holds by the lists of its segments, and reads blocks only without. */
final class ListedBatchesTest {
  @TempDir Path folder;
  private final Records records = new Records(31);
  private final List<Batch> batches = new ArrayList<>();

  {
    for (int i = 0; i < 200; i++) {
      batches.add(records.batch(i % 3 == 0 ? new Topic("other") : Topic.DEFAULT, 5));
    }
  }

  private void store() throws IOException {
    try (var test = TestLog.open(folder)) {
      test.store(batches.subList(0, 100));
      test.store(batches.subList(90, 200));
    }
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> all = Files.list(folder)) {
      return all.filter(file -> file.toString().endsWith(".flushed")).sorted().toList();
    }
  }

  private static Fingerprints prints(TestLog test) {
    return new Fingerprints(test.log, RepairOptions.DEFAULT, new StopFlag());
  }

  private static SliceTable table(Fingerprints prints) {
    return prints.table(ByTopic.all(Instant.EPOCH), true);
  }

  private static List<BatchInfo> listed(TestLog test) throws IOException {
    List<BatchInfo> all = new ArrayList<>();
    BatchSelection.in(UlidRange.ALL).list(test.log.live(), all::add);
    return all;
  }

  private List<BatchInfo> infos() {
    return SegmentFiles.sorted(batches).stream().map(BatchInfo::of).toList();
  }

  private NavigableMap<Long, Fingerprint> slices(List<List<Batch>> segments) {
    var sums = new SliceSums.Builder(SliceSums.USUAL_MILLIS);
    segments.stream()
        .flatMap(List::stream)
        .map(BatchInfo::of)
        .forEach(it -> sums.add(it, it.bytes()));
    var slices = new TreeMap<Long, Fingerprint>();
    sums.build().forEach(slices::put);
    return slices;
  }

  private void isComplete(SliceTable table) {
    assertThat(table.unknown()).isEmpty();
    assertThat(table.slices())
        .isEqualTo(slices(List.of(batches.subList(0, 100), batches.subList(90, 200))));
  }

  @Test
  void aRestartedStoreKnowsAndListsWhatItHoldsWithoutReadingABlock() throws IOException {
    store();
    try (var test = TestLog.open(folder)) {
      for (LiveSegment segment : test.log.live()) {
        eraseBlocks(segment);
      }
    }
    try (var test = TestLog.open(folder)) {
      isComplete(table(prints(test)));
      assertThat(listed(test)).isEqualTo(infos());
    }
  }

  private static void eraseBlocks(LiveSegment segment) throws IOException {
    byte[] bytes = Files.readAllBytes(segment.file());
    for (BlockInfo block : segment.segment().blocks()) {
      int from = (int) block.offset();
      Arrays.fill(bytes, from, from + block.storedBytes(), (byte) 0);
    }
    Files.write(segment.file(), bytes);
  }

  @Test
  void segmentsOfVersionsBeforeAreReadBlockByBlockUntilTheyGetTheirListByCompaction()
      throws IOException {
    try (var test = TestLog.open(folder)) {
      test.store(batches);
      test.store(batches);
    }
    Path first = files().getFirst();
    Files.write(first, SegmentFiles.withoutList(Files.readAllBytes(first)));
    try (var test = TestLog.open(folder)) {
      Fingerprints prints = prints(test);
      assertThat(table(prints).unknown()).hasSize(1);
      assertThat(listed(test)).isEqualTo(infos());

      prints.update(Instant.now(), Duration.ofMinutes(1));
      assertThat(table(prints).unknown()).isEmpty();
      assertThat(table(prints).slices()).isEqualTo(slices(List.of(batches, batches)));

      assertThat(test.compact()).isEqualTo(1);
      assertThat(table(prints).unknown()).isEmpty();
      assertThat(table(prints).slices()).isEqualTo(slices(List.of(batches)));
    }
  }

  @Test
  void aDamagedListIsWrittenAnewAndCostsNoBatch() throws IOException {
    store();
    for (Path file : files()) {
      BitFlips.flip(file, -96 - 20); // in a table
    }
    try (var test = TestLog.open(folder)) {
      var scrub =
          new Scrub(
              test.log,
              RepairOptions.DEFAULT.withScrub(1L << 40, Duration.ZERO),
              Instant::now,
              new RepairMetrics(test.registry),
              new StopFlag());
      assertThat(scrub.runOnce()).isTrue();
      assertThat(scrub.runOnce()).isTrue();
      test.healSuspects();

      isComplete(table(prints(test)));
      assertThat(listed(test)).isEqualTo(infos());
      assertThat(Stored.batches(test.log)).isEqualTo(SegmentFiles.sorted(batches));
    }
  }

  @Test
  void whileTheHeadOfAListIsDamagedItsSlicesAreUnknown() throws IOException {
    store();
    Path first = files().getFirst();
    byte[] bytes = Files.readAllBytes(first);
    bytes[bytes.length - 96 - listBytes(bytes) + 30] ^= 1;
    Files.write(first, bytes);
    try (var test = TestLog.open(folder)) {
      Fingerprints prints = prints(test);
      assertThat(table(prints).unknown()).hasSize(1);

      prints.update(Instant.now(), Duration.ofMinutes(1));
      test.healSuspects();

      isComplete(table(prints));
    }
  }

  private static int listBytes(byte[] segment) {
    var footer = java.nio.ByteBuffer.wrap(segment, segment.length - 96, 96).slice();
    return (int) (segment.length - 96 - footer.getLong(8) - footer.getLong(16));
  }
}
