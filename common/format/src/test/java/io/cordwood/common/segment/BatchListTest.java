package io.cordwood.common.segment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.common.testing.Seed;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Lists of batches are read as they were written, and never otherwise. */
final class BatchListTest {
  private final Records records = new Records(31);

  private List<BatchInfo> someBatches(int count) {
    List<Batch> batches = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      batches.add(records.batch(i % 3 == 0 ? new Topic("other") : Topic.DEFAULT, 5));
    }
    return SegmentFiles.sorted(batches).stream().map(BatchInfo::of).toList();
  }

  private static byte[] write(List<BatchInfo> batches) throws IOException {
    var out = new ByteArrayOutputStream();
    var writer = new BatchListWriter(out);
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
    assertThat(write(someBatches(10_000)).length).isLessThan(16 * 10_000);
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
