package io.cordwood.common.segment;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.channels.Channels;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

/** A segment is the same bytes, whoever does the work. */
final class HelpedWriterTest {
  private static final int BLOCKS = 40;

  private final List<Batch> batches = manyBatches();

  private static List<Batch> manyBatches() {
    var records = new Records(11);
    List<Batch> batches = new ArrayList<>();
    for (long bytes = 0; bytes < (long) BLOCKS * BlockEncoder.TARGET_RAW_BYTES; ) {
      Batch batch = records.batch(Topic.DEFAULT, 200);
      batches.add(batch);
      bytes += batch.payload().remaining();
    }
    return SegmentFiles.sorted(batches);
  }

  @Test
  void byAnotherThreadByOneThatComesTooLateAndByNone() throws IOException {
    byte[] alone = written(StoreSegmentWriter.ALONE);
    assertThat(written(Runnable::run)).isEqualTo(alone);
    try (var helpers = Executors.newFixedThreadPool(2)) {
      assertThat(written(helpers)).isEqualTo(alone);
    }
    List<Runnable> late = new ArrayList<>();
    assertThat(written(late::add)).isEqualTo(alone);
    late.forEach(Runnable::run);
  }

  private byte[] written(Executor beside) throws IOException {
    var out = new ByteArrayOutputStream();
    try (var writer = new StoreSegmentWriter(Channels.newChannel(out), beside)) {
      for (Batch batch : batches) {
        writer.append(batch);
      }
      writer.finish();
    }
    return out.toByteArray();
  }
}
