package io.cordwood.forwarder;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.cordwood.forwarder.TestNode.Manner;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Records sent as uploads, to nodes that acknowledge at the end of each. */
final class BulkUploadTest {
  private static final Duration LONG = Duration.ofSeconds(30);
  private static final int UPLOAD_BYTES = ForwarderOptions.MIN_UPLOAD_BYTES;

  /** Longer than any test. */
  private static final Duration NEVER = Duration.ofHours(1);

  private final Archive archive = new Archive();
  private TestNode node;

  @BeforeEach
  void startNode() throws IOException {
    node = new TestNode(archive).manner(Manner.ACK_AT_END);
  }

  @AfterEach
  void stopNode() throws IOException {
    node.close();
    assertThat(node.faults).isEmpty();
  }

  private ForwarderOptions.Builder options() {
    return ForwarderOptions.builder()
        .target(node.target())
        .uploadBytes(UPLOAD_BYTES)
        .linger(NEVER)
        .backoff(Duration.ofMillis(1), Duration.ofMillis(20));
  }

  private static Forwarder start(ForwarderOptions.Builder options) {
    return Forwarder.start(options.build(), ForwarderListener.NONE);
  }

  private static List<String> lines(int count) {
    return IntStream.range(0, count).mapToObj(i -> "line " + i + " " + "x".repeat(90)).toList();
  }

  private static boolean stream(Forwarder forwarder, List<String> lines) throws IOException {
    byte[] bytes = lines.stream().collect(Collectors.joining("\n")).getBytes(ISO_8859_1);
    return new ForwardStream(new ByteArrayInputStream(bytes), forwarder).run();
  }

  @Test
  void inputIsCutIntoUploadsOfABoundedSize() throws IOException {
    List<String> lines = lines(100_000);
    try (Forwarder forwarder = start(options())) {
      assertThat(stream(forwarder, lines)).isTrue();
      assertThat(forwarder.flush(LONG).isNothing()).isTrue();
      assertThat(archive.records()).isEqualTo(lines);
      assertThat(archive.duplicates()).isZero();
      int full = UPLOAD_BYTES - ForwarderOptions.MAX_BATCH_BYTES;
      assertThat(node.uploads).hasSizeBetween(5, 12).allMatch(bytes -> bytes <= UPLOAD_BYTES);
      assertThat(node.uploads.subList(0, 4)).allMatch(bytes -> bytes > full);
      assertThat(forwarder.counters().disconnects()).isZero();
      assertThat(forwarder.counters().acknowledged()).isEqualTo(100_000);
    }
  }

  @Test
  void recordsAreCollectedUntilThereIsAnUpload() throws IOException {
    try (Forwarder forwarder = start(options())) {
      for (int i = 0; i < 10; i++) {
        assertThat(stream(forwarder, lines(1000))).isTrue();
      }
      assertThat(forwarder.flush(LONG).isNothing()).isTrue();
      assertThat(forwarder.flush(LONG).isNothing()).isTrue();
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
    try (Forwarder forwarder = start(options().linger(Duration.ofMillis(20)))) {
      assertThat(stream(forwarder, lines(10))).isTrue();
      await().atMost(LONG).until(() -> forwarder.counters().acknowledged() == 10);
    }
  }

  @Test
  void uploadThatIsCutAnywhereIsSentAgainWithTheSameUlids() throws IOException {
    Random random = new Random(7);
    node.lifeBytes = () -> random.nextInt(5) == 0 ? Long.MAX_VALUE : random.nextInt(UPLOAD_BYTES);
    List<String> lines = lines(60_000);
    try (Forwarder forwarder = start(options())) {
      assertThat(stream(forwarder, lines)).isTrue();
      assertThat(forwarder.flush(LONG).isNothing()).isTrue();
      assertThat(archive.records()).isEqualTo(lines);
      assertThat(forwarder.counters().disconnects()).isPositive();
    }
  }

  @Test
  void uploadThatIsNotAnsweredGoesToAnotherNode() throws IOException {
    TestNode silent = new TestNode(new Archive()).manner(Manner.SILENT);
    var options = ForwarderOptions.builder().target(silent.target()).target(node.target());
    options.uploadBytes(UPLOAD_BYTES).linger(NEVER).ackTimeout(Duration.ofMillis(200));
    List<String> lines = lines(1000);
    // Targets are shuffled: among so many forwarders one begins with the silent node.
    for (int i = 0; i < 64 && silent.connections.get() == 0; i++) {
      try (Forwarder forwarder = start(options)) {
        assertThat(stream(forwarder, lines)).isTrue();
        assertThat(forwarder.flush(LONG).isNothing()).isTrue();
      }
    }
    assertThat(silent.connections).hasPositiveValue();
    assertThat(archive.duplicates()).isZero();
    silent.close();
  }

  @Test
  void sizeOutOfBoundsIsRefused() {
    assertThatThrownBy(() -> options().uploadBytes(UPLOAD_BYTES - 1).build())
        .hasMessage("expected uploadBytes of 2097152..8388608, found 2097151");
    assertThatThrownBy(() -> options().windowBytes(1 << 22).uploadBytes(UPLOAD_BYTES + 1).build())
        .hasMessageContaining("2097152..2097152");
  }
}
