package io.cordwood.ingest.segment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cordwood.common.segment.Batch;
import io.cordwood.common.segment.IngestSegmentHeader;
import io.cordwood.common.segment.Records;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.ulid.UlidStamper;
import io.cordwood.ingest.IngestOptions;
import io.cordwood.ingest.node.RunningNode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A node starts from any state of its folder, and every intact batch is delivered. */
class IngestRecoveryTest {
  private static final Ulid ID = Ulid.firstOf(1_700_000_000_000L);
  private static final int BATCHES = 4;

  @TempDir Path folder;
  private final UlidStamper stamper = new UlidStamper(InstantSource.system());

  /** What is done to a file of four batches of one record, and how many records survive. */
  @SuppressWarnings("ImmutableEnumChecker") // The functions have no state.
  enum Wound {
    NONE(4, b -> b),
    LAST_BYTE_GONE(3, b -> Arrays.copyOf(b, b.length - 1)),
    ZEROS_BEHIND(4, b -> Arrays.copyOf(b, b.length + 5000)),
    MIDDLE_FLIPPED(3, b -> flipped(b, b.length / 2 - 30)),
    LAST_FLIPPED(3, b -> flipped(b, b.length - 2)),
    FIRST_FLIPPED(3, b -> flipped(b, IngestSegmentHeader.BYTES + 8)),
    HEADER_FLIPPED(4, b -> flipped(b, 9)),
    HEADER_ONLY(0, b -> Arrays.copyOf(b, IngestSegmentHeader.BYTES)),
    HALF_A_HEADER(0, b -> Arrays.copyOf(b, 16)),
    EMPTY(0, b -> new byte[0]),
    GARBAGE(0, b -> new byte[1000]);

    private final int records;
    private final UnaryOperator<byte[]> inflict;

    Wound(int records, UnaryOperator<byte[]> inflict) {
      this.records = records;
      this.inflict = inflict;
    }

    private static byte[] flipped(byte[] bytes, int at) {
      byte[] wounded = bytes.clone();
      wounded[at] ^= 0x10;
      return wounded;
    }
  }

  private byte[] segment() {
    var bytes = new ByteArrayOutputStream();
    bytes.writeBytes(new IngestSegmentHeader(ID).encode().array());
    for (int i = 0; i < BATCHES; i++) {
      bytes.writeBytes(Records.wire(Records.lines(stamper.stamp(1), "record " + i)));
    }
    return bytes.toByteArray();
  }

  private Path wounded(Wound wound, IngestSegmentState state) throws IOException {
    Path file = folder.resolve(new IngestSegmentState.Name(ID, state).fileName());
    return Files.write(file, wound.inflict.apply(segment()));
  }

  /** All records of all segments, stepping over damage as stores do. */
  private static long delivered(RunningNode node) throws IOException {
    long records = 0;
    for (var next = node.claim(Duration.ZERO); next.isPresent(); next = node.claim(Duration.ZERO)) {
      try (var file = node.log().claims().read(next.get().id())) {
        records += IngestSegmentHeader.read(file).id().equals(next.get().id()) ? 0 : 1_000_000;
        records += SegmentScan.of(file).batches();
      } catch (SegmentRefusedException e) {
        throw new AssertionError(e);
      }
    }
    return records;
  }

  /** Sparse: of a terabyte of zeros, which would be read for an hour. */
  @ParameterizedTest
  @EnumSource(names = {"ACTIVE", "FLUSHED", "PENDING", "REUSED"})
  void aFileThatNoSegmentCanBeIsSetAsideUnread(IngestSegmentState state) throws IOException {
    Path file = wounded(Wound.GARBAGE, state);
    try (var whole = new RandomAccessFile(file.toFile(), "rw")) {
      whole.setLength(1L << 40);
    }
    try (var node = RunningNode.in(folder)) {
      assertThat(delivered(node)).isZero();
    }
    assertThat(folder.resolve(IngestRecovery.ASIDE).resolve(file.getFileName())).hasSize(1L << 40);
    assertThat(file).doesNotExist();
  }

  @ParameterizedTest
  @EnumSource
  void activeSegmentIsRecovered(Wound wound) throws IOException {
    wounded(wound, IngestSegmentState.ACTIVE);
    try (var node = RunningNode.in(folder)) {
      assertThat(delivered(node)).isEqualTo(wound.records);
    }
  }

  @ParameterizedTest
  @EnumSource
  void pendingSegmentIsRecoveredAndItsDamageKept(Wound wound) throws IOException {
    Path file = wounded(wound, IngestSegmentState.PENDING);
    long bytes = Files.size(file);
    try (var node = RunningNode.in(folder)) {
      assertThat(delivered(node)).isEqualTo(wound.records);
    }
    if (wound.records < BATCHES && bytes > IngestSegmentHeader.BYTES) {
      assertThat(folder.resolve(IngestRecovery.ASIDE)).isNotEmptyDirectory();
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"NONE", "HEADER_FLIPPED", "GARBAGE", "EMPTY"})
  void flushedSegmentIsServed(Wound wound) throws IOException {
    wounded(wound, IngestSegmentState.FLUSHED);
    try (var node = RunningNode.in(folder)) {
      assertThat(delivered(node)).isEqualTo(wound.records);
    }
  }

  /** The file of an older and longer segment, over which this one was written. */
  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "ZEROS_BEHIND")
  void reusedSegmentIsRecovered(Wound wound) throws IOException {
    byte[] reused = olderSegment();
    byte[] written = wound.inflict.apply(segment());
    System.arraycopy(written, 0, reused, 0, written.length);
    Files.write(
        folder.resolve(new IngestSegmentState.Name(ID, IngestSegmentState.REUSED).fileName()),
        reused);
    try (var node = RunningNode.in(folder)) {
      List<String> lines = RunningNode.text(node.consumeWaiting()).lines().toList();
      assertThat(lines.stream().filter(line -> line.startsWith("record "))).hasSize(wound.records);
    }
    if (List.of(Wound.FIRST_FLIPPED, Wound.MIDDLE_FLIPPED, Wound.HEADER_FLIPPED).contains(wound)) {
      assertThat(folder.resolve(IngestRecovery.ASIDE)).isNotEmptyDirectory();
    }
  }

  private static byte[] olderSegment() {
    Ulid first = Ulid.firstOf(ID.millis() - 1_000_000);
    var bytes = new ByteArrayOutputStream();
    bytes.writeBytes(new IngestSegmentHeader(first).encode().array());
    for (int i = 0; i < 50; i++) {
      Batch batch = Records.lines(first.plus(i), "older " + "x".repeat(i));
      bytes.writeBytes(Records.wire(batch));
    }
    return bytes.toByteArray();
  }

  @Test
  void sameNameInTwoStatesLosesNeither() throws IOException {
    wounded(Wound.NONE, IngestSegmentState.ACTIVE);
    wounded(Wound.NONE, IngestSegmentState.FLUSHED);
    wounded(Wound.NONE, IngestSegmentState.PENDING);
    try (var node = RunningNode.in(folder)) {
      assertThat(delivered(node)).isEqualTo(3 * BATCHES);
    }
  }

  @Test
  void foreignFilesAreLeftAlone() throws IOException {
    Files.writeString(folder.resolve("notes.txt"), "mine");
    Files.writeString(folder.resolve("short.flushed"), "mine");
    Files.writeString(folder.resolve(ID.toString().toLowerCase(Locale.ROOT) + ".active"), "mine");
    Files.createDirectory(folder.resolve(ID + ".flushed"));
    try (var node = RunningNode.in(folder)) {
      assertThat(delivered(node)).isZero();
      assertThat(node.files()).hasSize(4);
    }
  }

  @Test
  void copiesOfTheFolderUnderLoadHoldAllThatWasAcknowledged() throws Exception {
    Path live = folder.resolve("live");
    var options =
        RunningNode.options(live)
            .with(
                new IngestOptions.Flushing(
                    20_000, Duration.ofMillis(20), Duration.ofMillis(5), 64));
    try (var node = new RunningNode(options);
        Socket socket = node.connect()) {
      int sent = 0;
      for (int round = 0; round < 20; round++) {
        int records = 100 + round * 37;
        for (int i = 0; i < records; i++) {
          String line = "line " + (sent + i) + "\n";
          socket.getOutputStream().write(line.getBytes(StandardCharsets.UTF_8));
        }
        sent += records;
        await().until(() -> node.counted("records_stored") > 0);
        long stored = node.counted("records_stored");
        Path copy = folder.resolve("copy" + round);
        node.copyFilesTo(copy);
        assertCopyHolds(copy, stored);
      }
    }
  }

  private static void assertCopyHolds(Path copy, long stored) throws IOException {
    try (var node = RunningNode.in(copy)) {
      List<Batch> batches = node.consume(stored);
      List<String> lines = RunningNode.text(batches).lines().toList();
      assertThat(lines).doesNotHaveDuplicates().hasSizeGreaterThanOrEqualTo((int) stored);
      assertThat(lines).contains("line 0", "line " + (stored - 1));
    }
  }
}
