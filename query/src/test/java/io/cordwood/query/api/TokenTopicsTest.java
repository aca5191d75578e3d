package io.cordwood.query.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.common.access.TopicPatterns;
import io.cordwood.common.wire.Labels;
import io.cordwood.query.Answer;
import io.cordwood.query.SegmentFixture;
import io.cordwood.query.TestCluster;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Nodes that ask for tokens: what one with a few topics is answered, over a whole cluster. */
final class TokenTopicsTest extends TokenFixture {
  private static final String OWN = SegmentFixture.TOPICS.getFirst().name();
  private static final String OTHER = SegmentFixture.TOPICS.getLast().name();

  private TestCluster.Node node;

  @BeforeEach
  void start() throws IOException {
    var own = new TopicPatterns(List.of(OWN, "nothing-yet*"));
    node = start(SegmentFixture.batches(5, 60), own, Labels.NONE);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/query?q=line",
        "/query?q=",
        "/query?q=line&count=true",
        "/query?count=true",
        "/query?q=line&last=20&format=json",
        "/query?q=line&limit=20&before=2&after=2&format=json",
        "/query?q=line&only_matching=true",
        "/query?q=nothing+of+this&invert=true",
        "/histogram?q=line&bucket=1s",
        "/histogram?bucket=1s",
        "/stats?by=level",
        "/read?limit=50",
        "/topics?"
      })
  void everyKindOfQuerySeesOnlyItsTopics(String question) throws IOException {
    Answer own = Answer.get(node.port(), question, some);
    Answer named = Answer.get(node.port(), question + "&topic=" + OWN, all);
    Answer whole = Answer.get(node.port(), question, all);
    assertThat(own.status()).as(own.text()).isEqualTo(200);
    assertThat(withoutTime(own)).isEqualTo(withoutTime(named));
    assertThat(own.field("verdict")).isEqualTo("complete");
    if (!question.startsWith("/stats")) {
      assertThat(withoutTime(own)).isNotEqualTo(withoutTime(whole));
    }
    assertThat(own.text()).doesNotContain("\"" + OTHER + "\"").doesNotContain("\n" + OTHER + " ");
  }

  private static String withoutTime(Answer answer) {
    return answer.text().replaceAll("\"(took|millis|seconds)[^,}]*", "");
  }

  @Test
  void aTailSeesOnlyItsTopics() throws IOException {
    assertThat(firstLines(some, "")).isEqualTo(firstLines(all, "&topic=" + OWN));
    assertThat(firstLines(some, "")).isNotEqualTo(firstLines(all, ""));
  }

  private String firstLines(String token, String more) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), node.port())) {
      socket.setSoTimeout(60_000);
      String request =
          "GET /stream?format=ulid&lines=5"
              + more
              + " HTTP/1.0\r\nHost: x\r\nAuthorization: Bearer "
              + token
              + "\r\n\r\n";
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      var text = new StringBuilder();
      int head = -1;
      while (head < 0 || text.substring(head).lines().count() < 4) {
        int next = socket.getInputStream().read();
        assertThat(next).as(text.toString()).isNotNegative();
        text.append((char) next);
        head = text.indexOf("\r\n\r\n");
      }
      return text.substring(head + 4);
    }
  }

  @Test
  void topicsThatAreNotTheTokensAreRefusedWhetherTheyAreThereOrNot() throws IOException {
    for (String question : List.of("/query?q=x", "/topics?", "/read?", "/histogram?", "/stream?")) {
      for (String topic : List.of(OTHER, "no-such-topic", OWN + "," + OTHER, "zzz*")) {
        Answer answer = Answer.get(node.port(), question + "&topic=" + topic, some);
        assertThat(answer.status()).isEqualTo(403);
        assertThat(answer.text())
            .isEqualTo("error: parameter topic: expected topics of the token some, found others\n");
      }
    }
    assertThat(Answer.get(node.port(), "/query?q=x&topic=*", some).status()).isEqualTo(200);
    assertThat(Answer.get(node.port(), "/query?q=x&topic=nothing-yet-1", some).text()).isEmpty();
  }

  @Test
  void whatNodesAskOfEachOtherIsForNobodyElse() throws IOException {
    assertThat(Answer.get(node.port(), "/query/tier?tier=store", all).status()).isEqualTo(403);
    assertThat(Answer.get(node.port(), "/stream/tier?", all).status()).isEqualTo(403);
  }
}
