package io.cordwood.forwarder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Disks that damage, refuse or have no room for a spool cost what they must and no more. */
final class DamagedSpoolTest extends SpoolFixture {
  @Test
  void spoolThatIsCutAnywhereGivesEveryBatchBeforeTheCut() throws IOException {
    leave(numbered(0, 200));
    Path file = files(SpoolFile.ENDING).get(0);
    byte[] whole = Files.readAllBytes(file);
    for (long cut : new long[] {0, 5, 31, 32, 33, 60, whole.length / 2, whole.length - 1}) {
      Files.write(file, Arrays.copyOf(whole, (int) cut));
      long expected = intactRecords(file);
      try (Spool spool = Spool.open(new SpoolOptions(folder, SpoolOptions.DEFAULT_BYTES))) {
        assertThat(spool.unreadRecords()).as("cut at %d", cut).isEqualTo(expected);
        long read = 0;
        for (OutgoingBatch batch = spool.next(); batch != null; batch = spool.next()) {
          read += batch.records();
        }
        assertThat(read).isEqualTo(expected);
        assertThat(spool.takeLostRecords()).isZero();
      }
      for (Path other : files("")) {
        Files.delete(other);
      }
    }
  }

  /** Counted apart from the code that is tested: batches back to back, as the format says. */
  private static long intactRecords(Path file) throws IOException {
    try (var in = new DataInputStream(Files.newInputStream(file))) {
      in.skipNBytes(Math.min(32, Files.size(file)));
      long records = 0;
      for (var batch = ReceivedBatch.read(in); batch != null; batch = ReceivedBatch.read(in)) {
        records += batch.count;
      }
      return records;
    } catch (EOFException e) {
      return countUpTo(file);
    }
  }

  private static long countUpTo(Path file) throws IOException {
    long records = 0;
    try (var in = new DataInputStream(Files.newInputStream(file))) {
      in.skipNBytes(32);
      while (true) {
        var batch = ReceivedBatch.read(in);
        records += batch == null ? 0 : batch.count;
      }
    } catch (EOFException e) {
      return records;
    }
  }

  @Test
  void damageCostsTheBatchThatItIsInAndIsTold() throws IOException {
    leave(numbered(0, 500));
    Path file = files(SpoolFile.ENDING).get(0);
    try (RandomAccessFile damaged = new RandomAccessFile(file.toFile(), "rw")) {
      damaged.seek(damaged.length() / 2);
      damaged.write("damage".getBytes(StandardCharsets.US_ASCII));
    }
    ForwarderCounters counters = sendWhatIsLeft();
    assertThat(counters.spool().damagedBytes()).isBetween(1L, 400_000L);
    assertThat(counters.acknowledged()).isEqualTo(counters.spool().recovered());
    assertThat(archive.records()).hasSizeBetween(450, 499).contains("0" + LONG_TEXT);
    assertThat(complaints)
        .anyMatch(c -> c.contains(file + ": ") && c.contains("of no whole batch"));
  }

  /** The last batch is damaged, cut, or followed by something else. */
  @ParameterizedTest
  @ValueSource(ints = {-1000, -1, 0, 1, 1000})
  void damageAfterTheLastWholeBatchIsToldAndItsFileIsSentOnce(int moreBytes) throws IOException {
    leave(numbered(0, 500));
    Path file = files(SpoolFile.ENDING).get(0);
    try (RandomAccessFile damaged = new RandomAccessFile(file.toFile(), "rw")) {
      damaged.seek(damaged.length() - 5);
      damaged.write(new byte[5]);
      damaged.setLength(damaged.length() + moreBytes);
    }
    ForwarderCounters counters = sendWhatIsLeft();
    assertThat(counters.spool().damagedBytes()).isBetween(1L, 700_000L);
    assertThat(counters.acknowledged()).isEqualTo(counters.spool().recovered());
    assertThat(archive.records()).hasSizeBetween(400, 499).contains("0" + LONG_TEXT);
    assertThat(complaints)
        .anyMatch(c -> c.contains(file + ": ") && c.contains("at its end are of no whole batch"));
  }

  @Test
  void garbageIsSetAsideAndTheRestIsSent() throws IOException {
    leave(numbered(0, 10));
    Files.writeString(folder.resolve("0" + SpoolFile.ENDING), "no spool at all\n".repeat(100));
    Files.writeString(folder.resolve("note.txt"), "not the spool's");
    assertThat(sendWhatIsLeft().acknowledged()).isEqualTo(10);
    assertThat(files(".damaged")).hasSize(1);
    assertThat(files("note.txt")).hasSize(1);
    assertThat(complaints).anyMatch(c -> c.contains("no record in it is whole"));
  }

  @Test
  void folderThatCannotBeIsToldAndMemoryServesAlone() throws IOException {
    Files.writeString(folder, "a file");
    assertThatThrownBy(() -> new SpoolOptions(folder, SpoolOptions.DEFAULT_BYTES).check())
        .hasMessageContaining("expected a folder, found a file");
    try (Forwarder forwarder = start(SpoolOptions.DEFAULT_BYTES)) {
      sendLines(forwarder, "line\n");
      flush(forwarder);
      await().atMost(LONG).until(() -> !complaints.isEmpty());
    }
    assertThat(archive.records()).containsExactly("line");
  }

  @Test
  void fullDiskIsTriedAgainAndNothingIsLostMeanwhile() throws Exception {
    Path disk = Files.createDirectory(base.resolve("disk"));
    int mounted = run("mount", "-t", "tmpfs", "-o", "size=64m", "tmpfs", disk.toString());
    assumeTrue(mounted == 0, "mounting a tmpfs takes root");
    folder = disk.resolve("spool");
    try {
      Path ballast = Files.write(disk.resolve("ballast"), new byte[60 << 20]);
      node.close();
      List<String> all = numbered(0, 4 * MEMORY / LONG_TEXT.length());
      try (Forwarder forwarder = start(SpoolOptions.DEFAULT_BYTES)) {
        Thread sender = new Thread(() -> sendAll(forwarder, all));
        sender.start();
        await().atMost(LONG).until(() -> forwarder.counters().spool().failures() > 0);
        assertLedgerHolds(forwarder);
        await().atMost(LONG).until(() -> !complaints.isEmpty());
        Files.delete(ballast);
        sender.join();
        assertLedgerHolds(forwarder);
        startNodeAgain();
        flush(forwarder);
        assertThat(forwarder.counters().droppedRecords()).isZero();
      }
      assertThat(archive.records()).isEqualTo(all);
      awaitKeepers();
    } finally {
      assertThat(run("umount", disk.toString())).isZero();
    }
    assertThat(complaints.get(0)).startsWith("spool " + folder + ": No space left on device");
  }

  private static int run(String... command) throws IOException {
    return new ProcessBuilder(command).inheritIO().start().onExit().join().exitValue();
  }
}
