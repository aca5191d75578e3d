package io.cordwood.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.common.segment.Batch;
import io.cordwood.common.segment.SegmentFiles;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.query.Answer;
import io.cordwood.query.SegmentFixture;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An ingest node whose stores have been away for long. */
final class BacklogTest {
  /** More than the files that queries may hold open at once. */
  private static final int SEGMENTS = 1100;

  @TempDir private Path folder;

  @Test
  void allOfAnySegmentsThatWaitForAStoreAreFoundAndTheAnswerIsComplete() throws IOException {
    List<Batch> batches = SegmentFixture.batches(25, SEGMENTS);
    Path home = Files.createDirectories(folder.resolve("ingest-0/ingest"));
    long records = 0;
    for (Batch batch : batches) {
      records += batch.records();
      Path file = home.resolve(new Ulid(1_700_000_000_000L << 16, records) + ".flushed");
      Files.write(file, SegmentFiles.ingestSegment(List.of(batch)));
    }
    var shape = new LivingCluster.Shape(1, 0, 1, Duration.ofDays(1));
    try (var cluster = new LivingCluster(folder, shape, InstantSource.system())) {
      Answer count = Answer.get(cluster.apiPort(0), "/query?count=true");
      assertThat(count.text()).isEqualTo(records + "\n");
      assertThat(count.field("verdict")).isEqualTo("complete");

      Answer all = Answer.get(cluster.apiPort(0), "/query?format=ulid");
      assertThat(all.field("matches")).isEqualTo(Long.toString(records));
      assertThat(all.field("verdict")).isEqualTo("complete");
    }
  }
}
