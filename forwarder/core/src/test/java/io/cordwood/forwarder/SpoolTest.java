package io.cordwood.forwarder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Records that outlast a full memory, and the forwarder that held them. */
final class SpoolTest extends NodeFixture {
  private static final int MEMORY = ForwarderOptions.MIN_WINDOW_WITH_SPOOL_BYTES;
  private static final String LONG_TEXT = "z".repeat(10_000);

  private final List<String> complaints = new CopyOnWriteArrayList<>();
  private final ForwarderListener listener =
      new ForwarderListener() {
        @Override
        public void spoolFailed(String complaint) {
          complaints.add(complaint);
        }
      };

  @TempDir private Path base;
  private Path folder;

  @BeforeEach
  void nameFolder() {
    folder = base.resolve("spool");
  }

  /** Whatever was done to the spool, its thread ends with the forwarder. */
  @AfterEach
  void awaitKeepers() {
    await().atMost(LONG).until(() -> AppenderFixture.threadsNamed(SpoolKeeper.THREAD_NAME) == 0);
  }

  private ForwarderOptions.Builder spooling(long bytes) {
    return options().windowBytes(MEMORY).spool(new SpoolOptions(folder, bytes));
  }

  private Forwarder start(long bytes) {
    return Forwarder.start(spooling(bytes).whenFull(WhenFull.BLOCK).build(), listener);
  }

  private static void assertLedgerHolds(Forwarder forwarder) {
    AppenderFixture.assertLedgerHolds(forwarder.counters());
  }

  private List<Path> files(String ending) throws IOException {
    try (Stream<Path> all = Files.list(folder)) {
      return all.filter(path -> path.toString().endsWith(ending)).sorted().toList();
    }
  }

  private static List<String> numbered(int from, int to) {
    return IntStream.range(from, to).mapToObj(i -> i + LONG_TEXT).toList();
  }

  private static void sendAll(Forwarder forwarder, List<String> records) {
    records.forEach(record -> forwarder.send(bytes(record)));
  }

  /** Leaves records in the spool, as a forwarder that ends without a node does. */
  private void leave(List<String> records) throws IOException {
    node.close();
    Forwarder forwarder = start(SpoolOptions.DEFAULT_BYTES);
    await().until(() -> Files.exists(folder.resolve("lock")));
    sendAll(forwarder, records);
    assertThat(forwarder.close(Duration.ZERO, LONG).isNothing()).isTrue();
    assertThat(forwarder.counters().spool().records()).isEqualTo(records.size());
    assertThat(forwarder.counters().droppedRecords()).isZero();
    assertLedgerHolds(forwarder);
    awaitKeepers();
  }

  private ForwarderCounters sendWhatIsLeft() throws IOException {
    startNodeAgain();
    Forwarder forwarder = start(SpoolOptions.DEFAULT_BYTES);
    await().atMost(LONG).until(() -> isThrough(forwarder));
    assertThat(forwarder.close(LONG).isNothing()).isTrue();
    assertLedgerHolds(forwarder);
    awaitKeepers();
    assertThat(files(SpoolFile.ENDING)).isEmpty();
    return forwarder.counters();
  }

  private static boolean isThrough(Forwarder forwarder) {
    ForwarderCounters now = forwarder.counters();
    long gone = now.acknowledged() + now.droppedRecords();
    return now.spool().recovered() > 0 && now.spool().records() == 0 && gone >= now.appended();
  }

  @Test
  void whatMemoryHasNoRoomForIsSentInOrderOnceANodeIsThere() throws IOException {
    node.close();
    List<String> all = numbered(0, 5 * MEMORY / LONG_TEXT.length());
    try (Forwarder forwarder = start(SpoolOptions.DEFAULT_BYTES)) {
      sendAll(forwarder, all);
      ForwarderCounters full = forwarder.counters();
      assertThat(full.spool().records()).isGreaterThan(all.size() / 2);
      assertThat(full.pendingBytes()).isLessThanOrEqualTo(MEMORY);
      assertLedgerHolds(forwarder);
      startNodeAgain();
      flush(forwarder);
      assertThat(forwarder.counters().acknowledged()).isEqualTo(all.size());
      await().atMost(LONG).until(() -> forwarder.counters().spool().bytes() == 0);
    }
    awaitKeepers();
    assertThat(archive.records()).isEqualTo(all);
    assertThat(files(SpoolFile.ENDING)).isEmpty();
    assertThat(complaints).isEmpty();
  }

  @Test
  void hungNodeIsNoReasonToDropWhileTheSpoolHasRoom() {
    node.manner = TestNode.Manner.DEAF;
    List<String> all = numbered(0, 4 * MEMORY / LONG_TEXT.length());
    try (Forwarder forwarder = start(SpoolOptions.DEFAULT_BYTES)) {
      sendAll(forwarder, all);
      assertThat(forwarder.counters().spool().records()).isPositive();
      assertLedgerHolds(forwarder);
      node.release();
      flush(forwarder);
    }
    assertThat(archive.records()).isEqualTo(all);
  }

  @Test
  void nextForwarderSendsWhatTheLastOneLeftWithTheSameUlids() throws IOException {
    leave(numbered(0, 1000));
    String ulid = "%032x".formatted(id(files(SpoolFile.ENDING).get(0)));
    ForwarderCounters counters = sendWhatIsLeft();
    assertThat(counters.spool().recovered()).isEqualTo(1000);
    assertThat(counters.acknowledged()).isEqualTo(1000);
    assertThat(archive.records()).isEqualTo(numbered(0, 1000));
    assertThat(archive.batches().get(0).ulid).isEqualTo(ulid);
  }

  /** Of a spool's file, as the format of ingest segments has it. */
  private static BigInteger id(Path file) throws IOException {
    return new BigInteger(1, Arrays.copyOfRange(Files.readAllBytes(file), 8, 24));
  }

  @Test
  void whatArrivedWithoutAnAckIsSentAgainByTheNextForwarderAndIsThereOnce() throws IOException {
    node.manner = TestNode.Manner.SILENT;
    Forwarder forwarder = start(SpoolOptions.DEFAULT_BYTES);
    sendAll(forwarder, numbered(0, 500));
    await().atMost(LONG).until(() -> archive.count() > 100);
    await().atMost(LONG).until(() -> Files.exists(folder.resolve("lock")));
    assertThat(forwarder.close(Duration.ZERO, LONG).isNothing()).isTrue();
    assertThat(forwarder.counters().spool().records()).isEqualTo(500);
    assertLedgerHolds(forwarder);
    awaitKeepers();
    node.close();
    assertThat(sendWhatIsLeft().acknowledged()).isEqualTo(500);
    assertThat(archive.duplicates()).isPositive();
    assertThat(archive.records()).isEqualTo(numbered(0, 500));
  }

  @Test
  void fullSpoolDropsTheNewestAndCountsThem() throws IOException {
    node.close();
    List<String> taken = new ArrayList<>();
    ForwarderOptions options =
        spooling(SpoolOptions.MIN_BYTES).whenFull(WhenFull.DROP_NEWEST).reportDrops(true).build();
    try (Forwarder forwarder = Forwarder.start(options, listener)) {
      for (String record : numbered(0, 4 * MEMORY / LONG_TEXT.length())) {
        if (forwarder.send(bytes(record))) {
          taken.add(record);
        }
      }
      assertThat(forwarder.counters().dropped(DropReason.NEWEST_WHEN_FULL)).isPositive();
      assertThat(forwarder.counters().spool().bytes()).isLessThanOrEqualTo(SpoolOptions.MIN_BYTES);
      assertLedgerHolds(forwarder);
      startNodeAgain();
      await().atMost(LONG).until(() -> forwarder.counters().reports() > 0);
      flush(forwarder);
      assertLedgerHolds(forwarder);
    }
    assertThat(archive.records()).containsAll(taken);
    assertThat(archive.records()).anyMatch(r -> r.matches("dropped \\d+ records \\(newest .*\\)"));
  }

  @Test
  void fullSpoolDropsTheOldestFileIfAskedFor() throws IOException {
    node.close();
    List<String> all = numbered(0, 6 * MEMORY / LONG_TEXT.length());
    ForwarderOptions options =
        spooling(SpoolOptions.MIN_BYTES).whenFull(WhenFull.DROP_OLDEST).build();
    try (Forwarder forwarder = Forwarder.start(options, listener)) {
      sendAll(forwarder, all);
      assertThat(forwarder.counters().dropped(DropReason.OLDEST_WHEN_FULL)).isPositive();
      assertLedgerHolds(forwarder);
      startNodeAgain();
      flush(forwarder);
      assertLedgerHolds(forwarder);
      long arrived = forwarder.counters().acknowledged();
      assertThat(archive.records()).hasSize((int) arrived).contains(all.get(all.size() - 1));
    }
  }

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
        for (Batch batch = spool.next(); batch != null; batch = spool.next()) {
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

  /** A folder in the place of a file cannot be read, not even by root. */
  @Test
  void fileThatCannotBeReadIsSetAsideAndTheRestIsSent() throws IOException {
    leave(numbered(0, 10));
    Files.createDirectory(folder.resolve("0" + SpoolFile.ENDING));
    assertThat(sendWhatIsLeft().acknowledged()).isEqualTo(10);
    assertThat(files(".damaged")).hasSize(1);
    assertThat(complaints).anyMatch(c -> c.contains("cannot be read: "));
  }

  @Test
  void closingWaitsForWhatTheSpoolHoldsThoughItIsNotOpenYet() throws IOException {
    leave(numbered(0, 500));
    startNodeAgain();
    Forwarder forwarder = start(SpoolOptions.DEFAULT_BYTES);
    assertThat(forwarder.close(LONG).isNothing()).isTrue();
    assertThat(forwarder.counters().acknowledged()).isEqualTo(500);
    assertThat(archive.records()).hasSize(500);
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
  void folderOfAnotherForwarderIsTakenOnceThatHasEnded() throws IOException {
    node.close();
    Forwarder first = start(SpoolOptions.DEFAULT_BYTES);
    await().until(() -> Files.exists(folder.resolve("lock")));
    SpoolOptions same = new SpoolOptions(folder, SpoolOptions.DEFAULT_BYTES);
    assertThatThrownBy(same::check).hasMessageContaining("found one that another uses");
    sendAll(first, numbered(0, 10));
    Forwarder second = start(SpoolOptions.DEFAULT_BYTES);
    sendAll(second, numbered(10, 20));
    await().atMost(LONG).until(() -> second.counters().spool().failures() > 0);
    await().atMost(LONG).until(() -> !complaints.isEmpty());
    assertThat(complaints.get(0)).contains("found one that another uses");
    first.close(Duration.ZERO, LONG);
    await().atMost(LONG).until(() -> second.counters().spool().recovered() == 10);
    startNodeAgain();
    flush(second);
    second.close(LONG);
    assertThat(archive.records()).hasSize(20).containsAll(numbered(0, 20));
    awaitKeepers();
    same.check();
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
    assumeThat(mounted).as("mounting a tmpfs takes root").isZero();
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

  @Test
  void spoolFilesAreIngestSegmentsNamedByTheirFirstUlid() throws IOException {
    leave(List.of("line"));
    Path file = files(SpoolFile.ENDING).get(0);
    ByteBuffer header = ByteBuffer.wrap(Files.readAllBytes(file));
    CRC32C crc = new CRC32C();
    crc.update(header.array(), 0, 28);
    assertThat(header.getLong(0)).isEqualTo(0xFC43574901000000L);
    assertThat(header.getInt(28)).isEqualTo((int) crc.getValue());
    assertThat(header.getLong(8)).isEqualTo(header.getLong(32 + 16));
    assertThat(header.getLong(16)).isEqualTo(header.getLong(32 + 24));
    BigInteger name = BigInteger.ZERO;
    for (char digit : file.getFileName().toString().substring(0, 26).toCharArray()) {
      int value = "0123456789ABCDEFGHJKMNPQRSTVWXYZ".indexOf(digit);
      name = name.shiftLeft(5).add(BigInteger.valueOf(value));
    }
    assertThat(name).isEqualTo(id(file));
  }
}
