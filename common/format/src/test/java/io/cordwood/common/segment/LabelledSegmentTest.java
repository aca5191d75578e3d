package io.cordwood.common.segment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.ulid.UlidRange;
import io.cordwood.common.wire.CorruptException;
import io.cordwood.common.wire.Delimiter;
import io.cordwood.common.wire.Labels;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A store segment keeps the labels of its batches, each set once in a block, and lists them. */
final class LabelledSegmentTest {
  private static final long START = 1_700_000_400_000L;

  /** Batches of three topics from a number of pods; those of every fifth have no labels. */
  private static List<Batch> batches(int count, int pods) {
    List<Batch> batches = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int pod = i % pods;
      var first = new Ulid((START + i * 50L) << 16 | pod, 0x1234_5678_0000_0000L | i * 9L);
      byte[] line = "%d %s".formatted(i, "x".repeat(i % 700)).getBytes(StandardCharsets.UTF_8);
      Batch batch = Records.batch(new Topic("topic" + pod % 3), Delimiter.LF, first, List.of(line));
      batches.add(pod % 5 == 0 ? batch : Records.labelled(batch, labels(pod)));
    }
    return SegmentFiles.sorted(batches);
  }

  private static Labels labels(int pod) {
    return Labels.of(Map.of("pod", "web-" + pod, "host", "node" + pod % 7, "empty", ""));
  }

  private static StoreSegment open(byte[] bytes) throws IOException {
    return StoreSegment.open(SegmentFiles.file(bytes));
  }

  private static int listFrom(byte[] bytes) throws IOException {
    return (int) StoreSegment.readFooter(SegmentFiles.file(bytes)).batchesOffset();
  }

  private static List<LabelSummary> sums(List<Batch> batches) {
    var sums = new HashMap<List<Object>, LabelSummary>();
    for (Batch it : batches) {
      long millis = it.first().millis();
      var range = new UlidRange(Ulid.firstOf(millis), Ulid.lastOf(millis));
      var one =
          new LabelSummary(it.topic(), it.labels(), it.records(), it.payload().remaining(), range);
      sums.merge(
          List.of(it.topic(), it.labels()),
          one,
          (a, b) ->
              new LabelSummary(
                  a.topic(),
                  a.labels(),
                  a.records() + b.records(),
                  a.bytes() + b.bytes(),
                  a.range().union(b.range())));
    }
    return List.copyOf(sums.values());
  }

  @ParameterizedTest
  @EnumSource
  void theListSaysWhatTheBlocksHoldAndNoneOfThemIsRead(FormatDamageTest.Form form)
      throws IOException {
    List<Batch> batches = batches(6000, 200);
    byte[] bytes = form.of(batches);
    try (var stream = new SegmentBatches(open(bytes))) {
      assertThat(SegmentFiles.all(stream)).isEqualTo(batches);
    }
    new SegmentCheck().run(open(bytes));
    assertThat(SegmentSalvage.scan(SegmentFiles.file(bytes)).damage()).isEmpty();
    for (BlockInfo block : open(bytes).blocks()) {
      Arrays.fill(
          bytes, (int) block.offset(), (int) block.offset() + block.storedBytes(), (byte) 0);
    }
    StoreSegment segment = open(bytes);
    assertThat(segment.isLabelled()).isTrue();
    assertThat(segment.blocks()).hasSizeGreaterThan(5);
    assertThat(SegmentFiles.listed(segment))
        .isEqualTo(batches.stream().map(BatchInfo::of).toList());
    assertThat(segment.labels()).containsExactlyInAnyOrderElementsOf(sums(batches));
  }

  @ParameterizedTest
  @EnumSource
  void everyFlippedBitOfTheListIsFoundAndCostsNoBlock(FormatDamageTest.Form form)
      throws IOException {
    List<Batch> batches = batches(12, 6);
    byte[] bytes = form.of(batches);
    for (int at = listFrom(bytes); at < bytes.length - SegmentFooter.BYTES; at++) {
      byte[] flipped = bytes.clone();
      flipped[at] ^= (byte) (1 << at % 8);
      StoreSegment segment = open(flipped);
      assertThatThrownBy(() -> new SegmentCheck().run(segment))
          .isInstanceOf(CorruptException.class);
      assertThat(segment.isLabelled()).isTrue();
      SegmentSalvage salvage = SegmentSalvage.scan(SegmentFiles.file(flipped));
      assertThat(salvage.damage()).as("byte %d", at).hasSize(1);
      try (var stream =
          new SegmentBatches(salvage.segment(SegmentFiles.file(flipped)).orElseThrow())) {
        assertThat(SegmentFiles.all(stream)).as("byte %d", at).isEqualTo(batches);
      }
    }
  }

  @Test
  void whatASegmentHasOfEachLabelsIsKnownOfEverySegment() throws IOException {
    List<Batch> batches = batches(500, 20);
    byte[] ingest = SegmentFiles.ingestSegment(batches);
    var source = io.cordwood.common.file.ByteSource.of(ByteBuffer.wrap(ingest));
    var layout = IngestLayout.of(source, ingest.length).orElseThrow();
    assertThat(new IngestBlocks(layout, source).labels())
        .containsExactlyInAnyOrderElementsOf(sums(batches));
    byte[] withoutList = SegmentFiles.withoutList(SegmentFiles.storeSegment(batches));
    try (var decoded = new SegmentBatches(open(withoutList))) {
      assertThat(SegmentFiles.all(decoded)).isEqualTo(batches);
    }
    List<Batch> plain = batches.stream().filter(it -> it.labels().isEmpty()).toList();
    StoreSegment unlabelled = open(SegmentFiles.storeSegment(plain));
    assertThat(unlabelled.isLabelled()).isFalse();
    assertThat(unlabelled.labels()).containsExactlyInAnyOrderElementsOf(sums(plain));
  }

  @Test
  void blocksWithoutLabelsAreOfVersion1() throws IOException {
    List<Batch> batches = batches(500, 5);
    byte[] bytes = SegmentFiles.storeSegment(batches);
    List<Integer> versions = new ArrayList<>();
    for (BlockInfo block : open(bytes).blocks()) {
      versions.add((int) bytes[(int) block.offset() + 4]);
    }
    assertThat(versions).containsExactly(2, 2, 2);
    List<Batch> plain = batches.stream().filter(it -> it.labels().isEmpty()).toList();
    byte[] unlabelled = SegmentFiles.storeSegment(plain);
    assertThat(unlabelled[StoreSegmentHeader.BYTES + 4]).isEqualTo((byte) 1);
    assertThat(ByteBuffer.wrap(unlabelled).getInt(listFrom(unlabelled) + 4)).isEqualTo(1);
  }

  @Test
  void batchesThatDifferInLabelsAloneAreAllListed() throws IOException {
    Batch batch = Records.lines(new Ulid(START << 16, 7), "of somebody");
    List<Batch> all = new ArrayList<>(List.of(batch));
    for (int i = 0; i < 50; i++) {
      all.add(Records.labelled(batch, labels(i)));
    }
    List<Batch> sorted = SegmentFiles.sorted(all);
    assertThat(sorted.getFirst().labels()).isEqualTo(Labels.NONE);
    assertThat(SegmentFiles.listed(open(SegmentFiles.storeSegment(sorted))))
        .doesNotHaveDuplicates()
        .hasSize(51);
  }

  @Test
  void theFilterKnowsTheLabels() throws IOException {
    List<Batch> batches = batches(6000, 200);
    StoreSegment segment = open(SegmentFiles.storeSegment(batches));
    assertThat(candidates(segment, "pod=web-9999x")).isEmpty();
    assertThat(candidates(segment, "nosuch=label")).isEmpty();
    assertThat(candidates(segment, "pod=web-11"))
        .containsAll(
            segment.blocks().stream()
                .filter(it -> it.topic().equals(new Topic("topic2")))
                .map(BlockInfo::ordinal)
                .toList());
  }

  private static List<Integer> candidates(StoreSegment segment, String literal) throws IOException {
    byte[] bytes = literal.getBytes(StandardCharsets.UTF_8);
    return segment.candidates(List.of(new AnyOf(List.of(bytes)))).stream().boxed().toList();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "\0", "\na=1", "a=1\0", "\nb=1\na=2\0", "\na=1\0\0", "\na=1\0x"})
  void setsThatAreNoneAreDamage(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    ByteBuffer table = ByteBuffer.allocate(100);
    Varints.put(table, bytes.length);
    table.put(bytes).flip();
    assertThatThrownBy(() -> LabelSets.decode(table, 7)).isInstanceOf(CorruptException.class);
  }

  /** A table whose checksum is right and which refers to labels that are not there. */
  @ParameterizedTest
  @ValueSource(ints = {0, 2, 127})
  void aNumberOfNoSetIsDamage(int number) throws IOException {
    Batch batch = Records.labelled(Records.lines(new Ulid(START << 16, 7), "line"), labels(1));
    byte[] bytes = SegmentFiles.storeSegment(List.of(batch));
    StoreSegment segment = open(bytes);
    try (var decoder = new BlockDecoder()) {
      Block block = segment.read(segment.blocks().getFirst(), decoder);
      assertThat(block.bytes()[block.from() - 1]).isEqualTo((byte) 1);
      block.bytes()[block.from() - 1] = (byte) number;
      assertThatThrownBy(() -> block.batch(0)).isInstanceOf(CorruptException.class);
    }
  }

  @Test
  void aHundredThousandDifferentLabelsAreListed() throws IOException {
    List<Batch> batches = new ArrayList<>();
    for (int i = 0; i < 100_000; i++) {
      var first = new Ulid((START + i) << 16 | i % 7, i * 9L);
      Batch batch = Records.lines(first, "line " + i);
      batches.add(Records.labelled(batch, Labels.of(Map.of("pod", "p".repeat(150) + i))));
    }
    StoreSegment segment = open(SegmentFiles.storeSegment(batches));
    assertThat(SegmentFiles.listed(segment)).hasSize(100_000);
    assertThat(segment.labels()).hasSize(100_000);
    assertThat(segment.listBytes()).isLessThan(6 << 20);
  }
}
