package io.cordwood.common.segment;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.common.file.ByteSource;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.wire.BatchHeader;
import io.cordwood.common.wire.BatchScanner;
import io.cordwood.common.wire.Delimiter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Any sequence of records comes back byte-exact through batch, ingest segment, store segment and
 * merge.
 */
final class FormatRoundTripTest {
  private static final List<Topic> TOPICS =
      List.of(
          Topic.DEFAULT,
          new Topic("billing"),
          new Topic("a.b-c_D9"),
          new Topic("n".repeat(Topic.MAX_BYTES - 1)),
          new Topic("n".repeat(Topic.MAX_BYTES)));

  private static List<Batch> batches(long seed) {
    var records = new Records(seed);
    List<Batch> batches = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      Batch batch = records.batch(TOPICS.get(i % TOPICS.size()), 40);
      batches.add(seed % 2 == 0 ? batch : Records.labelled(batch, records.labels()));
    }
    return batches;
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void recordsComeBackThroughAnIngestSegment(long seed) throws IOException {
    List<Batch> batches = batches(seed);
    var out = new ByteArrayOutputStream();
    out.writeBytes(new IngestSegmentHeader(new Ulid(seed, 1)).encode().array());
    batches.forEach(b -> out.writeBytes(b.encode().array()));
    ByteSource source = ByteSource.of(ByteBuffer.wrap(out.toByteArray()));

    assertThat(IngestSegmentHeader.read(source).id()).isEqualTo(new Ulid(seed, 1));
    var scanner = IngestSegmentHeader.scan(source);
    List<Batch> found = new ArrayList<>();
    BatchScanner.Item item;
    while ((item = scanner.next()) instanceof BatchScanner.Intact intact) {
      found.add(Records.copy(Batch.of(intact)));
    }
    assertThat(item).isInstanceOf(BatchScanner.End.class);
    assertThat(found).isEqualTo(batches);
  }

  @ParameterizedTest
  @ValueSource(longs = {11, 12, 13, 14, 15, 16, 17, 18})
  void recordsComeBackThroughAStoreSegment(long seed) throws IOException {
    List<Batch> batches = SegmentFiles.sorted(batches(seed));
    StoreSegment segment = StoreSegment.open(SegmentFiles.file(SegmentFiles.storeSegment(batches)));

    try (var stream = new SegmentBatches(segment)) {
      assertThat(SegmentFiles.all(stream)).isEqualTo(batches);
    }
    assertThat(segment.records()).isEqualTo(batches.stream().mapToLong(Batch::records).sum());
    assertThat(segment.range())
        .isEqualTo(
            batches.stream()
                .map(Batch::range)
                .reduce(io.cordwood.common.ulid.UlidRange::union)
                .orElseThrow());
  }

  @Test
  void aRecordAtTheLimitComesBack() throws IOException {
    byte[] largest = new byte[BatchHeader.MAX_RECORD_BYTES];
    java.util.Arrays.fill(largest, (byte) 'x');
    Batch batch =
        Records.batch(Topic.DEFAULT, Delimiter.LF, new Ulid(1 << 16, 0), List.of(largest));
    StoreSegment segment =
        StoreSegment.open(SegmentFiles.file(SegmentFiles.storeSegment(List.of(batch))));
    try (var stream = new SegmentBatches(segment)) {
      assertThat(SegmentFiles.all(stream)).containsExactly(batch);
    }
  }

  @Test
  void aBlockKnowsWhichBatchAPositionBelongsTo() throws IOException {
    List<Batch> batches = SegmentFiles.sorted(batches(31));
    StoreSegment segment = StoreSegment.open(SegmentFiles.file(SegmentFiles.storeSegment(batches)));
    try (var decoder = new BlockDecoder()) {
      for (BlockInfo info : segment.blocks()) {
        Block block = segment.read(info, decoder);
        for (int i = 0; i < block.batches(); i++) {
          Block.BatchSpan span = block.batch(i);
          assertThat(block.batchAt(span.from())).isEqualTo(i);
          assertThat(block.batchAt(span.to() - 1)).isEqualTo(i);
          assertThat(info.range().contains(span.first())).isTrue();
        }
      }
    }
  }
}
