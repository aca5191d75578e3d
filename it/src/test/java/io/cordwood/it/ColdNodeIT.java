package io.cordwood.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cordwood.common.bucket.Bucket;
import io.cordwood.common.bucket.BucketUrl;
import io.cordwood.common.cold.ColdName;
import io.cordwood.common.cold.ColdSegments;
import io.cordwood.common.cold.ColdUpload;
import io.cordwood.common.segment.Topic;
import io.cordwood.query.Answer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A store that is started on an empty disk answers for all that is in a bucket. */
final class ColdNodeIT {
  @TempDir private Path folder;

  @Test
  void aStoreOnAnEmptyDiskAnswersForTheBucketWithTheVerdict() throws IOException {
    String place = folder.resolve("cold").toUri().toString();
    try (Bucket bucket = BucketUrl.parse(place).open()) {
      for (String noon : new String[] {"2026-11-20T12:00:00Z", "2026-11-21T12:00:00Z"}) {
        var batches = ColdSegments.batches(new Topic("shop"), Instant.parse(noon), 20);
        Path file = Files.write(folder.resolve("settled"), ColdSegments.settled(batches));
        var _ = ColdUpload.put(bucket, file, ColdName.USUAL_CLASS);
      }
    }
    try (NodeProcess node = NodeProcess.start("store", folder, "--cold", place)) {
      await().untilAsserted(() -> isComplete(Answer.get(node.apiPort(), "/query"), 400));
      Answer one = Answer.get(node.apiPort(), "/query?q=order+37+of&from=2026-11-21T00:00:00Z");
      isComplete(one, 1);
      assertThat(one.text()).contains("order 37 of a shop");
    }
  }

  private static void isComplete(Answer answer, int records) {
    assertThat(answer.field("verdict")).isEqualTo("complete");
    assertThat(answer.text().lines()).hasSize(records);
  }
}
