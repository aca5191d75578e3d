package io.cordwood.store.consume;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cordwood.common.segment.Batch;
import io.cordwood.common.segment.BatchIndex;
import io.cordwood.common.segment.Records;
import io.cordwood.common.segment.SegmentFiles;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.wire.Labels;
import io.cordwood.store.consume.TestIngestNode.Fault;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Records reach a store over HTTP: all of them, byte-exact, in order, each once. */
final class ConsumeTest extends ConsumeFixture {
  @Test
  void whatMakesALargeSegmentWaitsForNoMore() throws IOException {
    TestIngestNode node = ingest();
    node.add(someBatches(1));
    startStore(LONG.multipliedBy(3));
    awaitCommitted(); // The first gather never waits.

    List<Batch> large = new ArrayList<>();
    for (int bytes = 0; bytes < 600 << 10; bytes += large.getLast().payload().remaining()) {
      large.addAll(someBatches(1));
    }
    node.add(large);
    awaitCommitted();
  }

  @Test
  void labelsThatTakeTheirRoomWaitForNoMore() throws IOException {
    TestIngestNode node = ingest();
    node.add(someBatches(1));
    startStore(LONG.multipliedBy(3));
    awaitCommitted(); // The first gather never waits.

    String rest = "x".repeat(Labels.MAX_BYTES - 20);
    int sets = BatchIndex.MAX_LABEL_BYTES / Labels.MAX_BYTES;
    node.add(
        IntStream.range(0, sets)
            .mapToObj(i -> Records.lines(Ulid.firstOf(i + 1L), "a").labelled(labels(i + rest)))
            .toList());
    awaitCommitted();
  }

  private static Labels labels(String pod) {
    return Labels.of(Map.of("pod", pod));
  }

  @Test
  void oneSegmentIsFoundInOrderAndByteExact() throws IOException {
    List<Batch> batches = someBatches(50);
    ingest().add(batches);
    startStore();

    awaitCommitted();

    assertThat(stored()).isEqualTo(SegmentFiles.sorted(batches));
    assertThat(files(folder, ".flushed")).hasSize(1);
  }

  @Test
  void manySegmentsOfManyNodesAreMerged() throws IOException {
    List<Batch> all = new ArrayList<>();
    for (int n = 0; n < 3; n++) {
      TestIngestNode node = ingest();
      for (int i = 0; i < 8; i++) {
        List<Batch> batches = someBatches(20);
        node.add(batches);
        all.addAll(batches);
      }
    }
    startStore();

    awaitCommitted();

    assertThat(stored()).isEqualTo(SegmentFiles.sorted(all));
    await().until(() -> count("consumed.segments") == 24);
    assertThat(count("consumed.records"))
        .isEqualTo(all.stream().mapToLong(Batch::records).sum())
        .isEqualTo(count("stored.records"));
  }

  @Test
  void aSegmentThatComesLaterIsConsumedToo() throws IOException {
    TestIngestNode node = ingest();
    startStore();
    List<Batch> first = someBatches(5);
    node.add(first);
    awaitCommitted();
    List<Batch> second = someBatches(5);
    node.add(second);
    awaitCommitted();

    first.addAll(second);
    assertThat(stored()).isEqualTo(SegmentFiles.sorted(first));
  }

  @Test
  void anEmptySegmentIsCommitted() throws IOException {
    ingest().add(List.of());
    startStore();

    awaitCommitted();

    assertThat(files(folder, ".flushed")).isEmpty();
  }

  @Test
  void theSameBatchesTwiceInOneGatherAreStoredOnce() throws IOException {
    List<Batch> batches = someBatches(10);
    TestIngestNode node = ingest();
    node.add(batches);
    node.add(batches);
    startStore();

    awaitCommitted();

    assertThat(stored()).isEqualTo(SegmentFiles.sorted(batches));
    long count = batches.stream().mapToLong(Batch::records).sum();
    await().until(() -> count("consumed.segments") == 2);
    assertThat(count("consumed.records")).isEqualTo(2 * count);
    assertThat(count("stored.records")).isEqualTo(count);
  }

  @Test
  void aSegmentWhoseCommitIsLostIsReadOnceAndOnceCompactedStoredOnce() throws IOException {
    List<Batch> batches = someBatches(10);
    TestIngestNode node = ingest();
    node.fault = Fault.LOSE_COMMIT;
    node.add(batches);
    startStore();
    await().until(() -> count("consumed.segments") == 1);
    node.fault = Fault.NONE;
    node.endLeases();

    awaitCommitted();

    await().untilAsserted(() -> assertThat(files(folder, ".flushed")).hasSize(1));
    assertThat(stored()).isEqualTo(SegmentFiles.sorted(batches));
  }

  @Test
  void aReadThatBreaksOffIsTriedAgain() throws IOException {
    for (Fault fault :
        List.of(Fault.BREAK_READ, Fault.SHORT_READ, Fault.LONG_READ, Fault.REFUSE_READ)) {
      TestIngestNode node = ingest();
      node.fault = fault;
      node.add(someBatches(10));
    }
    startStore();
    await().until(() -> nodes.stream().allMatch(n -> n.fails.get() > 0));
    assertThat(files(folder, ".flushed")).isEmpty();
    nodes.forEach(n -> {
      n.fault = Fault.NONE;
      n.endLeases();
    });

    awaitCommitted();

    assertThat(stored()).hasSize(40);
  }

  @Test
  void aNodeThatIsGoneHoldsUpNobody() throws IOException {
    TestIngestNode gone = ingest();
    TestIngestNode there = ingest();
    gone.close();
    List<Batch> batches = someBatches(10);
    there.add(batches);
    startStore();

    await().until(() -> there.left() == 0);

    assertThat(stored()).isEqualTo(SegmentFiles.sorted(batches));
  }

  @Test
  void littleInputDoesNotBecomeManySegments() throws IOException {
    TestIngestNode node = ingest();
    node.add(someBatches(1));
    startStore(LONG.multipliedBy(10));
    awaitCommitted();
    for (int i = 0; i < 5; i++) {
      node.add(someBatches(1));
      int left = i + 1;
      await().until(() -> node.claims.get() > left);
    }

    assertThat(files(folder, ".flushed")).hasSize(1);
  }

  @Test
  void closingGivesBackWhatIsHeld() throws IOException {
    TestIngestNode node = ingest();
    node.add(someBatches(1));
    startStore(LONG.multipliedBy(10));
    awaitCommitted();
    node.add(someBatches(1));
    await().until(() -> node.reads.get() == 2); // So it knows of its claim.

    Objects.requireNonNull(store).close();
    store = null;

    assertThat(node.left()).isEqualTo(1);
    assertThat(node.fails.get()).isEqualTo(1);
    assertThat(files(folder.resolve("gather"), "")).isEmpty();
  }

  @Test
  void aPullThatIsBrokenOffByClosingIsGivenBackAndNotBlamed() throws IOException {
    TestIngestNode node = ingest();
    node.mayRead = new CountDownLatch(1);
    node.add(someBatches(1));
    startStore();
    await().until(() -> node.reads.get() == 1);

    Objects.requireNonNull(store).close();
    store = null;
    node.mayRead.countDown();

    assertThat(node.left()).isEqualTo(1);
    assertThat(node.fails.get()).isEqualTo(1);
    assertThat(node.unstorable).isEmpty();
    assertThat(registry.find("cordwood.store.failures").tag("what", "read").counter()).isNull();
  }
}
