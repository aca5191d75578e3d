package io.cordwood.query.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.common.segment.Batch;
import io.cordwood.common.segment.Records;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.query.SegmentFixture;
import io.cordwood.query.TestCluster;
import io.cordwood.query.TestCluster.Node;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is found in records, beside them; of a node that holds none of them itself. */
final class ParsedRecordsTest {
  private static final Batch BATCH =
      Records.lines(
          Ulid.firstOf(1_700_000_000_000L),
          "{\"level\":\"warn\",\"msg\":\"slow\",\"user\":{\"id\":17},\"tags\":[\"a\",true]}",
          "2026-11-26 10:00:00 INFO order taken n=1",
          "nothing at all",
          "a=1 " + "x ".repeat(40_000));

  private final TestCluster cluster = new TestCluster(1);
  private Node asked;

  @BeforeEach
  void start() throws IOException {
    cluster.store("store", new SegmentFixture(1, 1, List.of(BATCH)));
    asked = cluster.query("asked");
  }

  @AfterEach
  void stop() throws IOException {
    cluster.close();
  }

  private List<String> parsed(String parameters) throws IOException {
    String answer = asked.get("/query?format=json&parsed=true" + parameters).text();
    return answer
        .lines()
        .filter(line -> line.contains("\"ulid\""))
        .map(line -> line.substring(line.indexOf("\"parsed\"")))
        .toList();
  }

  @Test
  void jsonSaysWhatIsFoundInARecord() throws IOException {
    assertThat(parsed(""))
        .containsExactly(
            "\"parsed\":{\"level\":\"warn\",\"message\":\"slow\",\"fields\":{\"level\":\"warn\","
                + "\"msg\":\"slow\",\"user.id\":\"17\",\"tags[0]\":\"a\",\"tags[1]\":\"true\"}}}",
            "\"parsed\":{\"level\":\"info\",\"time\":\"2026-11-26 10:00:00\","
                + "\"message\":\"order taken n=1\",\"fields\":{\"n\":\"1\",\"level\":\"info\"}}}",
            "\"parsed\":{}}",
            "\"parsed\":{\"fields\":{\"a\":\"1\"},\"cut\":true}}");
    assertThat(asked.meters.counter("cordwood.query.parsed.cut").count()).isEqualTo(1);
  }

  @Test
  void recordsOfContextAreParsedToo() throws IOException {
    assertThat(parsed("&q=order&before=1"))
        .satisfiesExactly(
            before -> assertThat(before).contains("\"true\"}},\"group\":1,\"context\":true"),
            match ->
                assertThat(match).contains("\"level\":\"info\"}},\"group\":1,\"context\":false"));
  }

  @Test
  void nothingIsParsedUnlessItIsAskedFor() throws IOException {
    assertThat(asked.get("/query?format=json").text()).doesNotContain("\"parsed\"");
    assertThat(asked.get("/query?parsed=true").text())
        .isEqualTo("error: parameter parsed: expected format json, found another one\n");
    assertThat(asked.get("/stream?parsed=true&format=ulid").text())
        .isEqualTo("error: parameter parsed: expected format json or sse, found ulid\n");
  }
}
