package io.cordwood.common.segment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.common.testing.Seed;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.wire.Labels;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Lists of batches are read as they were written, and never otherwise. */
final class BatchListTest {
  private static final Labels SOME = Labels.of(Map.of("pod", "another"));

  private final Records records = new Records(31);

  private List<BatchInfo> someBatches(int count) {
    List<Batch> batches = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Batch batch = records.batch(i % 3 == 0 ? new Topic("other") : Topic.DEFAULT, 5);
      batches.add(Records.labelled(batch, records.labels()));
      if (i % 7 == 0) {
        batches.add(Records.labelled(batch, SOME));
      }
    }
    return SegmentFiles.sorted(batches).stream().map(BatchInfo::of).distinct().toList();
  }

  private static byte[] write(List<BatchInfo> batches) throws IOException {
    return write(batches, true);
  }

  private static byte[] write(List<BatchInfo> batches, boolean labels) throws IOException {
    var out = new ByteArrayOutputStream();
    var writer = new BatchListWriter(out, labels);
    for (BatchInfo batch : batches) {
      writer.add(batch);
    }
    writer.finish();
    return out.toByteArray();
  }

  private static List<BatchInfo> read(byte[] bytes) throws IOException {
    var reader = new BatchListReader(new ByteArrayInputStream(bytes));
    List<BatchInfo> batches = new ArrayList<>();
    for (BatchInfo next = reader.next(); next != null; next = reader.next()) {
      batches.add(next);
    }
    return batches;
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 100, 10_000})
  void aListIsReadAsItWasWritten(int count) throws IOException {
    List<BatchInfo> batches = someBatches(count);

    assertThat(read(write(batches))).isEqualTo(batches);
  }

  @Test
  void aListCostsFewBytesABatch() throws IOException {
    List<BatchInfo> plain =
        someBatches(10_000).stream().filter(it -> it.labelsIdentity() == 0).toList();
    assertThat(write(plain).length).isLessThan(16 * plain.size());
    assertThat(write(plain)).hasSameSizeAs(write(plain, false));
  }

  /** Stores of earlier versions read lists of version 1 alone. */
  @Test
  void aListOfVersion1HasNoLabels() throws IOException {
    List<BatchInfo> plain =
        someBatches(100).stream().filter(it -> it.labelsIdentity() == 0).toList();
    byte[] bytes = write(plain, false);
    assertThat(bytes[7]).isEqualTo((byte) 1);
    assertThat(read(bytes)).isEqualTo(plain);
    var labelled = new BatchInfo(Topic.DEFAULT, new Ulid(1, 2), 3, 1, 1);
    assertThatThrownBy(() -> write(List.of(labelled), false)).hasMessageContaining("labels");
  }

  @Test
  void aListThatBreaksOffAnywhereIsRefused() throws IOException {
    byte[] whole = write(someBatches(20));

    for (int length = 0; length < whole.length; length++) {
      byte[] part = Arrays.copyOf(whole, length);
      assertThatThrownBy(() -> read(part)).isInstanceOf(IOException.class);
    }
  }

  @Test
  void aListOfAnyBytesEndsInAnAnswerOrARefusal() throws IOException {
    long seed = Seed.of(BatchListTest.class);
    var random = new SplittableRandom(seed);
    byte[] whole = write(someBatches(50));
    for (int i = 0; i < 2000; i++) {
      byte[] damaged = whole.clone();
      damaged[random.nextInt(damaged.length)] ^= (byte) (1 + random.nextInt(255));
      try {
        List<BatchInfo> found = read(damaged);
        assertThat(found).as("seed %d", seed).isSorted();
      } catch (IOException e) {
        assertThat(e).as("seed %d", seed).hasMessageContaining("expected");
      }
    }
  }
}
