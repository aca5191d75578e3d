package io.cordwood.forwarder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Forwarders with a spool, and what they leave in its folder. */
abstract class SpoolFixture extends NodeFixture {
  static final int MEMORY = ForwarderOptions.MIN_WINDOW_WITH_SPOOL_BYTES;
  static final String LONG_TEXT = "z".repeat(10_000);

  final List<String> complaints = new CopyOnWriteArrayList<>();
  final ForwarderListener listener =
      new ForwarderListener() {
        @Override
        public void spoolFailed(String complaint) {
          complaints.add(complaint);
        }
      };

  @TempDir Path base;
  Path folder;

  @BeforeEach
  void nameFolder() {
    folder = base.resolve("spool");
  }

  /** Whatever was done to the spool, its thread ends with the forwarder. */
  @AfterEach
  void awaitKeepers() {
    await().atMost(LONG).until(() -> AppenderFixture.threadsNamed(SpoolKeeper.THREAD_NAME) == 0);
  }

  ForwarderOptions.Builder spooling(long bytes) {
    return options().windowBytes(MEMORY).spool(new SpoolOptions(folder, bytes));
  }

  Forwarder start(long bytes) {
    return Forwarder.start(spooling(bytes).whenFull(WhenFull.BLOCK).build(), listener);
  }

  static void assertLedgerHolds(Forwarder forwarder) {
    AppenderFixture.assertLedgerHolds(forwarder.counters());
  }

  List<Path> files(String ending) throws IOException {
    try (Stream<Path> all = Files.list(folder)) {
      return all.filter(path -> path.toString().endsWith(ending)).sorted().toList();
    }
  }

  static List<String> numbered(int from, int to) {
    return IntStream.range(from, to).mapToObj(i -> i + LONG_TEXT).toList();
  }

  static void sendAll(Forwarder forwarder, List<String> records) {
    records.forEach(record -> forwarder.send(bytes(record)));
  }

  /** Leaves records in the spool, as a forwarder that ends without a node does. */
  void leave(List<String> records) throws IOException {
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

  ForwarderCounters sendWhatIsLeft() throws IOException {
    startNodeAgain();
    Forwarder forwarder = start(SpoolOptions.DEFAULT_BYTES);
    await().atMost(LONG).until(() -> isThrough(forwarder));
    assertThat(forwarder.close(LONG).isNothing()).isTrue();
    assertLedgerHolds(forwarder);
    awaitKeepers();
    assertThat(files(SpoolFile.ENDING)).isEmpty();
    return forwarder.counters();
  }

  static boolean isThrough(Forwarder forwarder) {
    ForwarderCounters now = forwarder.counters();
    long gone = now.acknowledged() + now.droppedRecords();
    return now.spool().recovered() > 0 && now.spool().records() == 0 && gone >= now.appended();
  }
}
