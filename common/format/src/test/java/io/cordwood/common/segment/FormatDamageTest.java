package io.cordwood.common.segment;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.common.file.ByteSource;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.wire.BatchScanner;
import io.cordwood.common.wire.CorruptException;
import io.cordwood.common.wire.Labels;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Every truncation and every flipped bit is detected, no wrong byte is given, and what is intact is
 * still read.
 */
final class FormatDamageTest {
  private static final List<Labels> LABELS =
      List.of(
          Labels.of(Map.of("pod", "web-1", "host", "größe")), Labels.of(Map.of("pod", "web-2")));

  private static List<Batch> batches() {
    var records = new Records(77);
    List<Batch> batches = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      Batch batch = records.batch(i % 3 == 0 ? Topic.DEFAULT : new Topic("t" + i % 3), 2);
      batches.add(i % 3 == 0 ? batch : Records.labelled(batch, LABELS.get(i % 2)));
    }
    return SegmentFiles.sorted(batches);
  }

  private static byte[] ingestSegment(List<Batch> batches) {
    var out = new ByteArrayOutputStream();
    out.writeBytes(new IngestSegmentHeader(new Ulid(5, 6)).encode().array());
    batches.forEach(b -> out.writeBytes(b.encode().array()));
    return out.toByteArray();
  }

  /** What a reader finds in an ingest segment; a damaged header hides nothing of the batches. */
  private record Scan(boolean headerIntact, List<Batch> batches, int damages) {
    static Scan of(byte[] bytes) throws IOException {
      ByteSource source = ByteSource.of(ByteBuffer.wrap(bytes));
      boolean header = true;
      try {
        assertThat(IngestSegmentHeader.read(source).id()).isEqualTo(new Ulid(5, 6));
      } catch (CorruptException e) {
        header = false;
      }
      var scanner = IngestSegmentHeader.scan(source);
      List<Batch> found = new ArrayList<>();
      int damages = 0;
      BatchScanner.Item item;
      while (!((item = scanner.next()) instanceof BatchScanner.End)) {
        if (item instanceof BatchScanner.Intact intact) {
          found.add(Records.copy(Batch.of(intact)));
        } else {
          damages++;
        }
      }
      return new Scan(header, found, damages);
    }
  }

  @Test
  void everyTruncationOfAnIngestSegmentKeepsTheWholeBatchesBeforeIt() throws IOException {
    List<Batch> batches = batches();
    byte[] bytes = ingestSegment(batches);
    var borders = new TreeSet<Integer>();
    int at = IngestSegmentHeader.BYTES;
    borders.add(at);
    for (Batch batch : batches) {
      at += batch.encode().remaining();
      borders.add(at);
    }
    for (int length = 0; length < bytes.length; length++) {
      Scan scan = Scan.of(Arrays.copyOf(bytes, length));
      int whole = Math.max(0, borders.headSet(length, true).size() - 1);
      assertThat(scan.batches()).as("cut at %d", length).isEqualTo(batches.subList(0, whole));
      assertThat(scan.headerIntact()).isEqualTo(length >= IngestSegmentHeader.BYTES);
      assertThat(scan.damages())
          .as("cut at %d", length)
          .isEqualTo(length <= IngestSegmentHeader.BYTES || borders.contains(length) ? 0 : 1);
    }
  }

  @Test
  void everyFlippedBitOfAnIngestSegmentCostsAtMostItsOwnBatch() throws IOException {
    List<Batch> batches = batches();
    byte[] bytes = ingestSegment(batches);
    for (int bit = 0; bit < bytes.length * 8; bit++) {
      byte[] flipped = bytes.clone();
      flipped[bit / 8] ^= (byte) (1 << bit % 8);
      Scan scan = Scan.of(flipped);
      if (bit < IngestSegmentHeader.BYTES * 8) {
        assertThat(scan.headerIntact()).as("bit %d", bit).isFalse();
        assertThat(scan.batches()).isEqualTo(batches);
      } else {
        assertThat(scan.damages()).as("bit %d", bit).isEqualTo(1);
        assertThat(scan.batches()).as("bit %d", bit).hasSize(batches.size() - 1);
        assertThat(batches).containsAll(scan.batches());
      }
    }
  }

  /** How a store segment of some batches stands in its file. */
  enum Form {
    FRESH,
    SETTLED;

    byte[] of(List<Batch> batches) {
      byte[] fresh = SegmentFiles.storeSegment(batches);
      return this == FRESH ? fresh : SegmentFiles.settled(fresh);
    }
  }

  @ParameterizedTest
  @EnumSource
  void everyTruncationOfAStoreSegmentIsDetectedAndKeepsTheIntactBlocks(Form form)
      throws IOException {
    byte[] bytes = form.of(batches());
    List<BlockInfo> blocks = StoreSegment.open(SegmentFiles.file(bytes)).blocks();
    for (int length = 0; length < bytes.length; length++) {
      byte[] cut = Arrays.copyOf(bytes, length);
      assertThat(opens(cut)).as("cut at %d", length).isFalse();
      SegmentSalvage salvage = SegmentSalvage.scan(SegmentFiles.file(cut));
      assertThat(salvage.damage()).as("cut at %d", length).isNotEmpty();
      int end = length;
      assertThat(salvage.blocks())
          .as("cut at %d", length)
          .isEqualTo(blocks.stream().filter(b -> b.offset() + b.storedBytes() <= end).toList());
    }
  }

  @ParameterizedTest
  @EnumSource
  void everyFlippedBitOfAStoreSegmentIsDetectedAndCostsAtMostItsOwnBlock(Form form)
      throws IOException {
    List<Batch> batches = batches();
    byte[] bytes = form.of(batches);
    List<BlockInfo> blocks = StoreSegment.open(SegmentFiles.file(bytes)).blocks();
    for (int bit = 0; bit < bytes.length * 8; bit++) {
      byte[] flipped = bytes.clone();
      flipped[bit / 8] ^= (byte) (1 << bit % 8);
      int at = bit / 8;
      SegmentSalvage salvage = SegmentSalvage.scan(SegmentFiles.file(flipped));
      assertThat(salvage.damage()).as("bit %d", bit).isNotEmpty();
      List<Long> intact =
          blocks.stream()
              .filter(b -> at < b.offset() || at >= b.offset() + b.storedBytes())
              .map(BlockInfo::offset)
              .toList();
      assertThat(salvage.blocks().stream().map(BlockInfo::offset).toList())
          .as("bit %d", bit)
          .isEqualTo(intact);
      assertThat(batches).as("bit %d", bit).containsAll(batchesOf(salvage, flipped));
    }
  }

  @ParameterizedTest
  @EnumSource
  void anIntactSegmentHasNoDamage(Form form) throws IOException {
    byte[] bytes = form.of(batches());
    SegmentSalvage salvage = SegmentSalvage.scan(SegmentFiles.file(bytes));
    assertThat(salvage.damage()).isEmpty();
    assertThat(salvage.blocks()).isEqualTo(StoreSegment.open(SegmentFiles.file(bytes)).blocks());
  }

  private static boolean opens(byte[] bytes) throws IOException {
    try {
      StoreSegment.open(SegmentFiles.file(bytes));
      return true;
    } catch (CorruptException e) {
      return false;
    }
  }

  private static List<Batch> batchesOf(SegmentSalvage salvage, byte[] bytes) throws IOException {
    var segment = salvage.segment(SegmentFiles.file(bytes));
    if (segment.isEmpty()) {
      return List.of();
    }
    try (var stream = new SegmentBatches(segment.get())) {
      return SegmentFiles.all(stream);
    }
  }
}
