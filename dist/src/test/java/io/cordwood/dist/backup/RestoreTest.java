package io.cordwood.dist.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.cli.program.CommandRun;
import io.cordwood.common.file.CrashingFilesystem;
import io.cordwood.common.file.FaultyFilesystem;
import io.cordwood.common.file.Filesystem;
import io.cordwood.common.file.PowerLoss;
import io.cordwood.common.segment.Batch;
import io.cordwood.common.segment.IngestSegmentHeader;
import io.cordwood.common.segment.Records;
import io.cordwood.common.segment.SegmentFiles;
import io.cordwood.common.segment.Topic;
import io.cordwood.common.ulid.Ulid;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Backups of data folders that no node uses, and what is restored from them. */
final class RestoreTest {
  private static final FileTime OLD = FileTime.from(Instant.parse("2024-02-29T10:00:00Z"));
  private static final String NODE = Ulid.firstOf(1_700_000_000_000L).toString();

  @TempDir private Path folder;
  private Path data;
  private Path backup;
  private Path restored;

  /** Files wherever a node may have some. */
  @BeforeEach
  void makeData() throws IOException {
    data = folder.resolve("data");
    backup = folder.resolve("backup");
    restored = folder.resolve("restored/data");
    Batch batch = new Records(42).batch(Topic.DEFAULT, 20);
    write("ingest/" + NODE + ".flushed", ingestSegment(batch));
    write("ingest/aside/" + NODE + ".flushed", new byte[] {1, 2, 3});
    String segment = batch.range() + ".flushed";
    write("store/" + segment, SegmentFiles.storeSegment(List.of(batch)));
    write("store/damaged/" + segment.replace(".flushed", ".damaged"), new byte[] {4, 5});
    write("node-id", NODE.getBytes(StandardCharsets.US_ASCII));
    write("members", new byte[] {6});
  }

  private static byte[] ingestSegment(Batch batch) {
    ByteBuffer header = new IngestSegmentHeader(Ulid.parse(NODE)).encode();
    ByteBuffer encoded = batch.encode();
    return ByteBuffer.allocate(header.remaining() + encoded.remaining())
        .put(header)
        .put(encoded)
        .array();
  }

  private void write(String name, byte[] bytes) throws IOException {
    Path file = data.resolve(name);
    Files.createDirectories(file.getParent());
    Files.write(file, bytes);
    Files.setLastModifiedTime(file, OLD);
  }

  private CommandRun backUp(String... more) {
    List<String> all = new ArrayList<>(List.of("--data", data.toString(), backup.toString()));
    all.addAll(List.of(more));
    return CommandRun.of("backup", new BackupCommand(), all.toArray(String[]::new));
  }

  private CommandRun restore(String... more) {
    List<String> all = new ArrayList<>(List.of("--data", restored.toString(), backup.toString()));
    all.addAll(List.of(more));
    return CommandRun.of("restore", new RestoreCommand(), all.toArray(String[]::new));
  }

  private static Map<String, ByteBuffer> contents(Path root) throws IOException {
    Map<String, ByteBuffer> contents = new TreeMap<>();
    try (Stream<Path> all = Files.walk(root)) {
      for (Path file : all.filter(Files::isRegularFile).toList()) {
        contents.put(root.relativize(file).toString(), ByteBuffer.wrap(Files.readAllBytes(file)));
      }
    }
    return contents;
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "--copy"})
  void whatIsRestoredIsWhatWasThereAndAsOld(String how) throws IOException {
    assertThat(how.isEmpty() ? backUp() : backUp(how)).isEqualTo(new CommandRun(0, ""));
    assertThat(restore()).isEqualTo(new CommandRun(0, ""));
    assertThat(contents(restored)).isEqualTo(contents(data));
    try (Stream<Path> all = Files.walk(restored.resolve("store"))) {
      assertThat(all.filter(Files::isRegularFile))
          .hasSize(2)
          .allSatisfy(file -> assertThat(Files.getLastModifiedTime(file)).isEqualTo(OLD));
    }
  }

  @Test
  void whatIsRestoredSurvivesALossOfPower() throws IOException {
    assertThat(backUp().code()).isZero();
    var disk = new CrashingFilesystem();
    new Restore(backup, restored, disk).copy(Manifest.read(backup).files());
    var names = new TreeMap<String, ByteBuffer>();
    new PowerLoss(disk, disk.point())
        .state(PowerLoss.Survival.NOTHING, new SplittableRandom(1))
        .forEach((path, bytes) -> names.put(restored.relativize(path).toString(), bytes));
    assertThat(names).isEqualTo(contents(data));
  }

  /** Who has joined since the backup is in no backup. */
  @Test
  void whatItKnewOfOthersIsInDoubtAndAsOld() throws IOException {
    String past = "introduced yes\n# node\nb\th:1\t2024-02-29T10:00:00Z\tleft\tdescription\n";
    write("members", members("# past whole, " + past));
    assertThat(backUp().code()).isZero();
    assertThat(restore().code()).isZero();
    assertThat(restored.resolve("members")).hasBinaryContent(members("# past lost, " + past));
    assertThat(Files.getLastModifiedTime(restored.resolve("members"))).isEqualTo(OLD);
  }

  private static byte[] members(String text) {
    var checksum = new CRC32C();
    checksum.update(text.getBytes(StandardCharsets.US_ASCII));
    return "# crc32c %08x%n%s"
        .formatted(checksum.getValue(), text)
        .getBytes(StandardCharsets.US_ASCII);
  }

  @Test
  void aNodeOfItsOwnGetsTheSegmentsAlone() throws IOException {
    assertThat(backUp().code()).isZero();
    assertThat(restore("--new-id").code()).isZero();
    assertThat(contents(restored).keySet())
        .hasSize(5)
        .allMatch(name -> name.matches("(ingest|store)/.*|members"));
    assertThat(restored.resolve("members")).content().contains("# past fresh");
  }

  @Test
  void aBackupThatWasNotFinishedIsNone() throws IOException {
    assertThat(backUp().code()).isZero();
    Files.delete(backup.resolve(Manifest.NAME));
    assertThat(restore().err())
        .contains(backup + ": expected a backup with a file BACKUP, found none");
    assertThat(restored).doesNotExist();
  }

  @Test
  void aFolderThatHoldsSomethingIsLeftAsItIs() throws IOException {
    Files.createDirectories(restored);
    Files.writeString(restored.resolve("mine"), "mine");
    assertThat(backUp().code()).isZero();
    assertThat(restore().err()).contains(restored + ": expected an empty folder, or none");
    assertThat(contents(restored).keySet()).containsExactly("mine");
    assertThat(backUp().err()).contains(backup + ": expected an empty folder, or none");
  }

  @Test
  void aFolderWithoutANodesIdIsNoDataFolder() throws IOException {
    Files.delete(data.resolve("node-id"));
    assertThat(backUp().err()).contains("expected a node's data folder, with a file node-id");
    assertThat(backup).doesNotExist();
  }

  /** Linked segments are one file with the node's. */
  @Test
  void aFileThatIsCutIsRefusedAndNothingIsCopied() throws IOException {
    assertThat(backUp("--copy").code()).isZero();
    for (String name : contents(backup).keySet()) {
      if (!name.equals(Manifest.NAME)) {
        Path file = backup.resolve(name);
        byte[] whole = Files.readAllBytes(file);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
          channel.truncate(whole.length - 1);
        }
        assertThat(restore().err())
            .contains(
                "%s: expected %d bytes, found %d".formatted(file, whole.length, whole.length - 1));
        Files.delete(file);
        assertThat(restore().err()).contains(file + ": expected a file of the backup, found none");
        Files.write(file, whole);
      }
    }
    assertThat(restored).doesNotExist();
  }

  @Test
  void aDiskThatFailsIsSaid() throws IOException {
    assertThat(backUp().code()).isZero();
    var disk = new FaultyFilesystem((call, _) -> call == FaultyFilesystem.Call.FORCE);
    assertThatThrownBy(() -> new Restore(backup, restored, disk).copy(files()))
        .isInstanceOf(IOException.class);
    Path other = folder.resolve("other");
    new Restore(backup, other, Filesystem.real()).copy(files());
    assertThat(contents(other)).isEqualTo(contents(data));
  }

  private List<Manifest.Entry> files() throws IOException {
    return Manifest.read(backup).files();
  }
}
