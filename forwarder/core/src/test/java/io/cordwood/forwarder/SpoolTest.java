package io.cordwood.forwarder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

/** Records that outlast a full memory, and the forwarder that held them. */
final class SpoolTest extends SpoolFixture {
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
    node.behaviour = TestNode.Behaviour.DEAF;
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
    node.behaviour = TestNode.Behaviour.SILENT;
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
  void whatTheSpoolIsToTakeIsNotSentMeanwhile() {
    InstantSource clock = InstantSource.system();
    ForwarderOptions options = spooling(SpoolOptions.DEFAULT_BYTES).build();
    var queue = new RecordQueue(options, clock, new NodeClock(clock), () -> {}, () -> false);
    queue.append(new RecordSlice(bytes("line"), 0, 4, 1, null, false));
    queue.exchange(SpoolExchange::beginToStoreAll);
    assertThat(queue.take(MEMORY)).isNull();
    queue.exchange(SpoolExchange::endToStoreAll);
    assertThat(queue.take(MEMORY)).isNotNull();
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
      await().atMost(LONG).until(() -> forwarder.counters().handling().reports() > 0);
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
  void closingWaitsForWhatTheSpoolHoldsThoughItIsNotOpenYet() throws IOException {
    leave(numbered(0, 500));
    startNodeAgain();
    Forwarder forwarder = start(SpoolOptions.DEFAULT_BYTES);
    assertThat(forwarder.close(LONG).isNothing()).isTrue();
    assertThat(forwarder.counters().acknowledged()).isEqualTo(500);
    assertThat(archive.records()).hasSize(500);
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
