package io.cordwood.store.consume;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cordwood.common.file.Filesystem;
import io.cordwood.common.segment.Batch;
import io.cordwood.common.segment.BatchIndex;
import io.cordwood.common.segment.IngestSegmentHeader;
import io.cordwood.common.segment.Records;
import io.cordwood.common.segment.SegmentFiles;
import io.cordwood.common.segment.Topic;
import io.cordwood.common.testing.Patience;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.wire.Labels;
import io.cordwood.store.KnownPeers;
import io.cordwood.store.StoreOptions;
import io.cordwood.store.consume.TestIngestNode.Fault;
import io.cordwood.store.node.StoreNode;
import io.cordwood.store.segment.Stored;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Records reach a store over HTTP: all of them, byte-exact, in order, each once. */
final class ConsumeTest {
  private static final Duration LONG = Patience.LONG;

  @TempDir Path folder;
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final List<TestIngestNode> nodes = new ArrayList<>();
  private final Records records = new Records(7);
  private @Nullable StoreNode store;

  @AfterEach
  void closeAll() throws IOException {
    if (store != null) {
      store.close();
    }
    nodes.forEach(TestIngestNode::close);
  }

  private TestIngestNode ingest() {
    var node = new TestIngestNode();
    nodes.add(node);
    return node;
  }

  private void startStore() throws IOException {
    startStore(Duration.ofMillis(50));
  }

  /** A store that gathers for so long, or a MiB. */
  private void startStore(Duration gathering) throws IOException {
    List<URI> uris = nodes.stream().map(TestIngestNode::uri).toList();
    store =
        StoreNode.start(
            StoreOptions.at(folder).withGather(1 << 20, gathering),
            KnownPeers.onlyIngestNodes(() -> uris),
            Filesystem.real(),
            registry,
            InstantSource.system());
  }

  private List<Batch> someBatches(int count) {
    List<Batch> batches = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Batch batch = records.batch(i % 3 == 0 ? new Topic("other") : Topic.DEFAULT, 30);
      batches.add(Records.labelled(batch, records.labels()));
    }
    return batches;
  }

  private List<Batch> stored() {
    return Stored.batches(Objects.requireNonNull(store).segments());
  }

  private void awaitCommitted() {
    await().until(() -> nodes.stream().allMatch(n -> n.left() == 0));
  }

  private double count(String name) {
    return registry.get("cordwood.store." + name).counter().count();
  }

  private List<Path> files(Path in, String ending) throws IOException {
    try (Stream<Path> list = Files.list(in)) {
      return list.filter(p -> p.toString().endsWith(ending)).toList();
    }
  }

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
  void aSegmentThatCannotBeReadDoesNotBlockTheOnesBehindIt() throws IOException {
    TestIngestNode node = ingest();
    node.fault = Fault.REFUSE_READ;
    node.faultyId = node.add(someBatches(1));
    List<Batch> behind = someBatches(10);
    node.add(behind);
    startStore();

    await().until(() -> node.left() == 1);

    assertThat(stored()).isEqualTo(SegmentFiles.sorted(behind));
  }

  @Test
  void damageInASegmentIsSetAsideAndTheRestIsStored() throws IOException {
    List<Batch> batches = someBatches(6);
    var bytes = new ByteArrayOutputStream();
    Ulid id = new Ulid(1, 2);
    bytes.writeBytes(new IngestSegmentHeader(id).encode().array());
    bytes.writeBytes(batches.get(0).encode().array());
    int damagedAt = bytes.size();
    bytes.writeBytes("this is no batch".getBytes(StandardCharsets.US_ASCII));
    batches.subList(1, 6).forEach(b -> bytes.writeBytes(b.encode().array()));
    ingest().add(id, bytes.toByteArray());
    startStore();

    awaitCommitted();

    assertThat(stored()).isEqualTo(SegmentFiles.sorted(batches));
    assertThat(folder.resolve("damaged").resolve(id + "-" + damagedAt))
        .hasContent("this is no batch");
    await().until(() -> count("damaged.bytes") == 16);
  }

  @Test
  void aSegmentOfGarbageIsSetAsideWhole() throws IOException {
    byte[] garbage = new byte[5000];
    new Random(1).nextBytes(garbage);
    TestIngestNode node = ingest();
    node.add(new Ulid(3, 4), garbage);
    List<Batch> behind = someBatches(3);
    node.add(behind);
    startStore();

    awaitCommitted();

    assertThat(folder.resolve("damaged").resolve(new Ulid(3, 4) + "-0")).hasBinaryContent(garbage);
    assertThat(stored()).isEqualTo(SegmentFiles.sorted(behind));
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
  void damageBeforeBetweenAndAfterLargeBatchesIsSetAsideByteExact() throws IOException {
    List<Batch> batches = List.of(records.batch(Topic.DEFAULT, 9000), someBatches(1).getFirst());
    assertThat(batches.getFirst().payload().remaining()).isGreaterThan(256 << 10);
    byte[] garbage = new byte[300_000];
    new Random(5).nextBytes(garbage);
    Ulid id = new Ulid(1, 2);
    var bytes = new ByteArrayOutputStream();
    Map<String, byte[]> damage = new TreeMap<>();
    for (int i = 0; i < 3; i++) {
      byte[] piece = Arrays.copyOf(garbage, List.of(50, garbage.length, 7).get(i));
      damage.put(id + "-" + bytes.size(), piece);
      bytes.writeBytes(piece);
      if (i < batches.size()) {
        bytes.writeBytes(batches.get(i).encode().array());
      }
    }
    ingest().add(id, bytes.toByteArray());
    startStore();

    awaitCommitted();

    assertThat(stored()).isEqualTo(SegmentFiles.sorted(batches));
    assertThat(folder.resolve("damaged").toFile().list())
        .containsExactlyInAnyOrderElementsOf(damage.keySet());
    for (Map.Entry<String, byte[]> one : damage.entrySet()) {
      assertThat(folder.resolve("damaged").resolve(one.getKey())).hasBinaryContent(one.getValue());
    }
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
  void aSpoolThatIsOverwrittenBySmallerSegmentsShowsNoneOfTheOldBatches() throws IOException {
    TestIngestNode node = ingest();
    startStore();
    List<Batch> all = new ArrayList<>();
    for (int count : List.of(200, 3, 50, 1)) {
      List<Batch> batches = someBatches(count);
      all.addAll(batches);
      node.add(batches);
      awaitCommitted();
    }

    assertThat(stored()).isEqualTo(SegmentFiles.sorted(all));
    assertThat(count("duplicate.records")).isZero();
    assertThat(files(folder.resolve("gather"), "")).isNotEmpty();
    await().untilAsserted(() -> assertThat(files(folder.resolve("gather"), "")).isEmpty());
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
