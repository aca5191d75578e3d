package io.cordwood.dist.server;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.common.cluster.Cluster;
import io.cordwood.common.file.CrashingFilesystem;
import io.cordwood.common.file.Filesystem;
import io.cordwood.common.file.PowerLoss;
import io.cordwood.common.file.PowerLoss.Survival;
import io.cordwood.common.file.WholeFile;
import io.cordwood.common.file.WritableFile;
import io.cordwood.common.ulid.Ulid;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class NodeIdTest {
  private static final long TEBIBYTE = 1L << 40;

  @TempDir private Path data;

  private String nodeId() throws IOException {
    return NodeId.in(data, Filesystem.real());
  }

  @Test
  void isTheSameAfterARestart() throws IOException {
    String made = nodeId();
    assertThat(Ulid.isValid(made)).isTrue();
    assertThat(nodeId()).isEqualTo(made);
  }

  /** As a crash or a broken disk may leave it; of whatever size, it is not read. */
  @Test
  void whatIsNoneIsReplaced() throws IOException {
    Path file = data.resolve("node-id");
    try (var sparse = new RandomAccessFile(file.toFile(), "rw")) {
      sparse.setLength(TEBIBYTE);
    }
    assertReplaced(file);
    Files.write(file, new byte[] {(byte) 0x80, 0, 7, (byte) 0xFF});
    assertReplaced(file);
    new FileOutputStream(file.toFile()).close();
    assertReplaced(file);
  }

  /** To open it would wait for somebody who writes. */
  @Test
  void aPipeInItsPlaceIsReplaced() throws Exception {
    Path file = data.resolve("node-id");
    assertThat(new ProcessBuilder("mkfifo", file.toString()).start().waitFor()).isZero();
    assertReplaced(file);
  }

  private void assertReplaced(Path file) throws IOException {
    String made = nodeId();
    assertThat(Ulid.isValid(made)).isTrue();
    assertThat(file).hasContent(made + "\n");
  }

  @Test
  void onlyANodeWhoseFolderIsNewHasNoPast() throws IOException {
    Path members = data.resolve("members");
    String first = nodeId();
    assertThat(members).content().contains("# past fresh");
    Files.delete(members);
    assertThat(nodeId()).isEqualTo(first);
    assertThat(members).as("it had a past, and nobody knows it").doesNotExist();
    Files.delete(data.resolve("node-id"));
    Files.createDirectory(data.resolve("store"));
    assertThat(nodeId()).isNotEqualTo(first);
    assertThat(members).as("of records of which nobody knows whose they are").doesNotExist();
  }

  @Test
  void aFolderInItsPlaceIsNamed() throws IOException {
    Path folder = Files.createDirectory(data.resolve("node-id"));
    assertThatThrownBy(() -> nodeId())
        .isInstanceOf(IOException.class)
        .hasMessageContaining(folder.toString());
  }

  /** Nothing is acknowledged before there is an id. */
  @Test
  void aLossOfPowerAtAnyMomentLeavesTheIdOrComesBeforeIt() throws IOException {
    var disk = new CrashingFilesystem();
    String made = NodeId.in(data, disk);
    for (int point = 0; point <= disk.point(); point++) {
      for (Survival survival : Survival.values()) {
        Path left = after(new PowerLoss(disk, point), survival);
        String next = NodeId.in(left, Filesystem.real());
        assertThat(Ulid.isValid(next)).isTrue();
        if (point == disk.point()) {
          assertThat(next).as("%s at %d", survival, point).isEqualTo(made);
        }
        assertThat(left.resolve("members"))
            .as("%s at %d: a node that never was has no past", survival, point)
            .content()
            .contains("# past fresh");
      }
    }
  }

  @Test
  void anIdWhoseMakerWasKilledIsForcedBeforeItIsUsed() throws IOException {
    var disk = new CrashingFilesystem();
    WholeFile.writeForced(disk, data.resolve("node-id"), "no id yet");
    String made = Ulid.firstOf(1_700_000_000_000L).toString();
    try (WritableFile draft = disk.create(data.resolve("draft"))) {
      draft.write(ByteBuffer.wrap(made.getBytes(US_ASCII)));
      draft.force();
    }
    disk.rename(data.resolve("draft"), data.resolve("node-id"));
    assertThat(NodeId.in(data, disk)).isEqualTo(made);
    Path left = after(new PowerLoss(disk, disk.point()), Survival.NOTHING);
    assertThat(NodeId.in(left, Filesystem.real())).isEqualTo(made);
  }

  private Path after(PowerLoss loss, Survival survival) throws IOException {
    Path left = Files.createTempDirectory(data, "left");
    for (var file : loss.state(survival, new SplittableRandom(1)).entrySet()) {
      Files.write(left.resolve(file.getKey().getFileName()), file.getValue().array());
    }
    return left;
  }

  /** As {@code restore --new-id} leaves it. */
  @Test
  void segmentsOfABackupAreNoPastOfANodeOfItsOwn() throws IOException {
    Files.createDirectory(data.resolve("store"));
    Cluster.beginMembers(data.resolve("members"), Filesystem.real());
    assertThat(NodeId.hasPast(data)).isFalse();
    assertThat(Ulid.isValid(nodeId())).isTrue();
    Files.delete(data.resolve("node-id"));
    Files.writeString(data.resolve("members"), "# written by a node\n");
    assertThat(NodeId.hasPast(data)).isTrue();
  }
}
