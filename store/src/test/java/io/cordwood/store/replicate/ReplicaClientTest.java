package io.cordwood.store.replicate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.common.file.Filesystem;
import io.cordwood.common.segment.Batch;
import io.cordwood.common.segment.Records;
import io.cordwood.common.segment.SegmentFiles;
import io.cordwood.common.segment.Topic;
import io.cordwood.common.testing.Patience;
import io.cordwood.store.StopFlag;
import io.cordwood.store.StorePeer;
import io.cordwood.store.replicate.ServedStore.Setup;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A segment's file goes to another store, and whatever that answers is understood. */
final class ReplicaClientTest {
  private static final Duration LONG = Patience.LONG;

  @TempDir Path folder;
  private final ReplicaClient client = client(LONG);

  @AfterEach
  void closeClient() {
    client.close();
  }

  /** One that gives a peer up for which nothing goes on for so long. */
  private static ReplicaClient client(Duration stall) {
    return new ReplicaClient("sender", Filesystem.real(), stall, new StopFlag());
  }

  private static List<Batch> someBatches(int count) {
    var records = new Records(13);
    List<Batch> batches = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      batches.add(records.batch(Topic.DEFAULT, 100));
    }
    return SegmentFiles.sorted(batches);
  }

  private Path file(List<Batch> batches) throws IOException {
    return Files.write(folder.resolve("file"), SegmentFiles.storeSegment(batches));
  }

  private ServedStore receiver(String nodeId) throws IOException {
    return new ServedStore(nodeId, Setup.at(folder.resolve(nodeId)), List::of);
  }

  @Test
  void segmentOfManyMebibytesArrivesWholeAndAgain() throws IOException {
    List<Batch> batches = someBatches(3000);
    Path file = file(batches);
    assertThat(file).satisfies(f -> assertThat(Files.size(f)).isGreaterThan(10 << 20));
    try (ServedStore to = receiver("receiver")) {
      client.send(to.asPeer(), file, LONG);
      client.send(to.asPeer(), file, LONG);

      assertThat(to.stored()).isEqualTo(batches);
      assertThat(to.count("replicas.received.bytes")).isEqualTo(2.0 * Files.size(file));
    }
  }

  @Test
  void aStoreOfBeforeGetsTheSegmentWithoutItsList() throws IOException {
    List<Batch> batches = someBatches(300);
    Path file = file(batches);
    byte[] bytes = Files.readAllBytes(file);
    try (ServedStore to = receiver("receiver")) {
      client.send(new StorePeer("receiver", to.uri(), 0, 0, false, false), file, LONG);
      Path first = to.files(".flushed").getFirst();
      client.send(to.asPeer(), file, LONG);

      assertThat(Files.readAllBytes(first)).isEqualTo(SegmentFiles.withoutList(bytes));
      assertThat(to.files(".flushed"))
          .filteredOn(f -> !f.equals(first))
          .singleElement()
          .satisfies(f -> assertThat(Files.readAllBytes(f)).isEqualTo(bytes));
      assertThat(to.stored()).isEqualTo(batches);
    }
  }

  @Test
  void whatThePeerSaysIsInTheError() throws IOException {
    Path file = file(someBatches(10));
    Files.write(file, new byte[100], java.nio.file.StandardOpenOption.APPEND);
    try (ServedStore to = receiver("receiver")) {
      assertThatThrownBy(() -> client.send(to.asPeer(), file, LONG))
          .isInstanceOf(IOException.class)
          .hasMessageContainingAll("store receiver at 127.0.0.1:", ": 400 error: body: at byte ");
    }
  }

  @Test
  void storeWithTheSameIdentityIsAnError() throws IOException {
    Path file = file(someBatches(10));
    try (ServedStore to = receiver("sender")) {
      assertThatThrownBy(() -> client.send(to.asPeer(), file, LONG))
          .hasMessageContaining(": 409 error: node sender: ");
    }
  }

  @Test
  void storeThatTookAnothersAddressIsAnErrorAndKeepsNothing() throws IOException {
    Path file = file(someBatches(10));
    try (ServedStore to = receiver("new")) {
      var old = new StorePeer("old", to.uri(), 0, 0);
      assertThatThrownBy(() -> client.send(old, file, LONG))
          .hasMessageContaining("421 error: expected a request for node new, found one for old");
      assertThat(to.stored()).isEmpty();
    }
  }

  @Test
  void largeSegmentIsRefusedWithoutHarm() throws IOException {
    Path file = file(someBatches(3000));
    try (ServedStore to = receiver("sender")) {
      for (int i = 0; i < 20; i++) {
        assertThatThrownBy(() -> client.send(to.asPeer(), file, LONG))
            .hasMessageContaining(": 409 error: node sender: ");
      }
    }
  }

  @Test
  void peerThatIsGoneIsAnErrorAtOnce() throws IOException {
    Path file = file(someBatches(10));
    ServedStore gone = receiver("receiver");
    StorePeer peer = gone.asPeer();
    gone.close();

    assertThatThrownBy(() -> client.send(peer, file, LONG))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("cannot connect");
  }

  @Test
  void peerThatIsPausedIsGivenUp() throws IOException {
    Path file = file(someBatches(10));
    try (var silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        var impatient = client(Duration.ofSeconds(1))) {
      var uri = URI.create("http://127.0.0.1:" + silent.getLocalPort());

      assertThatThrownBy(() -> impatient.send(new StorePeer("paused", uri, 0, 0), file, LONG))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("nothing went on");
    }
  }
}
