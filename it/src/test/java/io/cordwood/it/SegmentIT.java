package io.cordwood.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.common.segment.Batch;
import io.cordwood.common.segment.IngestSegmentHeader;
import io.cordwood.common.segment.Records;
import io.cordwood.common.segment.SegmentFiles;
import io.cordwood.common.segment.Topic;
import io.cordwood.common.ulid.Ulid;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code cordwood segment} on files of both kinds and on a settled one, intact and damaged. */
final class SegmentIT {
  private static final long SEED = 42;

  @TempDir private Path folder;

  private final List<Batch> batches = batches();

  private static List<Batch> batches() {
    Records records = new Records(SEED);
    List<Batch> batches = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      batches.add(records.batch(i % 3 == 0 ? new Topic("shop") : Topic.DEFAULT, 20));
    }
    return batches;
  }

  @Test
  void recordsOfAllKindsAreWrittenByteExact() throws IOException {
    Path ingest = ingestSegment();
    Program.Result cat = Program.run("segment", "cat", "-0", ingest.toString());
    assertThat(cat.exitCode()).isZero();
    assertThat(cat.output()).isEqualTo(recordsWithNul(batches));

    for (Path store : List.of(storeSegment(), settledSegment())) {
      Program.Result sorted = Program.run("segment", "cat", "-0", store.toString());
      assertThat(sorted.output()).isEqualTo(recordsWithNul(SegmentFiles.sorted(batches)));
    }
  }

  @Test
  void grepSearchesThem() throws IOException {
    long records = batches.stream().mapToLong(Batch::records).sum();
    Program.Result counts =
        Program.run(
            "grep",
            "-ch",
            "",
            ingestSegment().toString(),
            storeSegment().toString(),
            settledSegment().toString());
    assertThat(counts.errors()).isEmpty();
    assertThat(counts.text()).isEqualTo((records + "\n").repeat(3));
  }

  @Test
  void everyRecordGetsItsUlidAndTopic() throws IOException {
    Batch first = batches.getFirst();
    Program.Result cat =
        Program.run("segment", "cat", "--ulid", "--topic", ingestSegment().toString());
    assertThat(cat.text()).startsWith(first.first() + " shop ");
  }

  @Test
  void infoTellsWhatIsInThere() throws IOException {
    long records = batches.stream().mapToLong(Batch::records).sum();
    for (Path file : List.of(ingestSegment(), storeSegment(), settledSegment())) {
      Program.Result info = Program.run("segment", "info", "--blocks", file.toString());
      assertThat(info.exitCode()).isZero();
      assertThat(info.text())
          .containsPattern("records +" + records + " in 40 batches")
          .containsPattern("topic +default: ")
          .containsPattern("topic +shop: ");
    }
  }

  @Test
  void intactFilesAreSaidToBeIntact() throws IOException {
    Program.Result verify =
        Program.run(
            "segment",
            "verify",
            ingestSegment().toString(),
            storeSegment().toString(),
            settledSegment().toString());
    assertThat(verify.text().lines()).hasSize(3).allMatch(line -> line.contains(": intact, "));
    assertThat(verify.exitCode()).isZero();
  }

  @Test
  void damageIsNamedWithItsPlaceAndTheRestIsRead() throws IOException {
    for (Path file : List.of(ingestSegment(), storeSegment(), settledSegment())) {
      byte[] bytes = Files.readAllBytes(file);
      bytes[bytes.length / 3] ^= 0x10;
      Files.write(file, bytes);
      Program.Result verify = Program.run("segment", "verify", file.toString());
      assertThat(verify.exitCode()).isEqualTo(1);
      assertThat(verify.text()).startsWith(file + ": at byte ");
      Program.Result cat = Program.run("segment", "cat", file.toString());
      assertThat(cat.exitCode()).isEqualTo(1);
      assertThat(cat.output()).isNotEmpty();
      assertThat(cat.errors()).contains(file + ": at byte ");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"info", "verify"})
  void reportOntoAFullDiskIsAnError(String command) throws IOException {
    String file = ingestSegment().toString();
    try (Program program = Program.startBy("exec \"$@\" >/dev/full", "segment", command, file)) {
      Program.Result result = program.end();
      assertThat(result.exitCode()).isEqualTo(2);
      assertThat(result.errors()).contains("cannot write to standard output: No space left");
    }
  }

  @Test
  void foreignFileIsNoSegment() throws IOException {
    Path file = Files.writeString(folder.resolve("looks.flushed"), "plain text\n");
    Program.Result verify = Program.run("segment", "verify", file.toString());
    assertThat(verify.exitCode()).isEqualTo(1);
    assertThat(verify.text()).contains("at byte 0: expected a segment's magic");
  }

  private Path ingestSegment() throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(bytes(new IngestSegmentHeader(Ulid.firstOf(1_700_000_000_000L)).encode()));
    batches.forEach(batch -> out.writeBytes(bytes(batch.encode())));
    return Files.write(folder.resolve("ingest"), out.toByteArray());
  }

  private Path storeSegment() throws IOException {
    return Files.write(
        folder.resolve("store"), SegmentFiles.storeSegment(SegmentFiles.sorted(batches)));
  }

  private Path settledSegment() throws IOException {
    byte[] fresh = SegmentFiles.storeSegment(SegmentFiles.sorted(batches));
    return Files.write(folder.resolve("settled"), SegmentFiles.settled(fresh));
  }

  private static byte[] bytes(ByteBuffer buffer) {
    byte[] bytes = new byte[buffer.remaining()];
    buffer.duplicate().get(bytes);
    return bytes;
  }

  private static byte[] recordsWithNul(List<Batch> batches) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (Batch batch : batches) {
      for (byte b : bytes(batch.payload())) {
        out.write(b == batch.delimiter().value() ? 0 : b);
      }
    }
    return out.toByteArray();
  }
}
