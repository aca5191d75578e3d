package io.cordwood.common.segment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.common.file.ByteSource;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.wire.CorruptException;
import io.cordwood.common.wire.Delimiter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A segment lists its batches and knows their fingerprints, and no block is read for either. */
final class BatchSectionTest {
  private static final long START =
      1_700_000_400_000L / SliceSums.USUAL_MILLIS * SliceSums.USUAL_MILLIS;

  /** Batches of three topics and four slices, of two senders each. */
  private static List<Batch> batches(int count) {
    List<Batch> batches = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      long millis = START + i * 4L * SliceSums.USUAL_MILLIS / count;
      var first = new Ulid(millis << 16 | i % 2, 0x1234_5678_0000_0000L | i * 9L);
      List<byte[]> records = new ArrayList<>();
      for (int r = 0; r <= i % 5; r++) {
        records.add(
            "%d %d %s".formatted(i, r, "x".repeat(i % 700)).getBytes(StandardCharsets.UTF_8));
      }
      batches.add(Records.batch(new Topic("topic" + i % 3), Delimiter.LF, first, records));
    }
    return SegmentFiles.sorted(batches);
  }

  private static Map<Long, Fingerprint> prints(List<Batch> batches) {
    var prints = new TreeMap<Long, Fingerprint>();
    for (Batch batch : batches) {
      BatchInfo it = BatchInfo.of(batch);
      prints.merge(
          it.first().millis() / SliceSums.USUAL_MILLIS,
          Fingerprint.of(Fingerprint.hash(it.topic()), it, it.bytes()),
          Fingerprint::plus);
    }
    return prints;
  }

  private static Map<Long, Fingerprint> prints(StoreSegment segment) throws IOException {
    var prints = new TreeMap<Long, Fingerprint>();
    segment.slices().orElseThrow().forEach(prints::put);
    return prints;
  }

  private static StoreSegment open(byte[] bytes) throws IOException {
    return StoreSegment.open(SegmentFiles.file(bytes));
  }

  private static SegmentFooter footer(byte[] bytes) throws IOException {
    return StoreSegment.readFooter(SegmentFiles.file(bytes));
  }

  private static int listFrom(byte[] bytes) throws IOException {
    return (int) footer(bytes).batchesOffset();
  }

  @ParameterizedTest
  @EnumSource
  void theListSaysWhatTheBlocksHold(FormatDamageTest.Form form) throws IOException {
    List<Batch> batches = batches(6000);
    byte[] bytes = form.of(batches);
    StoreSegment segment = open(bytes);
    assertThat(segment.blocks()).hasSizeGreaterThan(5);
    assertThat(SegmentFiles.listed(segment))
        .isEqualTo(batches.stream().map(BatchInfo::of).toList());
    assertThat(prints(segment)).isEqualTo(prints(batches)).hasSize(4);
    new SegmentCheck().run(segment);
    assertThat(SegmentSalvage.scan(SegmentFiles.file(bytes)).damage()).isEmpty();
    int list = bytes.length - SegmentFooter.BYTES - listFrom(bytes);
    assertThat(list / (double) batches.size()).isLessThan(16);
  }

  @Test
  void batchesOfOneSenderInARowTakeAboutEightBytesEach() throws IOException {
    List<Batch> batches = new ArrayList<>();
    for (int i = 0; i < 2000; i++) {
      var first = new Ulid((START + i * 50L) << 16 | 7, 0x1234_5678_0000_0000L | i);
      byte[] line = "line %d %s".formatted(i, "y".repeat(500)).getBytes(StandardCharsets.UTF_8);
      batches.add(Records.batch(Topic.DEFAULT, Delimiter.LF, first, List.of(line)));
    }
    byte[] bytes = SegmentFiles.storeSegment(batches);
    int list = bytes.length - SegmentFooter.BYTES - listFrom(bytes);
    assertThat(list / 2000.0).isBetween(5.0, 8.0);
  }

  @ParameterizedTest
  @EnumSource
  void noBlockIsReadForIt(FormatDamageTest.Form form) throws IOException {
    List<Batch> batches = batches(600);
    byte[] bytes = form.of(batches);
    for (BlockInfo block : open(bytes).blocks()) {
      java.util.Arrays.fill(
          bytes, (int) block.offset(), (int) block.offset() + block.storedBytes(), (byte) 0);
    }
    StoreSegment segment = open(bytes);
    assertThat(SegmentFiles.listed(segment))
        .isEqualTo(batches.stream().map(BatchInfo::of).toList());
    assertThat(prints(segment)).isEqualTo(prints(batches));
  }

  @ParameterizedTest
  @EnumSource
  void everyFlippedBitOfTheListIsFoundAndCostsNoBlock(FormatDamageTest.Form form)
      throws IOException {
    List<Batch> batches = batches(30);
    byte[] bytes = form.of(batches);
    for (int at = listFrom(bytes); at < bytes.length - SegmentFooter.BYTES; at++) {
      byte[] flipped = bytes.clone();
      flipped[at] ^= (byte) (1 << at % 8);
      StoreSegment segment = open(flipped);
      try (var stream = new SegmentBatches(segment)) {
        assertThat(SegmentFiles.all(stream)).as("byte %d", at).isEqualTo(batches);
      }
      assertThatThrownBy(() -> SegmentFiles.listed(segment)).isInstanceOf(CorruptException.class);
      assertThatThrownBy(() -> new SegmentCheck().run(segment))
          .isInstanceOf(CorruptException.class);
      SegmentSalvage salvage = SegmentSalvage.scan(SegmentFiles.file(flipped));
      assertThat(salvage.damage()).as("byte %d", at).hasSize(1);
      assertThat(salvage.blocks()).hasSameSizeAs(segment.blocks());
    }
  }

  @Test
  void aListOfOtherBatchesIsDamage() throws IOException {
    List<Batch> batches = batches(30);
    List<Batch> others =
        batches.stream()
            .map(b ->
                new Batch(
                    b.topic(),
                    b.delimiter(),
                    new Ulid(b.first().high(), b.first().low() ^ 1L << 40),
                    b.records(),
                    b.payload()))
            .toList();
    byte[] bytes = SegmentFiles.storeSegment(batches);
    byte[] lies = SegmentFiles.storeSegment(others);
    int from = listFrom(bytes);
    assertThat(listFrom(lies)).isEqualTo(from);
    System.arraycopy(lies, from, bytes, from, bytes.length - SegmentFooter.BYTES - from);
    assertThat(SegmentSalvage.scan(SegmentFiles.file(bytes)).damage())
        .hasSameSizeAs(open(bytes).blocks())
        .first()
        .satisfies(damage -> assertThat(damage).hasMessageContaining("a list of the batches of"));
  }

  @ParameterizedTest
  @EnumSource
  void withoutItsListASegmentIsThatOfTheVersionBefore(FormatDamageTest.Form form)
      throws IOException {
    List<Batch> batches = batches(300);
    byte[] bytes = form.of(batches);
    var without = new SegmentWithoutBatches<>(SegmentFiles.file(bytes));
    byte[] before = read(without, (int) without.size());
    assertThat(ByteBuffer.wrap(before).getInt(4))
        .isEqualTo(form == FormatDamageTest.Form.FRESH ? 1 : 2);
    StoreSegment segment = open(before);
    assertThat(segment.slices()).isEmpty();
    assertThat(segment.lists()).isEmpty();
    assertThat(segment.isSettled()).isEqualTo(form == FormatDamageTest.Form.SETTLED);
    try (var stream = new SegmentBatches(segment)) {
      assertThat(SegmentFiles.all(stream)).isEqualTo(batches);
    }
    new SegmentCheck().run(segment);
    assertThat(SegmentSalvage.scan(SegmentFiles.file(before)).damage()).isEmpty();
    for (int piece : new int[] {1, 7, 100, 4096}) {
      assertThat(read(without, piece)).isEqualTo(before);
    }
  }

  private static byte[] read(SegmentWithoutBatches<ByteSource.Unclosed> from, int piece)
      throws IOException {
    byte[] all = new byte[(int) from.size()];
    for (int at = 0; at < all.length; at += piece) {
      from.read(ByteBuffer.wrap(all, at, Math.min(piece, all.length - at)), at);
    }
    return all;
  }

  @Test
  void aSegmentOfTheVersionBeforeGetsTheListWhenItIsSettled() throws IOException {
    List<Batch> batches = batches(300);
    var without =
        new SegmentWithoutBatches<>(SegmentFiles.file(SegmentFiles.storeSegment(batches)));
    StoreSegment settled = open(SegmentFiles.settled(read(without, 4096)));
    assertThat(SegmentFiles.listed(settled))
        .isEqualTo(batches.stream().map(BatchInfo::of).toList());
    assertThat(prints(settled)).isEqualTo(prints(batches));
  }

  /** A sender's clock may be anywhere; the tables say then what the head does not. */
  @Test
  void ofVeryManySlicesThereAreNoFingerprintsButTheList() throws IOException {
    List<Batch> batches = new ArrayList<>();
    for (int i = 0; i <= SliceSums.MAX_SLICES; i++) {
      var first = new Ulid((i * SliceSums.USUAL_MILLIS) << 16, i);
      batches.add(Records.batch(Topic.DEFAULT, Delimiter.LF, first, List.of(new byte[] {'a'})));
    }
    StoreSegment segment = open(SegmentFiles.storeSegment(batches));
    assertThat(segment.slices()).isEmpty();
    assertThat(SegmentFiles.listed(segment))
        .isEqualTo(batches.stream().map(BatchInfo::of).toList());
  }
}
