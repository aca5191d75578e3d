package io.cordwood.query.gather;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.common.cluster.Partners;
import io.cordwood.common.http.ApiPaths;
import io.cordwood.common.http.client.CliClient;
import io.cordwood.common.segment.Batch;
import io.cordwood.common.ulid.UlidRange;
import io.cordwood.query.Answer;
import io.cordwood.query.SegmentFixture;
import io.cordwood.query.TestCluster;
import io.cordwood.query.TestCluster.Node;
import io.cordwood.query.request.Query;
import io.cordwood.query.request.Topics;
import io.cordwood.query.wire.AnswerReader;
import io.cordwood.query.wire.KnownNode;
import io.cordwood.query.wire.SharedNodes;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A node answers for itself alone, and tells others of the nodes that it knows. */
final class ReplacedNodesTest {
  private final List<Batch> batches = SegmentFixture.batches(5, 60);
  private final TestCluster cluster = new TestCluster(2);

  @AfterEach
  void stop() {
    cluster.close();
  }

  private SegmentFixture holding(List<Batch> some) throws IOException {
    return new SegmentFixture(5, 2, some);
  }

  @Test
  void whoTookAnOldStoresAddressDoesNotAnswerForIt() throws IOException {
    Node fresh = cluster.store("fresh", holding(List.of()));
    cluster.addStranger("old", fresh.port());
    Node asked = cluster.query("asked");
    try (var _ = SlowStore.in(cluster)) {
      Answer answer = asked.get("/query?count=true&time_limit=300ms");
      assertThat(answer.field("verdict")).isEqualTo("possibly-incomplete");
      assertThat(answer.field("missing"))
          .contains("store old ../.. 421 error: expected a question for fresh, found one for old");
    }
  }

  @Test
  void aNodeThatHasJustJoinedLearnsWhoIsGoneFromThoseThatAnswer() throws IOException {
    cluster.store("one", holding(batches.subList(0, 5)));
    cluster.store("two", holding(batches.subList(5, batches.size())));
    Node asked = cluster.query("asked");
    cluster.forgottenBy.put(asked.id, "lost");
    cluster.gone.add(
        new ClusterNodes.Gone(
            "lost", false, true, Instant.EPOCH, Long.MAX_VALUE, Partners.UNKNOWN));
    Answer answer = asked.get("/query?count=true");
    assertThat(answer.field("verdict")).isEqualTo("possibly-incomplete");
    assertThat(answer.field("missing"))
        .isEqualTo("store lost ../.. gone since 1970-01-01T00:00:00Z");
    try (var _ = SlowStore.in(cluster)) {
      answer = asked.get("/query?count=true&time_limit=300ms");
      assertThat(answer.field("missing")).contains("store slow ../.. time was up");
    }
  }

  @Test
  void storesThatAllOthersHaveProvedNeedlessAreNotMissed() throws IOException {
    Node one = cluster.store("one", holding(batches));
    cluster.store("two", holding(batches));
    for (String gone : List.of("first", "second")) {
      cluster.gone.add(
          new ClusterNodes.Gone(
              gone, false, true, Instant.EPOCH, 0, Partners.of(List.of("one", "two", "second"))));
    }
    assertThat(verdict(one)).isEqualTo("possibly-incomplete");
    cluster.partners.put("one", Partners.of(List.of("two")));
    assertThat(verdict(one)).isEqualTo("possibly-incomplete");
    cluster.partners.put("two", Partners.of(List.of("one")));
    assertThat(verdict(one)).isEqualTo("complete");
    assertThat(verdict(cluster.query("asked"))).isEqualTo("complete");
  }

  /** So it may have taken records since with those that say that they do not need it. */
  @Test
  void aStoreThatOthersHaveSeenLaterIsMissed() throws IOException {
    Node one = cluster.store("one", holding(batches));
    cluster.store("two", holding(batches));
    Node witness = cluster.ingest("witness", holding(List.of()));
    cluster.partners.put("one", Partners.of(List.of("two")));
    cluster.partners.put("two", Partners.of(List.of("one")));
    var first =
        new ClusterNodes.Gone("first", false, true, Instant.EPOCH, 0, Partners.of(List.of()));
    var second =
        new ClusterNodes.Gone("second", false, true, Instant.EPOCH, 0, Partners.of(List.of()));
    cluster.gone.addAll(List.of(first, second));
    assertThat(verdict(one)).isEqualTo("complete");
    cluster.goneTo.put(
        witness.id,
        List.of(
            new ClusterNodes.Gone(
                "first", false, true, Instant.EPOCH.plusSeconds(61), 0, Partners.of(List.of()))));
    assertThat(verdict(one)).isEqualTo("possibly-incomplete");
  }

  /** A node that stood still has not heard what the store said before it went. */
  @Test
  void aStoreOfWhoseCopiesOthersHaveHeardLessIsMissed() throws IOException {
    Node one = cluster.store("one", holding(batches));
    cluster.store("two", holding(batches));
    Node witness = cluster.ingest("witness", holding(List.of()));
    cluster.gone.add(lost(0));
    assertThat(verdict(one)).isEqualTo("complete");
    cluster.goneTo.put(witness.id, List.of(lost(Long.MAX_VALUE)));
    assertThat(verdict(one)).isEqualTo("possibly-incomplete");
    cluster.goneTo.put(witness.id, List.of(lost(0)));
    assertThat(verdict(one)).isEqualTo("complete");
  }

  private static ClusterNodes.Gone lost(long replicatedFromMillis) {
    return new ClusterNodes.Gone(
        "lost", false, true, Instant.EPOCH, replicatedFromMillis, Partners.UNKNOWN);
  }

  private static @Nullable String verdict(Node asked) throws IOException {
    return asked.get("/query?count=true").field("verdict");
  }

  @Test
  void whoDoesNotNameTheNodeThatIsMeantIsOlderAndIsToldOfNoOthers() throws IOException {
    Node one = cluster.store("one", holding(batches));
    cluster.store("two", holding(batches));
    assertThat(known(one, "")).isEmpty();
    assertThat(known(one, "&to_node=one")).extracting(KnownNode::nodeId).containsExactly("two");
  }

  @Test
  void anAnswerNamesNobodyWhomTheQuestionSaysToBeKnown() throws IOException {
    Node one = cluster.store("one", holding(batches));
    for (int i = 0; i < 1_000; i++) {
      cluster.addStranger("node-" + i, 1);
    }
    cluster.gone.add(
        new ClusterNodes.Gone("lost", false, true, Instant.EPOCH, 0, Partners.UNKNOWN));
    List<KnownNode> all = known(one, "&to_node=one");
    assertThat(all).hasSize(1_001);
    assertThat(known(one, "&to_node=one" + parameter(all)))
        .extracting(KnownNode::nodeId)
        .containsExactly("lost");
    List<KnownNode> fewer = all.stream().filter(it -> !it.nodeId().equals("node-7")).toList();
    assertThat(known(one, "&to_node=one" + parameter(fewer)))
        .extracting(KnownNode::nodeId)
        .contains("lost", "node-7")
        .hasSizeLessThan(100);
    assertThat(one.get("/query/tier?tier=store&detail=bytes&extent=part&known=AAA").status())
        .isEqualTo(400);
  }

  private static final KnownNode ONE = new KnownNode("one", false, true, KnownNode.IS_THERE, 0);

  private static String parameter(List<KnownNode> known) {
    return "&known=" + SharedNodes.of(known, Optional.of(ONE)).orElseThrow();
  }

  private static List<KnownNode> known(Node node, String more) throws IOException {
    String question =
        "%s?tier=store&detail=bytes&extent=part%s".formatted(ApiPaths.QUERY_TIER, more);
    URI uri = URI.create("http://127.0.0.1:" + node.port() + question);
    var query = Query.everything(UlidRange.ALL, Topics.ALL, Query.Detail.BYTES);
    Duration patience = Duration.ofSeconds(60);
    try (CliClient.Answer answer = new CliClient(patience, patience).get(uri)) {
      return new AnswerReader(answer.body(), query, patience).head().known();
    }
  }
}
