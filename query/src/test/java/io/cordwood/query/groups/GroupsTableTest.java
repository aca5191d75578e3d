package io.cordwood.query.groups;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.common.segment.Batch;
import io.cordwood.query.Answer;
import io.cordwood.query.SegmentFixture;
import io.cordwood.query.TestCluster;
import io.cordwood.query.TestCluster.Node;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The tables in which counts come: their order, columns and forms. */
final class GroupsTableTest extends GroupsFixture {
  @Test
  void jsonHasNullForWhatIsNotThere() throws IOException {
    try (var cluster = new TestCluster(1)) {
      Batch batch = batch(FIRST_MILLIS, List.of("a=1 n=2", "a=1 n=3.5", "b=1"));
      Node node = cluster.store("one", new SegmentFixture(1, 1, List.of(batch)));
      assertThat(node.get("/stats?by=a&sum=n&format=json").text())
          .isEqualTo(
              """
              {"by":{"a":"1"},"count":2,"sum(n)":5.5}
              {"by":{"a":null},"count":1,"sum(n)":null}
              {"verdict":"complete","matches":3}
              """);
      assertThat(node.get("/stats?by=a&max=n").text())
          .isEqualTo("a\tcount\tmax(n)\n1\t2\t3.5\n-\t1\t-\n");
    }
  }

  @Test
  void linesAreSortedByAnyColumn() throws IOException {
    try (var cluster = new TestCluster(1)) {
      List<String> lines =
          List.of("p=/a ms=5", "p=/a ms=5", "p=/b ms=1s", "p=/c", "p=/d ms=900ms", "ms=7");
      Node node = cluster.store("one", new SegmentFixture(1, 1, List.of(batch(0, lines))));
      assertThat(order(node, "by=p&max=ms&sort=max")).containsExactly("-", "/a", "/b", "/d", "/c");
      assertThat(order(node, "by=p&max=ms&sort=max(ms):asc"))
          .containsExactly("/d", "/b", "/a", "-", "/c");
      assertThat(order(node, "by=p&sort=p")).containsExactly("/a", "/b", "/c", "/d", "-");
      assertThat(order(node, "by=p&sort=p:desc&top=2")).containsExactly("/d", "/c");
      assertThat(order(node, "by=ms&sort=ms")).containsExactly("900ms", "1s", "5", "7", "-");
      assertThat(order(node, "by=p&sort=count:asc")).last().isEqualTo("/a");
    }
  }

  private static List<String> order(Node node, String parameters) throws IOException {
    return node.get("/stats?" + parameters)
        .text()
        .lines()
        .skip(1)
        .map(line -> line.split("\t", -1)[0])
        .toList();
  }

  @Test
  void shapesAreMessagesWithoutWhatDiffers() throws IOException {
    try (var cluster = new TestCluster(1)) {
      cluster.store(
          "a",
          new SegmentFixture(
              1,
              1,
              List.of(
                  ofTopic(
                      "shop",
                      "{\"level\":\"error\",\"msg\":\"took 7 ms for 10.0.0.1\"}",
                      "order 18 paid"))));
      cluster.store(
          "b",
          new SegmentFixture(
              1,
              1,
              List.of(ofTopic("pay", "{\"msg\":\"took 8.5 ms for 10.0.0.2:80\",\"level\":50}"))));
      assertThat(cluster.query("asked").get("/stats?by=shape&example=true").text())
          .isEqualTo(
              """
              shape\tcount\texample
              error: took ‹n› ms for ‹ip›\t2\t{"msg":"took 8.5 ms for 10.0.0.2:80","level":50}
              order ‹n› paid\t1\torder 18 paid
              """);
    }
  }

  @Test
  void fieldsAreListedWithTheirKindsAndValues() throws IOException {
    try (var cluster = new TestCluster(1)) {
      cluster.store(
          "a",
          new SegmentFixture(
              1, 1, List.of(ofTopic("shop", "{\"s\":7,\"t\":[\"x\",\"y\"]}", "s=none d=5ms"))));
      cluster.store("b", new SegmentFixture(1, 1, List.of(ofTopic("pay", "s=8", "plain"))));
      Node asked = cluster.query("asked");
      Answer answer = asked.get("/fields");
      assertThat(answer.text())
          .isEqualTo(
              """
              field\trecords\tpercent\tkind\tdistinct\texamples
              s\t3\t75\tnumber, text\t3\t8, 7, none
              d\t1\t25\tduration\t1\t5ms
              t[]\t1\t25\ttext\t1\tx
              """);
      assertThat(answer.field("matches")).isEqualTo("4");
      assertThat(asked.get("/fields?format=json&top=1&q=s").text())
          .isEqualTo(
              "{\"field\":\"s\",\"records\":3,\"kinds\":{\"number\":2,\"text\":1},"
                  + "\"distinct\":3,\"examples\":[\"8\",\"7\",\"none\"]}\n"
                  + "{\"verdict\":\"complete\",\"matches\":3}\n");
    }
  }

  @Test
  void csvIsThatOfRfc4180() throws IOException {
    try (var cluster = new TestCluster(1)) {
      List<String> lines =
          List.of(
              "{\"p\":\"a,\\\"b\\\"\\n\"}",
              "{\"p\":\"\"}",
              "{\"q\":\"\"}",
              "{\"p\":\"x\",\"n\":1.5}");
      Node node = cluster.store("one", new SegmentFixture(1, 1, List.of(batch(0, lines))));
      Answer answer = node.get("/stats?by=p&max=n&format=csv");
      assertThat(answer.text())
          .isEqualTo("p,count,max(n)\r\n\"\",1,\r\n\"a,\"\"b\"\"\n\",1,\r\n,1,\r\nx,1,1.5\r\n");
    }
  }

  @Test
  void textEndsWithTheVerdictIfThatIsAskedFor() throws IOException {
    try (var cluster = new TestCluster(1)) {
      Node node =
          cluster.store(
              "one", new SegmentFixture(1, 1, List.of(batch(FIRST_MILLIS, List.of("a=1")))));
      assertThat(node.get("/stats?by=a&verdict=true").text())
          .isEqualTo("a\tcount\n1\t1\n# cordwood: {\"verdict\":\"complete\",\"matches\":1}\n");
    }
  }
}
