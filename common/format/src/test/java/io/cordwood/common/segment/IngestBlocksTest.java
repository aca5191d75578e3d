package io.cordwood.common.segment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.common.file.ByteSource;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.ulid.UlidRange;
import io.cordwood.common.wire.CorruptException;
import io.cordwood.common.wire.Delimiter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class IngestBlocksTest {
  private static final List<Topic> TOPICS =
      List.of(Topic.DEFAULT, new Topic("billing"), new Topic("web-7"));

  /** Batches of some topics as several connections interleave them. */
  private static List<Batch> arrivals(long seed, int count) {
    var records = new Records(seed);
    List<Batch> batches = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      batches.add(records.batch(TOPICS.get(i % TOPICS.size()), 20));
    }
    Collections.shuffle(batches, new Random(seed));
    return batches;
  }

  private static List<Batch> read(byte[] file) throws IOException {
    return read(file, file.length);
  }

  private static List<Batch> read(byte[] file, int bytes) throws IOException {
    ByteSource source = ByteSource.of(ByteBuffer.wrap(file));
    Optional<IngestLayout> layout = IngestLayout.of(source, bytes);
    if (layout.isEmpty()) {
      return List.of();
    }
    try (var batches = new SegmentBatches(new IngestBlocks(layout.get(), source))) {
      return SegmentFiles.all(batches);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void batchesComeByTopicAndUlidWhateverTheOrderOfTheirArrival(long seed) throws IOException {
    List<Batch> batches = arrivals(seed, 600);
    byte[] file = SegmentFiles.ingestSegment(batches);
    assertThat(read(file)).as("seed %d", seed).isEqualTo(SegmentFiles.sorted(batches));
  }

  @Test
  void aBatchReceivedTwiceIsTakenOnce() throws IOException {
    List<Batch> batches = arrivals(5, 40);
    List<Batch> twice = new ArrayList<>(batches);
    twice.addAll(batches);
    assertThat(read(SegmentFiles.ingestSegment(twice))).isEqualTo(SegmentFiles.sorted(batches));
  }

  @Test
  void aTornBatchAtTheEndIsLeftOut() throws IOException {
    List<Batch> batches = arrivals(6, 30);
    byte[] file = SegmentFiles.ingestSegment(batches);
    int lastBytes = batches.getLast().encode().remaining();
    for (int cut = 1; cut <= lastBytes; cut += 7) {
      assertThat(read(file, file.length - cut)).hasSize(29);
    }
  }

  @Test
  void whatLiesBehindTheSegmentIsNotLookedAt() throws IOException {
    List<Batch> batches = arrivals(6, 30);
    int bytes = SegmentFiles.ingestSegment(batches.subList(0, 20)).length;
    byte[] file = SegmentFiles.ingestSegment(batches);
    assertThat(read(file, bytes)).isEqualTo(SegmentFiles.sorted(batches.subList(0, 20)));
  }

  @Test
  void whatIsShorterThanAHeaderHoldsNothing() throws IOException {
    byte[] file = SegmentFiles.ingestSegment(List.of());
    for (int bytes = 0; bytes <= file.length; bytes++) {
      assertThat(read(Arrays.copyOf(file, bytes))).isEmpty();
    }
  }

  @Test
  void damagedHeadersOfAFlushedSegmentAreSteppedOver() throws IOException {
    List<Batch> batches = arrivals(7, 30);
    byte[] file = SegmentFiles.ingestSegment(batches);
    int at = SegmentFiles.ingestSegment(batches.subList(0, 10)).length;
    file[at + 1] ^= 0x10;
    List<Batch> left = new ArrayList<>(batches);
    left.remove(10);
    assertThat(read(file)).isEqualTo(SegmentFiles.sorted(left));
  }

  @Test
  void aBlockIsReadWithoutItsDamagedBatches() throws IOException {
    var records = new Records(8);
    List<Batch> batches = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      batches.add(records.batch(Topic.DEFAULT, 20));
    }
    byte[] file = SegmentFiles.ingestSegment(batches);
    file[SegmentFiles.ingestSegment(batches.subList(0, 3)).length - 2] ^= 0x10;
    List<Batch> left = new ArrayList<>(batches);
    left.remove(2);
    ByteSource source = ByteSource.of(ByteBuffer.wrap(file));
    var segment = new IngestBlocks(IngestLayout.of(source, file.length).orElseThrow(), source);
    try (var decoder = new BlockDecoder()) {
      Block block = segment.read(segment.blocks().getFirst(), decoder);
      assertThat(block.damagedBatches()).isEqualTo(1);
      assertThat(block.batches()).isEqualTo(4);
      assertThat(block.records()).isEqualTo(left.stream().mapToInt(Batch::records).sum());
      assertThat(block.toBatches()).isEqualTo(SegmentFiles.sorted(left));
    }
  }

  @Test
  void aBlockOfDamagedBatchesAloneCannotBeRead() {
    List<Batch> batches = arrivals(8, 1);
    byte[] file = SegmentFiles.ingestSegment(batches);
    file[file.length - 2] ^= 0x10;
    assertThatThrownBy(() -> read(file)).isInstanceOf(CorruptException.class);
  }

  @Test
  void batchesFarApartInTheFileShareABlock() throws IOException {
    byte[] line = new byte[100_000];
    List<Batch> batches = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      Topic topic = i == 0 || i == 11 ? TOPICS.getFirst() : TOPICS.getLast();
      Arrays.fill(line, (byte) ('a' + i));
      batches.add(
          Records.batch(topic, Delimiter.LF, Ulid.firstOf(1000L + i), List.of(line.clone())));
    }
    byte[] file = SegmentFiles.ingestSegment(batches);
    assertThat(read(file)).isEqualTo(SegmentFiles.sorted(batches));
    IngestLayout layout =
        IngestLayout.of(ByteSource.of(ByteBuffer.wrap(file)), file.length).orElseThrow();
    assertThat(layout.blocks().getFirst().batches()).isEqualTo(2);
    assertThat(layout.range()).isEqualTo(new UlidRange(Ulid.firstOf(1000), Ulid.firstOf(1011)));
  }

  @Test
  void blocksOfTinyBatchesAreBoundedByTheirBytesInTheFile() throws IOException {
    List<Batch> batches = new ArrayList<>();
    for (int i = 0; i < 20_000; i++) {
      batches.add(
          Records.batch(
              Topic.DEFAULT, Delimiter.LF, Ulid.firstOf(1000L + i), List.of(new byte[] {'x'})));
    }
    byte[] file = SegmentFiles.ingestSegment(batches);
    IngestLayout layout =
        IngestLayout.of(ByteSource.of(ByteBuffer.wrap(file)), file.length).orElseThrow();
    assertThat(layout.blocks())
        .hasSizeGreaterThan(3)
        .allMatch(block -> block.storedBytes() <= IngestLayout.BLOCK_BYTES);
    assertThat(read(file)).hasSize(20_000);
  }
}
