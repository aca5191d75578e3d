package io.cordwood.query.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.common.access.TopicPatterns;
import io.cordwood.common.segment.Batch;
import io.cordwood.common.segment.Records;
import io.cordwood.common.segment.Topic;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.wire.Labels;
import io.cordwood.query.Answer;
import io.cordwood.query.TestCluster.Node;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Who reads as of Loki sees what the token is for. */
final class TokenLokiTest extends TokenFixture {
  private static final long FIRST = 1_700_000_000_000L;

  private static Batch batch(String topic, String pod, String record) {
    return Records.lines(new Topic(topic), Ulid.firstOf(FIRST), record)
        .labelled(Labels.of(Map.of("pod", pod)));
  }

  private static final List<Batch> BATCHES =
      List.of(
          batch("shop", "a", "of shop on a"),
          batch("shop", "b", "of shop on b"),
          batch("pay", "a", "of pay on a"),
          batch("pay", "b", "of pay on b"));

  private static final String RANGE = "&start=1700000000&end=1700000001";

  private Answer ask(Node node, String path, String token) throws IOException {
    return Answer.get(node.port(), "/loki/api/v1/" + path + RANGE, token);
  }

  @Test
  void topicsAndLabelsOfATokenAreAllThatThereIs() throws IOException {
    Node node = start(BATCHES, new TopicPatterns(List.of("shop")), Labels.of(Map.of("pod", "b")));
    assertThat(ask(node, "query_range?query=%7B%7D", all).text()).contains("pay on a", "shop on a");
    for (String query : List.of("%7B%7D", "%7Btopic%3D~%22.%2B%22%7D", "%7Bpod!%3D%22z%22%7D")) {
      assertThat(ask(node, "query_range?query=" + query, some).text())
          .contains("of shop on b")
          .doesNotContain("pay", "on a");
    }
    assertThat(ask(node, "query_range?query=%7Btopic%3D%22pay%22%7D", some).status())
        .isEqualTo(403);
    assertThat(ask(node, "label/topic/values?", some).text())
        .contains("\"shop\"")
        .doesNotContain("pay");
    assertThat(ask(node, "label/pod/values?", some).text())
        .contains("\"b\"")
        .doesNotContain("\"a\"");
    assertThat(ask(node, "series?match[]=%7B%7D", some).text())
        .contains("\"pod\":\"b\"")
        .doesNotContain("pay", "\"a\"");
    assertThat(ask(node, "detected_labels?", some).text())
        .contains("{\"label\":\"pod\",\"cardinality\":1}");
    assertThat(ask(node, "patterns?query=%7B%7D&step=1", some).text())
        .contains("of shop on b")
        .doesNotContain("pay", "on a");
    assertThat(Answer.get(node.port(), "/loki/api/v1/labels").status()).isEqualTo(401);
    assertThat(Answer.get(node.port(), "/loki/api/v1/tail?query=%7B%7D").status()).isEqualTo(401);
    assertThat(ask(node, "none?", some).status()).isEqualTo(404);
  }
}
