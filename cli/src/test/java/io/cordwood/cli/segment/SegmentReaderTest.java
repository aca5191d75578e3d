package io.cordwood.cli.segment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.common.segment.Batch;
import io.cordwood.common.segment.IngestSegmentHeader;
import io.cordwood.common.segment.Records;
import io.cordwood.common.segment.SegmentFiles;
import io.cordwood.common.segment.Topic;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.wire.CorruptException;
import io.cordwood.common.wire.Labels;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What {@code cordwood segment cat}, {@code info} and {@code verify} read, byte by byte. */
final class SegmentReaderTest {
  private static final Labels LABELS = Labels.of(Map.of("pod", "web-1", "host", "\"n\""));

  /** Every place would take seconds. */
  private static final int STEP = 23;

  @TempDir private Path folder;
  private final List<Batch> batches = batches();

  enum Form {
    INGEST,
    STORE,
    SETTLED
  }

  private static List<Batch> batches() {
    List<Batch> batches = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      Topic topic = i == 1 ? new Topic("shop") : Topic.DEFAULT;
      Ulid first = Ulid.firstOf(1_700_000_000_000L + 1000L * (i + 1));
      Batch batch = Records.lines(topic, first, "one of " + i, "two of " + i);
      batches.add(i < 2 ? batch : Records.labelled(batch, LABELS));
    }
    return batches;
  }

  private byte[] bytes(Form form) throws IOException {
    if (form != Form.INGEST) {
      byte[] fresh = SegmentFiles.storeSegment(SegmentFiles.sorted(batches));
      return form == Form.STORE ? fresh : SegmentFiles.settled(fresh);
    }
    var out = new ByteArrayOutputStream();
    out.writeBytes(bytes(new IngestSegmentHeader(Ulid.firstOf(1_700_000_000_000L)).encode()));
    batches.forEach(batch -> out.writeBytes(bytes(batch.encode())));
    return out.toByteArray();
  }

  private static byte[] bytes(ByteBuffer buffer) {
    byte[] bytes = new byte[buffer.remaining()];
    buffer.duplicate().get(bytes);
    return bytes;
  }

  /** What is read of a file. */
  private static final class Seen implements SegmentReader.Visitor {
    private final List<String> batches = new ArrayList<>();
    private final List<CorruptException> damage = new ArrayList<>();

    @Override
    public void batch(Batch batch) {
      batches.add(text(batch));
    }

    @Override
    public void damage(CorruptException found) {
      damage.add(found);
    }
  }

  /** All of it. */
  private static String text(Batch batch) {
    return batch.topic()
        + " "
        + batch.labels()
        + " "
        + batch.range()
        + " "
        + Arrays.toString(bytes(batch.payload()));
  }

  private Path write(byte[] bytes) throws IOException {
    return Files.write(folder.resolve("segment"), bytes);
  }

  private static Seen seen(Path file) throws IOException {
    try (SegmentReader reader = SegmentReader.open(file)) {
      var seen = new Seen();
      reader.visit(seen);
      return seen;
    }
  }

  private static List<CorruptException> verify(Path file) throws IOException {
    try (SegmentReader reader = SegmentReader.open(file)) {
      return reader.verify();
    }
  }

  private List<String> all() {
    return batches.stream().map(SegmentReaderTest::text).toList();
  }

  @ParameterizedTest
  @EnumSource(Form.class)
  void anIntactFileIsReadAsAWhole(Form form) throws IOException {
    Path file = write(bytes(form));
    assertThat(seen(file).batches).containsExactlyInAnyOrderElementsOf(all());
    assertThat(seen(file).damage).isEmpty();
    assertThat(verify(file)).isEmpty();
    try (SegmentReader reader = SegmentReader.open(file)) {
      assertThat(reader.kind())
          .isEqualTo(form == Form.INGEST ? SegmentReader.Kind.INGEST : SegmentReader.Kind.STORE);
      assertThat(reader.fileBytes()).isEqualTo(Files.size(file));
      assertThat(reader.blocks().isEmpty()).isEqualTo(form == Form.INGEST);
    }
  }

  @ParameterizedTest
  @EnumSource(Form.class)
  void aChangedByteIsFoundWhereverItIsAndNothingFalseIsRead(Form form) throws IOException {
    byte[] bytes = bytes(form);
    for (int at = 0; at < bytes.length; at += STEP) {
      bytes[at] ^= 0x10;
      Path file = write(bytes);
      assertThat(verify(file)).as("byte %d of %d", at, bytes.length).isNotEmpty();
      assertThat(all()).as("byte %d", at).containsAll(seen(file).batches);
      bytes[at] ^= 0x10;
    }
  }

  @ParameterizedTest
  @EnumSource(value = Form.class, names = "INGEST", mode = EnumSource.Mode.EXCLUDE)
  void aStoreSegmentThatIsCutIsDamagedWhereverThatIs(Form form) throws IOException {
    byte[] bytes = bytes(form);
    for (int length = 0; length < bytes.length; length += STEP) {
      Path file = write(Arrays.copyOf(bytes, length));
      assertThat(verify(file)).as("%d of %d bytes", length, bytes.length).isNotEmpty();
      assertThat(all()).as("%d bytes", length).containsAll(seen(file).batches);
    }
  }

  @Test
  void sumsAreOfTheBatchesThatAreRead() throws IOException {
    var sums = new SegmentSums();
    batches.forEach(sums::add);
    assertThat(sums.records()).isEqualTo(6);
    assertThat(sums.batches()).isEqualTo(3);
    assertThat(sums.labels()).isEqualTo(1);
    assertThat(sums.byTopic().get(new Topic("shop")))
        .isEqualTo(new SegmentSums.Sum(2, bytesOf("shop")));
    assertThat(sums.payloadBytes()).isEqualTo(bytesOf("shop") + bytesOf("default"));
    assertThat(sums.range().orElseThrow().from())
        .isEqualTo(batches.stream().map(Batch::first).min(Ulid::compareTo).orElseThrow());
  }

  @Test
  void labelsAreShownAsJson() {
    assertThat(SegmentCatCommand.json(LABELS))
        .isEqualTo("{\"host\":\"\\\"n\\\"\",\"pod\":\"web-1\"}");
    assertThat(SegmentCatCommand.json(Labels.NONE)).isEqualTo("{}");
  }

  private long bytesOf(String topic) {
    return batches.stream()
        .filter(batch -> batch.topic().toString().equals(topic))
        .mapToLong(batch -> batch.payload().remaining())
        .sum();
  }

  @Test
  void whatIsNoSegmentIsSaidToBeNone() throws IOException {
    for (String text : List.of("", "abc", "plain text\n")) {
      Path file = write(text.getBytes(StandardCharsets.US_ASCII));
      assertThat(verify(file))
          .singleElement()
          .satisfies(
              damage -> assertThat(damage).hasMessageContaining("expected a segment's magic"));
    }
    assertThatThrownBy(() -> SegmentReader.open(folder))
        .hasMessage(folder + ": expected a file, found a folder");
  }
}
