package io.cordwood.query.histogram;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.common.segment.Batch;
import io.cordwood.common.segment.Topic;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.query.Answer;
import io.cordwood.query.LocalRecords;
import io.cordwood.query.SegmentFixture;
import io.cordwood.query.TestCluster;
import io.cordwood.query.TestCluster.Node;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Every node tells of all topics, and what is held of them. */
final class TopicsApiTest {
  private static List<String> names(Answer answer) {
    return answer.text().lines().map(line -> line.split(" ", -1)[0]).toList();
  }

  @Test
  void everyNodeNamesTheTopicsOfAll() throws IOException {
    List<Batch> batches = SegmentFixture.batches(21, 60);
    var topics =
        batches.stream().map(b -> b.topic().name()).collect(Collectors.toCollection(TreeSet::new));
    try (var cluster = TestCluster.random(21, 2, batches)) {
      for (Node node : cluster.nodes) {
        Answer answer = node.get("/topics");
        assertThat(names(answer)).containsExactlyElementsOf(topics).hasSize(3);
        assertThat(answer.field("verdict")).isEqualTo("complete");
        assertThat(answer.field("blocks-read")).isEqualTo("0");
        assertThat(names(node.get("/topics?topic=web-*,nobody"))).containsExactly("web-7");
        assertThat(names(node.get("/topics?from=2001-01-01&to=2001-01-02"))).isEmpty();
      }
      cluster.forget(cluster.nodes.getFirst());
      Answer doubtful = cluster.nodes.getLast().get("/topics?format=json");
      assertThat(doubtful.text().lines().toList().getLast())
          .startsWith("{\"verdict\":\"possibly-incomplete\",\"matches\":3,");
    }
  }

  @Test
  void whatIsHeldOfATopicIsTheSumOverNodesAndItsTimesAreExact() throws IOException {
    List<Batch> batches = SegmentFixture.batches(22, 60);
    List<Batch> billing =
        batches.stream().filter(b -> b.topic().equals(new Topic("billing"))).toList();
    int records = billing.stream().mapToInt(Batch::records).sum();
    long bytes = billing.stream().mapToLong(b -> b.payload().remaining()).sum();
    Ulid first = billing.stream().map(b -> b.range().from()).min(Ulid::compareTo).orElseThrow();
    Ulid last = billing.stream().map(b -> b.range().to()).max(Ulid::compareTo).orElseThrow();
    try (var cluster = new TestCluster(2)) {
      cluster.store("one", new SegmentFixture(22, 1, batches));
      cluster.store("two", new SegmentFixture(22, 1, batches));
      Node asked = cluster.query("asked");
      assertThat(asked.get("/topics?topic=billing").text())
          .isEqualTo(
              "billing %d %d %s %s\n".formatted(2 * records, 2 * bytes, first.time(), last.time()));
      assertThat(asked.get("/topics?topic=billing&format=json").text())
          .startsWith(
              "{\"topic\":\"billing\",\"records\":" + 2 * records + ",\"bytes\":" + 2 * bytes + ",")
          .contains("\"first\":\"" + first.time() + "\",\"last\":\"" + last.time() + "\"}");
      assertThat(asked.get("/topics?format=xml").status()).isEqualTo(400);
    }
  }

  /** A store has it all, and its ingest segments are not deleted yet: all but the last of them. */
  @Test
  void whatAStoreOfTheSameNodeHasConsumedCountsOnce() throws IOException {
    List<Batch> batches = SegmentFixture.batches(23, 60);
    List<Batch> consumed = batches.subList(0, 50);
    var received =
        SegmentFixture.unconsumed(
            List.of(batches.subList(0, 20), batches.subList(20, 50), batches.subList(50, 60)));
    var stored = new SegmentFixture(23, 1, consumed);
    int records = batches.stream().mapToInt(Batch::records).sum();
    try (var cluster = new TestCluster(1)) {
      Node both = cluster.add("both", new LocalRecords(Optional.of(received), Optional.of(stored)));
      assertThat(sum(both.get("/topics"))).isEqualTo(records);
      assertThat(sum(both.get("/topics?topic=billing")))
          .isEqualTo(sum(batches, new Topic("billing")));
    }
  }

  /** One topic of an ingest segment is not there yet: all of the segment counts. */
  @Test
  void whatAStoreHasHalfConsumedCountsTwiceRatherThanNotAtAll() throws IOException {
    List<Batch> batches = SegmentFixture.batches(24, 60);
    var other = new Topic("web-7");
    var some = batches.stream().filter(batch -> !batch.topic().equals(other)).toList();
    int records = batches.stream().mapToInt(Batch::records).sum();
    try (var cluster = new TestCluster(1)) {
      Node both =
          cluster.add(
              "both",
              new LocalRecords(
                  Optional.of(SegmentFixture.unconsumed(List.of(batches))),
                  Optional.of(new SegmentFixture(24, 1, some))));
      assertThat(sum(both.get("/topics"))).isEqualTo(2L * records - sum(batches, other));
    }
  }

  private static long sum(Answer topics) {
    return topics.text().lines().mapToLong(line -> Long.parseLong(line.split(" ", -1)[1])).sum();
  }

  private static long sum(List<Batch> batches, Topic topic) {
    return batches.stream().filter(it -> it.topic().equals(topic)).mapToInt(Batch::records).sum();
  }
}
