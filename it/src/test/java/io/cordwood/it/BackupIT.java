package io.cordwood.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code cordwood backup} of a node that is written to, and {@code cordwood restore}. */
final class BackupIT {
  @TempDir private Path folder;

  /** Small segments, so that they are flushed, consumed, overwritten and compacted meanwhile. */
  private static final String[] BUSY = {"--flush-size", "1MiB", "--flush-age", "100ms"};

  @Test
  void allThatWasAcknowledgedBeforeIsInItOnceAndTheNodeGoesOn() throws Exception {
    Path home = Files.createDirectory(folder.resolve("node"));
    try (NodeProcess node = NodeProcess.start(home, BUSY);
        AcknowledgedLoad durable = AcknowledgedLoad.start("durable", node.durablePort())) {
      durable.awaitAcknowledged(2000);
      for (int round = 0; round < 3; round++) {
        long before = durable.acknowledged();
        Path backup = folder.resolve("backup-" + round);
        Program.Result taken = backUp(home, backup, round == 1 ? "--copy" : "--data");
        assertThat(taken.errors()).isEmpty();
        assertThat(taken.text()).startsWith(backup + ": ").contains("acknowledged before 20");
        durable.awaitAcknowledged(before + 2000);
        assertRestored(backup, durable, before);
      }
      durable.finish();
      durable.assertFound(node, durable.sent());
    }
  }

  private static Program.Result backUp(Path home, Path backup, String how) throws IOException {
    String data = home.resolve("data").toString();
    return how.equals("--data")
        ? Program.run("backup", "--data", data, backup.toString())
        : Program.run("backup", how, "--data", data, backup.toString());
  }

  private void assertRestored(Path backup, AcknowledgedLoad load, long least) throws IOException {
    Path home = Files.createDirectory(folder.resolve("restored-" + backup.getFileName()));
    Path data = home.resolve("data");
    Program.Result restored = Program.run("restore", backup.toString(), "--data", data.toString());
    assertThat(restored.errors()).isEmpty();
    try (NodeProcess node = NodeProcess.start(home)) {
      List<String> found = node.find(load.name() + " ");
      assertThat((long) found.size()).isGreaterThanOrEqualTo(least);
      for (int i = 0; i < least; i++) {
        assertThat(found.get(i)).as("%d were acknowledged", least).isEqualTo(load.record(i));
      }
      // Of what came while the backup was taken, any part may be there, each record once.
      assertThat(found).doesNotHaveDuplicates();
      node.send("goes on\n");
      node.awaitCount("goes on", 1);
    }
  }

  @Test
  void whatIsNoBackupOrNoDataOrNotWholeIsRefusedAndChangesNothing() throws Exception {
    Path home = Files.createDirectory(folder.resolve("node"));
    try (NodeProcess node = NodeProcess.start(home)) {
      node.send("one\n");
      node.awaitStored(1);
    }
    Path data = home.resolve("data");
    Path backup = folder.resolve("backup");
    assertThat(backUp(home, backup, "--data").exitCode()).isZero();

    assertThat(Program.run("backup", "--data", data.toString(), backup.toString()).errors())
        .contains(backup + ": expected an empty folder, or none");
    assertThat(Program.run("backup", "--data", backup.resolve("store").toString(), "x").errors())
        .contains("expected a node's data folder, with a file node-id, found none");
    assertThat(Program.run("restore", data.toString(), "--data", "x").errors())
        .contains("expected a backup with a file BACKUP, found none");
    assertThat(Program.run("restore", backup.toString(), "--data", data.toString()).errors())
        .contains(data + ": expected an empty folder, or none");

    Path segment = segmentOf(backup);
    byte[] bytes = Files.readAllBytes(segment);
    Files.delete(segment); // it is a link, which must not be cut
    assertRefused(backup, segment + ": expected a file of the backup, found none");
    Files.write(segment, java.util.Arrays.copyOf(bytes, bytes.length - 1));
    assertRefused(
        backup,
        "%s: expected %d bytes, found %d".formatted(segment, bytes.length, bytes.length - 1));
    Files.write(segment, bytes);
    Path manifest = backup.resolve("BACKUP");
    String text = Files.readString(manifest);
    String astray = text.replaceFirst("file [0-9]+ store", "file 1 ../store");
    Files.writeString(manifest, astray);
    long line = astray.substring(0, astray.indexOf("..")).lines().count();
    assertRefused(backup, "BACKUP line " + line + ": expected file BYTES PATH");
    Files.writeString(manifest, text.replaceFirst("end .*\n", ""));
    assertRefused(backup, "expected a node's id and a last line \"end ");
    Files.write(manifest, new byte[] {(byte) 0xff, 0, 1, 2});
    assertRefused(
        backup, "BACKUP: expected a backup's list of files, found bytes that are no text");
    assertThat(Files.exists(folder.resolve("y"))).isFalse();
  }

  private void assertRefused(Path backup, String why) throws IOException {
    Program.Result refused =
        Program.run("restore", backup.toString(), "--data", folder.resolve("y").toString());
    assertThat(refused.exitCode()).isEqualTo(2);
    assertThat(refused.errors()).contains(why);
  }

  private static Path segmentOf(Path backup) throws IOException {
    try (Stream<Path> files = Files.list(backup.resolve("store"))) {
      return files.filter(file -> file.toString().endsWith(".flushed")).findFirst().orElseThrow();
    }
  }

  @Test
  void aRestoredNodeMayBeOneOfItsOwn() throws Exception {
    Path home = Files.createDirectory(folder.resolve("node"));
    try (NodeProcess node = NodeProcess.start(home)) {
      node.send("one\n");
      node.awaitStored(1);
    }
    Path backup = folder.resolve("backup");
    assertThat(backUp(home, backup, "--data").exitCode()).isZero();
    Path other = Files.createDirectory(folder.resolve("other"));
    Path data = other.resolve("data");
    assertThat(
            Program.run("restore", backup.toString(), "--new-id", "--data", data.toString())
                .exitCode())
        .isZero();
    try (NodeProcess node = NodeProcess.start(other)) {
      assertThat(node.find("")).containsExactly("one");
      assertThat(Files.readString(data.resolve("node-id")))
          .isNotEqualTo(Files.readString(home.resolve("data/node-id")));
    }
  }
}
