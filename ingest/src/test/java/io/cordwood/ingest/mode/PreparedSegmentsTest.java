package io.cordwood.ingest.mode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cordwood.common.file.Filesystem;
import io.cordwood.ingest.IngestMetrics;
import io.cordwood.ingest.IngestOptions;
import io.cordwood.ingest.segment.IngestLog;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A file that was used before may hold what is deleted, and may stand ready for long. */
final class PreparedSegmentsTest {
  @TempDir private Path folder;

  @Test
  void whatStandsReadyCanBeDroppedAndIsMadeAgain() throws IOException {
    var metrics = new IngestMetrics(new SimpleMeterRegistry(), IngestOptions.in(folder));
    try (IngestLog log =
        IngestLog.open(
            folder, Duration.ofMinutes(1), Filesystem.real(), metrics, InstantSource.system())) {
      try (var prepared = new PreparedSegments(log)) {
        prepared.drop();
        for (int i = 0; i < 2; i++) {
          prepared.prepare();
          await().until(() -> log.ids().size() == 1);
          prepared.drop();
          await().until(() -> log.ids().isEmpty());
        }
        prepared.prepare();
      }
      assertThat(log.ids()).isEmpty();
    }
  }
}
