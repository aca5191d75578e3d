package io.cordwood.ingest.segment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cordwood.common.file.Filesystem;
import io.cordwood.common.file.ReadableFile;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.ingest.IngestOptions;
import io.cordwood.ingest.node.RunningNode;
import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The file of a committed segment holds another one, and nobody gets to see the old one. */
class ReusedFilesTest {
  private static final Duration LONG = Duration.ofHours(1);
  private static final int SEGMENT_BYTES = 5 << 20;
  private static final String OLD = "of the old segment\n".repeat(SEGMENT_BYTES / 16);

  @TempDir Path folder;
  @TempDir Path copy;

  private RunningNode node(Path in) throws IOException {
    return new RunningNode(
        RunningNode.options(in)
            .with(new IngestOptions.Flushing(SEGMENT_BYTES, LONG, Duration.ofMillis(5), 64)));
  }

  private static void makeSpare(RunningNode node) throws IOException {
    node.send(OLD);
    node.consume(OLD.lines().count());
    await().untilAsserted(() -> assertThat(names(node, ".spare")).isNotEmpty());
  }

  private static List<String> names(RunningNode node, String ending) throws IOException {
    return node.files().stream().filter(name -> name.endsWith(ending)).toList();
  }

  private static Path onlyFile(Path in, String ending) throws IOException {
    try (var files = Files.newDirectoryStream(in, "*" + ending)) {
      return files.iterator().next();
    }
  }

  @Test
  void aReusedFileIsFlushedWithNothingOfTheOldSegment() throws IOException {
    try (var node = node(folder);
        Socket sender = node.connect()) {
      makeSpare(node);
      int spares = names(node, ".spare").size();
      sender.getOutputStream().write("new\n".getBytes(StandardCharsets.UTF_8));
      await().untilAsserted(() -> assertThat(names(node, ".reused")).hasSize(1));
      assertThat(names(node, ".spare")).hasSize(spares - 1);

      sender.shutdownOutput();

      await().until(() -> node.log().claims().waiting() == 1);
      assertThat(Files.size(folder.resolve(names(node, ".flushed").getFirst()))).isLessThan(200);
      assertThat(RunningNode.text(node.consume(1))).isEqualTo("new\n");
    }
  }

  @Test
  void whatWasWrittenToAReusedFileIsRecoveredAndNothingElse() throws IOException {
    try (var node = node(folder);
        Socket sender = node.connect()) {
      makeSpare(node);
      sender.getOutputStream().write("one\ntwo\n".getBytes(StandardCharsets.UTF_8));
      await().until(() -> node.counted("records_stored", "topic", "default") > OLD.lines().count());
      node.copyFilesTo(copy);
    }
    onlyFile(copy, ".reused");
    try (var recovered = node(copy)) {
      assertThat(RunningNode.text(recovered.consume(2))).isEqualTo("one\ntwo\n");
      assertThat(recovered.log().claims().waiting()).isZero();
      assertThat(names(recovered, ".spare")).isEmpty();
    }
  }

  @Test
  void aFileThatWasTakenAndNotWrittenToIsDropped() throws IOException {
    try (var node = node(folder)) {
      makeSpare(node);
      node.copyFilesTo(copy);
    }
    Files.move(
        onlyFile(copy, ".spare"), copy.resolve(Ulid.firstOf(1_700_000_000_000L) + ".reused"));
    try (var recovered = node(copy)) {
      assertThat(recovered.log().claims().waiting()).isZero();
      assertThat(names(recovered, ".reused")).isEmpty();
    }
  }

  @Test
  void aFileThatSomebodyReadsIsNotReused() throws Exception {
    try (var node = node(folder)) {
      node.send(OLD);
      PendingSegment claimed = node.claim(RunningNode.PATIENCE).orElseThrow();
      assertThat(claimed.bytes()).isGreaterThan(RecycledFiles.MIN_BYTES);
      try (ReadableFile reading = node.log().claims().read(claimed.id())) {
        node.log().claims().commit(claimed.id());

        assertThat(names(node, claimed.id() + ".spare")).isEmpty();
        var last = ByteBuffer.allocate(1);
        reading.read(last, reading.size() - 1);
        assertThat(last.get(0)).isEqualTo((byte) '\n');
      }
    }
  }

  @Test
  void oneThatNobodyTakesIsDeleted() throws IOException {
    var in = new SegmentNames(Filesystem.real(), folder);
    var spares = new RecycledFiles(in, Duration.ZERO);
    assertThat(kept(spares, in, 1, RecycledFiles.MIN_BYTES - 1)).isFalse();
    assertThat(kept(spares, in, 1, RecycledFiles.MIN_BYTES)).isTrue();
    assertThat(in.file(Ulid.firstOf(1), IngestSegmentState.SPARE)).exists();

    spares.dropOld(Long.MAX_VALUE);

    assertThat(spares.take()).isEmpty();
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void allAreDeletedWhenTheDiskIsShortOfRoom() throws IOException {
    var in = new SegmentNames(Filesystem.real(), folder);
    var spares = new RecycledFiles(in, LONG);
    assertThat(kept(spares, in, 1, RecycledFiles.MIN_BYTES)).isTrue();
    spares.dropOld(RecycledFiles.PLENTY_BYTES);
    assertThat(in.file(Ulid.firstOf(1), IngestSegmentState.SPARE)).exists();

    spares.dropOld(RecycledFiles.PLENTY_BYTES - 1);

    assertThat(spares.take()).isEmpty();
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void theyTakeNoMoreRoomThanTheyMay() throws IOException {
    var in = new SegmentNames(Filesystem.real(), folder);
    var spares = new RecycledFiles(in, LONG);
    long many = RecycledFiles.MAX_ALL_BYTES / RecycledFiles.MAX_BYTES;
    for (long id = 1; id <= many; id++) {
      assertThat(kept(spares, in, id, RecycledFiles.MAX_BYTES)).isTrue();
    }
    assertThat(kept(spares, in, many + 1, RecycledFiles.MIN_BYTES)).isFalse();

    assertThat(spares.take()).contains(Ulid.firstOf(many));
    assertThat(kept(spares, in, many + 2, RecycledFiles.MAX_BYTES)).isTrue();
    assertThat(kept(spares, in, many + 3, RecycledFiles.MIN_BYTES)).isFalse();
  }

  /** Whether a committed segment of so many bytes, as it is said, is kept. */
  private static boolean kept(RecycledFiles spares, SegmentNames in, long id, long bytes)
      throws IOException {
    Files.write(in.file(Ulid.firstOf(id), IngestSegmentState.PENDING), new byte[1]);
    return spares.keep(Ulid.firstOf(id), bytes);
  }
}
