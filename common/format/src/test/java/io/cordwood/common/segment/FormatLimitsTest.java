package io.cordwood.common.segment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.common.file.ByteSource;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.wire.BatchHeader;
import io.cordwood.common.wire.BatchScanner;
import io.cordwood.common.wire.Delimiter;
import io.cordwood.common.wire.Labels;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * At its limits, and one below, what a format holds comes back byte-exact; one above, it is refused
 * or goes into another part.
 */
final class FormatLimitsTest {
  private static final Ulid FIRST = Ulid.firstOf(1_700_000_000_000L);

  private static Batch batch(int at, Topic topic, List<byte[]> records) {
    return Records.batch(topic, Delimiter.LF, FIRST.plus(4L * at), records);
  }

  private static byte[] record(int bytes) {
    byte[] record = new byte[bytes];
    Arrays.fill(record, (byte) 'r');
    return record;
  }

  private static StoreSegment opened(byte[] segment) throws IOException {
    return StoreSegment.open(SegmentFiles.file(segment));
  }

  private static void assertComesBack(List<Batch> batches) throws IOException {
    try (var stream = new SegmentBatches(opened(SegmentFiles.storeSegment(batches)))) {
      assertThat(SegmentFiles.all(stream)).isEqualTo(batches);
    }
    ByteBuffer ingest = ByteBuffer.wrap(SegmentFiles.ingestSegment(batches));
    var scanner = IngestSegmentHeader.scan(ByteSource.of(ingest));
    List<Batch> scanned = new ArrayList<>();
    while (scanner.next() instanceof BatchScanner.Intact intact) {
      scanned.add(Records.copy(Batch.of(intact)));
    }
    assertThat(scanned).isEqualTo(batches);
  }

  @ParameterizedTest
  @ValueSource(ints = {BatchHeader.MAX_RECORD_BYTES - 1, BatchHeader.MAX_RECORD_BYTES})
  void aRecord(int bytes) throws IOException {
    assertComesBack(List.of(batch(0, Topic.DEFAULT, List.of(record(bytes)))));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 0})
  void aPayload(int below) throws IOException {
    int half = BatchHeader.MAX_PAYLOAD_BYTES / 2 - 1;
    Batch largest = batch(0, Topic.DEFAULT, List.of(record(half), record(half - below)));
    assertThat(largest.payload().remaining()).isEqualTo(BatchHeader.MAX_PAYLOAD_BYTES - below);
    assertComesBack(List.of(largest));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 0})
  void recordsOfABatchThatAreAllEmpty(int below) throws IOException {
    int count = BatchHeader.MAX_PAYLOAD_BYTES - below;
    byte[] lines = new byte[count];
    Arrays.fill(lines, (byte) '\n');
    assertComesBack(
        List.of(new Batch(Topic.DEFAULT, Delimiter.LF, FIRST, count, ByteBuffer.wrap(lines))));
  }

  @Test
  void aPayloadBeyondTheLimitIsDamageToWhoReadsIt() throws IOException {
    int half = BatchHeader.MAX_PAYLOAD_BYTES / 2 - 1;
    byte[] good = batch(0, Topic.DEFAULT, List.of(record(half), record(half))).encode().array();
    ByteBuffer tooLong = ByteBuffer.wrap(Arrays.copyOf(good, good.length + 1));
    tooLong.putInt(12, BatchHeader.MAX_PAYLOAD_BYTES + 1);
    assertThat(new BatchScanner(ByteSource.of(tooLong)::read, 0, tooLong.limit()).next())
        .isInstanceOf(BatchScanner.Damage.class);
  }

  @ParameterizedTest
  @ValueSource(ints = {Topic.MAX_BYTES - 1, Topic.MAX_BYTES})
  void aTopic(int bytes) throws IOException {
    assertComesBack(List.of(batch(0, new Topic("t".repeat(bytes)), List.of(record(10)))));
  }

  @Test
  void aTopicBeyondTheLimitIsNone() {
    String name = "t".repeat(Topic.MAX_BYTES + 1);
    assertThatThrownBy(() -> new Topic(name)).isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 0, 1})
  void batchesOfABlock(int more) throws IOException {
    List<Batch> batches = new ArrayList<>();
    for (int i = 0; i < BlockHeader.MAX_BATCHES + more; i++) {
      batches.add(batch(i, Topic.DEFAULT, List.of(record(1))));
    }
    assertComesBack(batches);
    assertThat(opened(SegmentFiles.storeSegment(batches)).blocks()).hasSize(more > 0 ? 2 : 1);
  }

  private static Labels labels(int number, int valueBytes) {
    return Labels.of(Map.of("a", "v".repeat(valueBytes) + "%08d".formatted(number)));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 0})
  void labelsOfABatch(int below) throws IOException {
    Labels largest = labels(1, Labels.MAX_BYTES - "\na=".length() - 8 - below);
    assertThat(largest.bytes()).hasSize(Labels.MAX_BYTES - below);
    assertComesBack(
        List.of(Records.labelled(batch(0, Topic.DEFAULT, List.of(record(1))), largest)));
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 0, 1})
  void labelsOfABlock(int more) throws IOException {
    int fit = 255;
    int bytes = LabelSets.MAX_BYTES / (fit + 1) - 1;
    List<Batch> batches = new ArrayList<>();
    for (int i = 0; i < fit + 1 + more; i++) {
      Labels labels = labels(i, bytes - "\na=".length() - 8);
      batches.add(Records.labelled(batch(i, Topic.DEFAULT, List.of(record(1))), labels));
    }
    assertComesBack(batches);
    assertThat(opened(SegmentFiles.storeSegment(batches)).blocks()).hasSize(more > 0 ? 2 : 1);
  }

  @Test
  void batchesOfABlockThatAllHaveOtherLabels() throws IOException {
    List<Batch> batches = new ArrayList<>();
    for (int i = 0; i < BlockHeader.MAX_BATCHES + 1; i++) {
      Batch batch = batch(i, Topic.DEFAULT, List.of(record(1)));
      batches.add(Records.labelled(batch, Labels.of(Map.of("a", Integer.toString(i)))));
    }
    assertComesBack(batches);
    assertThat(opened(SegmentFiles.storeSegment(batches)).blocks()).hasSize(2);
  }

  @Test
  void blocksOfASegmentAreAsManyAsItSaysAndOneMoreIsRefused() throws IOException {
    var out = new ByteArrayOutputStream();
    var batches = new ArrayList<Batch>();
    try (var writer = new StoreSegmentWriter(Channels.newChannel(out))) {
      for (int i = 0; !writer.isFull(); i++) {
        batches.add(
            batch(i, topic(i), List.of(("record " + i).getBytes(StandardCharsets.US_ASCII))));
        writer.append(batches.getLast());
      }
      assertThat(batches).hasSize(SegmentIndex.MAX_BLOCKS);
      int next = batches.size();
      assertThatThrownBy(() -> writer.append(batch(next, topic(next), List.of(record(1)))))
          .isInstanceOf(IllegalStateException.class);
      assertThat(writer.finish().blocks()).isEqualTo(SegmentIndex.MAX_BLOCKS);
    }
    StoreSegment segment = opened(out.toByteArray());
    List<BlockInfo> blocks = segment.blocks();
    assertThat(blocks).hasSameSizeAs(batches);
    try (var decoder = new BlockDecoder()) {
      assertThat(segment.read(blocks.getLast(), decoder).batch(0).first())
          .isEqualTo(batches.getLast().first());
    }
  }

  private static Topic topic(int number) {
    return new Topic("t%06d".formatted(number));
  }
}
