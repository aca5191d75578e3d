package io.cordwood.query.gather;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.common.segment.SegmentSource;
import io.cordwood.query.Answer;
import io.cordwood.query.LocalRecords;
import io.cordwood.query.SegmentFixture;
import io.cordwood.query.TestCluster;
import io.cordwood.query.TestCluster.Node;
import java.io.IOException;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A disk that gives errors costs what is on it, and the answer says so. */
final class UnreadableDiskTest {
  private static final SegmentSource ILL =
      _ -> {
        throw new IOException("expected: Input/output error");
      };

  private final TestCluster cluster = new TestCluster(1);

  @AfterEach
  void stop() {
    cluster.close();
  }

  private static Node node(TestCluster cluster, SegmentSource received, SegmentSource stored)
      throws IOException {
    return cluster.add("ill", new LocalRecords(Optional.of(received), Optional.of(stored)));
  }

  @Test
  void whatIsStoredIsFoundWhileWhatIsReceivedCannotBeRead() throws IOException {
    var fixture = new SegmentFixture(6, 2, SegmentFixture.batches(6, 20));
    Answer answer = node(cluster, ILL, fixture).get("/query?count=true");
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.text()).isEqualTo(fixture.records().size() + "\n");
    assertThat(answer.field("verdict")).isEqualTo("possibly-incomplete");
    assertThat(answer.field("missing-nodes")).isEqualTo("1");
    assertThat(answer.field("missing")).startsWith("ingest ill ").contains("Input/output error");
  }

  @Test
  void ifNothingCanBeReadTheAnswerIsEmptyAndSaysSo() throws IOException {
    Answer answer = node(cluster, ILL, ILL).get("/query");
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.text()).isEmpty();
    assertThat(answer.field("verdict")).isEqualTo("possibly-incomplete");
    assertThat(answer.field("missing-nodes")).isEqualTo("2");
  }
}
