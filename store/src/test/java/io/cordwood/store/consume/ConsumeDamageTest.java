package io.cordwood.store.consume;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cordwood.common.file.PassThroughFilesystem;
import io.cordwood.common.file.WritableFile;
import io.cordwood.common.segment.Batch;
import io.cordwood.common.segment.IngestSegmentHeader;
import io.cordwood.common.segment.SegmentFiles;
import io.cordwood.common.segment.Topic;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.store.consume.TestIngestNode.Fault;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;

/** Segments that are damaged, or cannot be read: the rest is stored, and no byte is lost. */
final class ConsumeDamageTest extends ConsumeFixture {
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
  void aSpoolThatIsOverwrittenBySmallerSegmentsShowsNoneOfTheOldBatches() throws IOException {
    TestIngestNode node = ingest();
    Set<Path> created = ConcurrentHashMap.newKeySet();
    var disk =
        new PassThroughFilesystem() {
          @Override
          public WritableFile create(Path file) throws IOException {
            created.add(file.getParent());
            return super.create(file);
          }
        };
    startStore(Duration.ofMillis(50), disk);
    List<Batch> all = new ArrayList<>();
    for (int count : List.of(200, 3, 50, 1)) {
      List<Batch> batches = someBatches(count);
      all.addAll(batches);
      node.add(batches);
      awaitCommitted();
    }

    assertThat(stored()).isEqualTo(SegmentFiles.sorted(all));
    await().until(() -> count("consumed.segments") == 4);
    assertThat(count("duplicate.records")).isZero();
    assertThat(created).contains(folder.resolve("gather"));
    await().untilAsserted(() -> assertThat(files(folder.resolve("gather"), "")).isEmpty());
  }
}
