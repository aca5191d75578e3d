package io.cordwood.forwarder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.cordwood.forwarder.TestNode.Behaviour;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Records sent as uploads, to nodes that acknowledge at the end of each. */
final class BulkUploadTest extends NodeFixture {
  private static final int UPLOAD_BYTES = ForwarderOptions.MIN_UPLOAD_BYTES;

  /** Longer than any test. */
  private static final Duration NEVER = Duration.ofHours(1);

  @BeforeEach
  void acknowledgeAtEnd() {
    node.behaviour = Behaviour.ACK_AT_END;
  }

  private ForwarderOptions.Builder uploads() {
    return options().uploadBytes(UPLOAD_BYTES).linger(NEVER);
  }

  private static List<String> lines(int count) {
    return IntStream.range(0, count).mapToObj(i -> "line " + i + " " + "x".repeat(90)).toList();
  }

  private static void stream(Forwarder forwarder, List<String> lines) throws IOException {
    stream(forwarder, String.join("\n", lines));
  }

  @Test
  void inputIsCutIntoUploadsOfABoundedSize() throws IOException {
    List<String> lines = lines(100_000);
    try (Forwarder forwarder = start(uploads())) {
      stream(forwarder, lines);
      flush(forwarder);
      assertThat(archive.records()).isEqualTo(lines);
      assertThat(archive.duplicates()).isZero();
      int full = UPLOAD_BYTES - ForwarderOptions.MAX_BATCH_BYTES;
      assertThat(node.uploads).hasSizeBetween(5, 12).allMatch(bytes -> bytes <= UPLOAD_BYTES);
      assertThat(node.uploads.subList(0, 4)).allMatch(bytes -> bytes > full);
      assertThat(forwarder.counters().connections().disconnects()).isZero();
      assertThat(forwarder.counters().acknowledged()).isEqualTo(100_000);
    }
  }

  @Test
  void aNodeThatTakesLessGetsSmallerUploads() throws IOException {
    node.mostUploadBytes = 800_000;
    List<String> lines = lines(50_000);
    try (Forwarder forwarder = start(uploads())) {
      stream(forwarder, lines);
      flush(forwarder);
      assertThat(archive.records()).isEqualTo(lines);
      assertThat(node.uploads).hasSizeGreaterThan(5).allMatch(bytes -> bytes <= 800_000);
      assertThat(forwarder.counters().refusals(RefusalReason.SIZE)).isEqualTo(1);
    }
  }

  @Test
  void aBatchThatIsLargerThanANodeTakesIsRefusedForGood() throws IOException {
    node.mostUploadBytes = 100_000;
    List<String> told = new CopyOnWriteArrayList<>();
    ForwarderListener listener =
        new ForwarderListener() {
          @Override
          public void refusedByAll(String reason, boolean hasWorked) {
            told.add(reason);
          }
        };
    var options = uploads().linger(Duration.ofMillis(20)).build();
    try (Forwarder forwarder = Forwarder.start(options, listener)) {
      stream(forwarder, List.of("x".repeat(200_000), "y".repeat(200_000)));
      await().atMost(LONG).until(() -> !told.isEmpty());
      assertThat(told.get(0)).contains("expected an upload of at most 100000 bytes");
      forwarder.close(Duration.ZERO);
    }
  }

  @Test
  void recordsAreCollectedUntilThereIsAnUpload() throws IOException {
    try (Forwarder forwarder = start(uploads())) {
      for (int i = 0; i < 10; i++) {
        stream(forwarder, lines(1000));
      }
      flush(forwarder);
      flush(forwarder);
    }
    await().atMost(LONG).until(() -> threads("cordwood-forwarder").isEmpty());
    assertThat(node.uploads).hasSize(1);
    assertThat(node.connections).hasValue(1);
  }

  private static List<Thread> threads(String name) {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().equals(name))
        .toList();
  }

  @Test
  void oldRecordsMakeAnUploadThatIsNotFull() throws IOException {
    try (Forwarder forwarder = start(uploads().linger(Duration.ofMillis(20)))) {
      stream(forwarder, lines(10));
      await().atMost(LONG).until(() -> forwarder.counters().acknowledged() == 10);
    }
  }

  @Test
  void uploadThatIsCutAnywhereIsSentAgainWithTheSameUlids() throws IOException {
    Random random = new Random(7);
    node.lifeBytes = () -> random.nextInt(5) == 0 ? Long.MAX_VALUE : random.nextInt(UPLOAD_BYTES);
    List<String> lines = lines(60_000);
    try (Forwarder forwarder = start(uploads())) {
      stream(forwarder, lines);
      flush(forwarder);
      assertThat(archive.records()).isEqualTo(lines);
      assertThat(forwarder.counters().connections().disconnects()).isPositive();
    }
  }

  @Test
  void uploadThatIsNotAnsweredGoesToAnotherNode() throws IOException {
    TestNode silent = new TestNode(new Archive()).behaviour(Behaviour.SILENT);
    var options = ForwarderOptions.builder().target(silent.target()).target(node.target());
    options.uploadBytes(UPLOAD_BYTES).linger(NEVER).ackTimeout(Duration.ofSeconds(2));
    List<String> lines = lines(1000);
    int forwarders = 0;
    // Targets are shuffled: among so many forwarders one begins with the silent node.
    for (; forwarders < 64 && silent.connections.get() == 0; forwarders++) {
      try (Forwarder forwarder = start(options)) {
        stream(forwarder, lines);
        flush(forwarder);
      }
    }
    assertThat(silent.connections).hasPositiveValue();
    assertThat(archive.records()).hasSize(1000 * forwarders);
    silent.close();
  }

  @Test
  void sizeOutOfBoundsIsRefused() {
    assertThatThrownBy(() -> uploads().uploadBytes(UPLOAD_BYTES - 1).build())
        .hasMessage("expected uploadBytes of 2097152..8388608, found 2097151");
    assertThatThrownBy(() -> uploads().windowBytes(1 << 22).uploadBytes(UPLOAD_BYTES + 1).build())
        .hasMessageContaining("2097152..2097152");
  }
}
