package io.cordwood.common.segment;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.common.file.ByteSource;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.wire.BatchHeader;
import io.cordwood.common.wire.BatchScanner;
import io.cordwood.common.wire.Delimiter;
import io.cordwood.common.wire.Labels;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/**
 * Files of each format version are read for ever, and written as they were. With {@code
 * -Dcordwood.golden.write=DIR} the test writes the files instead of reading them.
 */
final class GoldenFilesTest {
  private static final List<Batch> BATCHES =
      List.of(
          batch("a.b-c_D9", Delimiter.LF, 1_700_000_000_123L, 1, "first line", "", "100 %d\r"),
          batch("default", Delimiter.LF, 1_700_000_000_000L, 7, "\u00e4\u00f6\u00fc \u2713"),
          batch("default", Delimiter.NUL, 1_700_000_000_000L, 8, "Error: x\n\tat y", "z"),
          batch("default", Delimiter.LF, 1_700_000_001_500L, 3, "x".repeat(300), "last"));

  private static Batch batch(
      String topic, Delimiter delimiter, long millis, long counter, String... records) {
    var first = new Ulid(millis << 16 | 0xABCD, 0x12345678_00000000L | counter);
    return Records.batch(
        new Topic(topic),
        delimiter,
        first,
        java.util.Arrays.stream(records).map(r -> r.getBytes(StandardCharsets.UTF_8)).toList());
  }

  private static byte[] ingestSegment() {
    var out = new ByteArrayOutputStream();
    var id = new Ulid(1_700_000_002_000L << 16 | 1, 2);
    out.writeBytes(new IngestSegmentHeader(id).encode().array());
    BATCHES.forEach(b -> out.writeBytes(b.encode().array()));
    return out.toByteArray();
  }

  private static byte[] golden(String name, byte[] current) throws IOException {
    String folder = System.getProperty("cordwood.golden.write");
    if (folder != null) {
      Files.write(Path.of(folder, name), current);
      return current;
    }
    try (InputStream in = GoldenFilesTest.class.getResourceAsStream(name)) {
      return Objects.requireNonNull(in, name).readAllBytes();
    }
  }

  @Test
  void aBatchIsWrittenAndReadAsInVersion1() throws IOException {
    byte[] current = BATCHES.getFirst().encode().array();
    byte[] golden = golden("batch-v1.golden", current);
    assertThat(current).isEqualTo(golden);
    var bytes = ByteBuffer.wrap(golden);
    assertThat(Batch.read(BatchHeader.parse(bytes, 0, 0), bytes, 0, 0))
        .isEqualTo(BATCHES.getFirst());
  }

  @Test
  void anIngestSegmentIsWrittenAndReadAsInVersion1() throws IOException {
    byte[] golden = golden("ingest-segment-v1.golden", ingestSegment());
    assertThat(ingestSegment()).isEqualTo(golden);
    ByteSource source = ByteSource.of(ByteBuffer.wrap(golden));
    assertThat(IngestSegmentHeader.read(source).id().millis()).isEqualTo(1_700_000_002_000L);
    var scanner = IngestSegmentHeader.scan(source);
    for (Batch batch : BATCHES) {
      assertThat(scanner.next())
          .isInstanceOfSatisfying(
              BatchScanner.Intact.class, found -> assertThat(Batch.of(found)).isEqualTo(batch));
    }
    assertThat(scanner.next()).isInstanceOf(BatchScanner.End.class);
  }

  /** What is compressed may differ with the library's version, so only reading is compared. */
  @Test
  void aStoreSegmentOfVersion1IsRead() throws IOException {
    byte[] current = SegmentFiles.withoutList(SegmentFiles.storeSegment(BATCHES));
    byte[] golden = golden("store-segment-v1.golden", current);
    assertThat(SegmentSalvage.scan(SegmentFiles.file(golden)).damage()).isEmpty();
    try (var stream = new SegmentBatches(StoreSegment.open(SegmentFiles.file(golden)))) {
      assertThat(SegmentFiles.all(stream)).isEqualTo(BATCHES);
    }
  }

  /** Those of the files do not say how long the batch tables are, which count as records then. */
  @Test
  void anIndexSaysTheBytesOfRecordsUnlessItIsOld() throws IOException {
    byte[] current = SegmentFiles.storeSegment(BATCHES);
    long payload = BATCHES.stream().mapToLong(batch -> batch.payload().remaining()).sum();
    assertThat(payloadBytes(current)).isEqualTo(payload);
    assertThat(payloadBytes(SegmentFiles.settled(current))).isEqualTo(payload);
    try (InputStream in = GoldenFilesTest.class.getResourceAsStream("store-segment-v1.golden")) {
      byte[] old = Objects.requireNonNull(in).readAllBytes();
      assertThat(payloadBytes(old)).isBetween(payload + 1, payload + 30L * BATCHES.size());
    }
  }

  private static long payloadBytes(byte[] segment) throws IOException {
    return StoreSegment.open(SegmentFiles.file(segment)).blocks().stream()
        .mapToLong(BlockInfo::payloadBytes)
        .sum();
  }

  @Test
  void aStoreSegmentOfVersion2IsRead() throws IOException {
    byte[] settled = SegmentFiles.settled(SegmentFiles.storeSegment(BATCHES));
    byte[] golden = golden("store-segment-v2.golden", SegmentFiles.withoutList(settled));
    assertThat(SegmentSalvage.scan(SegmentFiles.file(golden)).damage()).isEmpty();
    StoreSegment segment = StoreSegment.open(SegmentFiles.file(golden));
    assertThat(segment.isSettled()).isTrue();
    try (var stream = new SegmentBatches(segment)) {
      assertThat(SegmentFiles.all(stream)).isEqualTo(BATCHES);
    }
  }

  @Test
  void aStoreSegmentOfVersion3IsReadAndItsListIsWrittenAsItWas() throws IOException {
    byte[] current = SegmentFiles.storeSegment(BATCHES);
    readsAsVersion3("store-segment-v3.golden", current, false, BATCHES);
    readsAsVersion3(
        "store-segment-v3-settled.golden", SegmentFiles.settled(current), true, BATCHES);
  }

  @Test
  void aStoreSegmentWithLabelsIsReadAndSoIsItsList() throws IOException {
    List<Batch> batches = labelled();
    byte[] current = SegmentFiles.storeSegment(batches);
    readsAsVersion3("store-segment-v3-labels.golden", current, false, batches);
    byte[] settled = SegmentFiles.settled(current);
    readsAsVersion3("store-segment-v3-labels-settled.golden", settled, true, batches);
  }

  private static List<Batch> labelled() {
    Labels web = Labels.of(Map.of("pod", "web-1", "host", "größe", "k8s.ns-1", ""));
    List<Batch> batches = new java.util.ArrayList<>(BATCHES);
    batches.set(1, Records.labelled(BATCHES.get(1), web));
    batches.add(Records.labelled(BATCHES.get(3), web));
    batches.add(Records.labelled(BATCHES.get(3), Labels.of(Map.of("pod", "web-2"))));
    return SegmentFiles.sorted(batches);
  }

  private static void readsAsVersion3(
      String name, byte[] current, boolean settled, List<Batch> batches) throws IOException {
    byte[] golden = golden(name, current);
    assertThat(SegmentSalvage.scan(SegmentFiles.file(golden)).damage()).isEmpty();
    StoreSegment segment = StoreSegment.open(SegmentFiles.file(golden));
    assertThat(segment.isSettled()).isEqualTo(settled);
    if (!segment.isLabelled()) {
      assertThat(list(golden)).isEqualTo(list(current));
    }
    assertThat(segment.slices()).isPresent();
    List<BatchInfo> listed = new java.util.ArrayList<>();
    BatchLists lists = segment.lists().orElseThrow();
    for (BlockInfo block : segment.blocks()) {
      listed.addAll(lists.of(block));
    }
    assertThat(listed).isEqualTo(batches.stream().map(BatchInfo::of).toList());
    try (var stream = new SegmentBatches(segment)) {
      assertThat(SegmentFiles.all(stream)).isEqualTo(batches);
    }
  }

  private static byte[] list(byte[] segment) throws IOException {
    int from = (int) StoreSegment.readFooter(SegmentFiles.file(segment)).batchesOffset();
    return java.util.Arrays.copyOfRange(segment, from, segment.length - SegmentFooter.BYTES);
  }
}
