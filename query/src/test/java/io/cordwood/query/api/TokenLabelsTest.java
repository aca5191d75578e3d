package io.cordwood.query.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.common.access.TopicPatterns;
import io.cordwood.common.segment.Batch;
import io.cordwood.common.segment.Records;
import io.cordwood.common.wire.Labels;
import io.cordwood.query.Answer;
import io.cordwood.query.Receiver;
import io.cordwood.query.SegmentFixture;
import io.cordwood.query.TestCluster;
import io.cordwood.query.tail.TailClient;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Nodes that ask for tokens: what one for some labels is answered, over a whole cluster. */
final class TokenLabelsTest extends TokenFixture {
  private static final Labels OWN = Labels.of(Map.of("namespace", "shop"));
  private static final List<Labels> SETS =
      List.of(
          Labels.of(Map.of("namespace", "shop", "pod", "web-1")),
          Labels.of(Map.of("namespace", "secret", "pod", "hidden-1")),
          Labels.of(Map.of("pod", "hidden-2")),
          Labels.NONE);

  private static final String FIRST = "00000000000000000000000000";

  private TestCluster.Node node;

  @BeforeEach
  void start() throws IOException {
    List<Batch> batches = new ArrayList<>();
    for (Batch batch : SegmentFixture.batches(5, 60)) {
      batches.add(batch.labelled(SETS.get(batches.size() % SETS.size())));
    }
    node = start(batches, TopicPatterns.ALL, OWN);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/query?q=line",
        "/query?q=",
        "/query?q=line&count=true",
        "/query?count=true",
        "/query?q=line&last=20&format=json",
        "/query?q=line&only_matching=true",
        "/query?q=nothing+of+this&invert=true",
        "/histogram?q=line&bucket=1000d",
        "/stats?by=@pod"
      })
  void everyKindOfQuerySeesOnlyBatchesWithItsLabels(String question) throws IOException {
    Answer own = Answer.get(node.port(), question, some);
    Answer named = Answer.get(node.port(), question + "&where=%40namespace%3Dshop", all);
    Answer whole = Answer.get(node.port(), question, all);
    assertThat(own.status()).as(own.text()).isEqualTo(200);
    assertThat(own.text()).isEqualTo(named.text()).isNotEqualTo(whole.text());
    assertThat(own.field("verdict")).isEqualTo("complete");
    assertThat(own.field("records-in-range")).isEqualTo("0");
    assertThat(own.text()).doesNotContain("hidden").doesNotContain("secret");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/query?q=line&limit=20&before=2&after=2&format=json",
        "/read?limit=50&format=json",
        "/labels?format=json",
        "/labels?name=pod&format=json",
        "/labels?name=namespace&format=json",
        "/topics?format=json",
        "/histogram?bucket=1000d&format=json",
        "/query?q=&where=pod%3Dhidden-1&format=json"
      })
  void nothingSaysThatThereIsMore(String question) throws IOException {
    Answer own = Answer.get(node.port(), question, some);
    assertThat(own.status()).as(own.text()).isEqualTo(200);
    assertThat(own.text()).doesNotContain("hidden").doesNotContain("secret");
    assertThat(own.field("verdict")).isEqualTo("complete");
    assertThat(Answer.get(node.port(), question, all).text()).isNotEqualTo(own.text());
    own.text()
        .lines()
        .filter(line -> line.contains("\"record\":"))
        .forEach(line -> assertThat(line).contains("\"namespace\":\"shop\""));
  }

  @Test
  void topicsHaveTheSumsOfItsBatchesAlone() throws IOException {
    long own = 0;
    for (String line : Answer.get(node.port(), "/topics", some).text().lines().toList()) {
      own += Long.parseLong(line.split(" ", -1)[1]);
    }
    String labelled = Answer.get(node.port(), "/labels?name=namespace", all).text();
    String shop = labelled.lines().filter(l -> l.endsWith("\tshop")).findFirst().orElseThrow();
    assertThat(own).isEqualTo(Long.parseLong(shop.split("\t", -1)[0]));
  }

  /** Neither of what is there when it begins, nor of what comes. */
  @ParameterizedTest
  @ValueSource(
      strings = {"lines=20", "lines=20&where=pod~-", "lines=20&q=line", "from_ulid=" + FIRST})
  void aTailSeesOnlyBatchesWithItsLabels(String question) throws IOException {
    String header = "Authorization: Bearer " + some + "\r\n";
    String path = "/stream?format=json&alive=true&" + question;
    try (var tail = TailClient.open(node, path, header)) {
      tail.until(() -> receiver.followers() == 1);
      for (int i = 0; i < 3 * SETS.size(); i++) {
        Batch batch = Records.lines(Receiver.stamp(1), "new line " + i);
        receiver.receive(batch.labelled(SETS.get(i % SETS.size())));
      }
      tail.awaitLine("new line 8");
      assertThat(tail.lines())
          .filteredOn(line -> line.contains("\"record"))
          .hasSizeGreaterThan(3)
          .allMatch(line -> line.contains("\"namespace\":\"shop\""));
      assertThat(tail.lines()).noneMatch(line -> line.contains("hidden"));
    }
  }

  @Test
  void whoAsksCannotNameOtherLabels() throws IOException {
    assertThat(Answer.get(node.port(), "/query?q=&label=namespace%3Dsecret", some).status())
        .isEqualTo(400);
  }
}
