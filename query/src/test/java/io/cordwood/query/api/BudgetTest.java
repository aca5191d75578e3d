package io.cordwood.query.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cordwood.common.http.ApiPaths;
import io.cordwood.common.http.server.HttpServer;
import io.cordwood.common.http.server.HttpServerOptions;
import io.cordwood.common.http.server.Params;
import io.cordwood.common.http.server.Routes;
import io.cordwood.common.segment.SegmentSource;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.ulid.UlidRange;
import io.cordwood.query.Answer;
import io.cordwood.query.GatedSource;
import io.cordwood.query.TestCluster;
import io.cordwood.query.TestCluster.Node;
import io.cordwood.query.request.Query;
import io.cordwood.query.request.QueryLimits;
import io.cordwood.query.request.QueryLimits.Effort;
import io.cordwood.query.wire.AnswerWriter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a query may cost at most: the answer says that it stopped, where, and how to go on. */
final class BudgetTest {
  private static final String BYTES = "the limit of bytes to search was reached";

  private final TestCluster cluster = new TestCluster(1);

  @AfterEach
  void stop() {
    cluster.close();
  }

  /** Effort for so many blocks, and half of one more. */
  private static Effort blocks(int blocks) {
    long bytes = (long) blocks * GatedSource.BLOCK_BYTES + GatedSource.BLOCK_BYTES / 2;
    return new Effort(Duration.ofHours(1), bytes, 1000);
  }

  private Node store(String id, int blocks, Effort effort) throws IOException {
    cluster.limits = TestCluster.PATIENT.withEffort(effort);
    return cluster.store(id, new GatedSource(blocks).letAll());
  }

  private static double stopped(Node node, String limit) {
    return node.meters.get("cordwood.query.stopped").tag("limit", limit).counter().count();
  }

  private static List<String> records(int from, int to) {
    return IntStream.range(from, to).mapToObj(i -> "record " + i).toList();
  }

  private static Ulid ulid(int record) {
    return Ulid.firstOf(GatedSource.FIRST_MILLIS + record);
  }

  @Test
  void whoeverGoesOnWhereTheBytesWereUsedUpGetsAllOnce() throws IOException {
    Node node = store("store", 10, blocks(3));
    List<String> found = new ArrayList<>();
    String path = "/query?topic=large";
    String range = "";
    int asked = 0;
    while (range != null) {
      Answer answer = node.get(path + range);
      answer.text().lines().forEach(found::add);
      String unsearched = answer.field("unsearched");
      assertThat(answer.field("stopped")).isEqualTo(unsearched == null ? null : BYTES);
      assertThat(answer.field("verdict"))
          .isEqualTo(unsearched == null ? "complete" : "possibly-incomplete");
      range = unsearched == null ? null : "&from=" + unsearched.substring(0, 26);
      asked++;
    }
    assertThat(found).isEqualTo(records(0, 10));
    assertThat(asked).isEqualTo(4);
    assertThat(stopped(node, "bytes")).isEqualTo(3);
  }

  @Test
  void theNewestComeFirstAndWhatIsOlderIsNamed() throws IOException {
    Node node = store("store", 10, blocks(2));
    Answer answer = node.get("/query?topic=large&last=5");
    assertThat(answer.text().lines()).isEqualTo(records(8, 10));
    assertThat(answer.field("unsearched")).isEqualTo(Ulid.MIN + "-" + ulid(7));
    assertThat(node.get("/query?topic=large&last=2").field("verdict")).isEqualTo("complete");
    assertThat(node.get("/query?topic=large&limit=2").field("verdict")).isEqualTo("complete");
  }

  @Test
  void jsonSaysWhereItStoppedAndACountDoes() throws IOException {
    Node node = store("store", 10, blocks(3));
    assertThat(node.get("/query?topic=large&format=json").text().lines().toList().getLast())
        .isEqualTo(
            ("{\"verdict\":\"possibly-incomplete\",\"matches\":3,"
                    + "\"stopped\":\"%s\",\"unsearched\":\"%s-%s\"}")
                .formatted(BYTES, ulid(3), Ulid.MAX));
    Answer count = node.get("/query?topic=large&q=record&count=true");
    assertThat(count.text()).isEqualTo("3\n");
    assertThat(count.field("stopped")).isEqualTo(BYTES);
    Answer all = node.get("/query?topic=large&count=true");
    assertThat(all.text()).as("by the index").isEqualTo("10\n");
    assertThat(all.field("verdict")).isEqualTo("complete");
  }

  @Test
  void whenTimeIsUpWhatWasFoundIsABeginning() throws IOException {
    var time = Duration.ofMillis(200);
    cluster.limits = TestCluster.PATIENT.withEffort(new Effort(time, 1L << 40, 1 << 20));
    var source = new GatedSource(10).let(3);
    Node node = cluster.store("store", source);
    CompletableFuture<Answer> asked = FairnessTest.asked(node, "/query?topic=large");
    try {
      await().until(() -> source.begun() > 3 || asked.isDone());
      long up = System.nanoTime() + time.toNanos();
      await().until(() -> System.nanoTime() - up >= 0);
    } finally {
      source.letAll();
    }
    Answer answer = asked.join();
    List<String> found = answer.text().lines().toList();
    assertThat(found).hasSizeLessThanOrEqualTo(3).isEqualTo(records(0, found.size()));
    assertThat(answer.field("stopped")).isEqualTo("time was up");
    assertThat(answer.field("unsearched")).isEqualTo(ulid(found.size()) + "-" + Ulid.MAX);
    assertThat(stopped(node, "time")).isEqualTo(1);
  }

  @Test
  void noMoreRecordsAreGivenThanTheLimitAndThatIsSaid() throws IOException {
    Node node = store("store", 10, new Effort(Duration.ofHours(1), 1L << 40, 4));
    Answer answer = node.get("/query?topic=large");
    assertThat(answer.text().lines()).isEqualTo(records(0, 4));
    assertThat(answer.field("stopped")).isEqualTo("the limit of records to give was reached");
    assertThat(answer.field("unsearched")).startsWith(ulid(4).toString());
    assertThat(answer.field("matches")).isEqualTo("4");
    assertThat(stopped(node, "records")).isEqualTo(1);
    assertThat(node.get("/query?topic=large&limit=4").field("verdict")).isEqualTo("complete");
  }

  @Test
  void pagesThatWouldHaveTooMuchEndThereAndWhoReadsOnGetsAllOnce() throws IOException {
    var threeRecords = new Effort(Duration.ofHours(1), 1L << 40, 3);
    for (Effort effort : List.of(threeRecords, blocks(3))) {
      try (Node node = store("store", 10, effort)) {
        List<String> found = new ArrayList<>();
        String position = Ulid.MIN.toString();
        int pages = 0;
        for (String stopped = ""; stopped != null; pages++) {
          Answer answer = node.get("/read?topic=large&format=text&from_ulid=" + position);
          answer.text().lines().forEach(found::add);
          position = answer.field("next-ulid");
          stopped = answer.field("stopped");
          assertThat(answer.field("verdict"))
              .isEqualTo(stopped == null ? "complete" : "possibly-incomplete");
        }
        assertThat(found).isEqualTo(records(0, 10));
        assertThat(pages).isEqualTo(4);
        assertThat(stopped(node, effort.equals(threeRecords) ? "records" : "bytes")).isEqualTo(3);
        assertThat(node.get("/read?topic=large&limit=3").field("verdict")).isEqualTo("complete");
        cluster.nodes.remove(node);
      }
    }
  }

  @Test
  void aPageThatTheNodesOwnLimitEndsIsSettledUpToThere() throws IOException {
    cluster.limits = TestCluster.PATIENT.withEffort(new Effort(Duration.ofHours(1), 1L << 40, 3));
    var source = new GatedSource(10).letAll();
    Node node =
        cluster.ingest(
            "ingest",
            new SegmentSource() {
              @Override
              public View view(UlidRange range) {
                return source.view(range);
              }

              @Override
              public Optional<Instant> stampTime() {
                return Optional.of(Instant.ofEpochMilli(GatedSource.FIRST_MILLIS).plusSeconds(60));
              }
            });
    Answer answer = node.get("/read?topic=large&format=json");
    assertThat(answer.field("next-ulid")).isEqualTo(ulid(2).toString());
    assertThat(answer.field("settled-ulid")).isEqualTo(ulid(2).toString());
    assertThat(answer.text()).contains("\"stopped\":\"the limit of records to give was reached\"");
    assertThat(node.get("/read?topic=large&settled=true").field("next-ulid"))
        .isEqualTo(ulid(2).toString());
  }

  /** Three records are the limit, and a count gives none. */
  @Test
  void countsAreBoundedByBytesAndTimeOnly() throws IOException {
    Node node = store("store", 10, new Effort(Duration.ofHours(1), 1L << 40, 3));
    assertThat(node.get("/query?topic=large&count=true").text()).isEqualTo("10\n");
    Answer histogram = node.get("/histogram?topic=large&q=record&bucket=1d");
    assertThat(histogram.text()).endsWith(" 10\n");
    assertThat(histogram.field("verdict")).isEqualTo("complete");
    try (Node frugal = store("frugal", 10, blocks(3))) {
      cluster.nodes.remove(node);
      node.close();
      Answer stopped = frugal.get("/histogram?topic=large&q=record&bucket=1d");
      assertThat(stopped.text()).endsWith(" 3\n");
      assertThat(stopped.field("stopped")).isEqualTo(BYTES);
      cluster.nodes.remove(frugal);
    }
  }

  @Test
  void aNodeThatStoppedLacksItsPartAndAnotherCopyMakesUpForIt() throws IOException {
    store("frugal", 10, blocks(3));
    Node node = cluster.query("asked");
    Answer answer = node.get("/query?topic=large");
    assertThat(answer.text().lines()).isEqualTo(records(0, 3));
    assertThat(answer.field("verdict")).isEqualTo("possibly-incomplete");
    assertThat(answer.field("missing"))
        .isEqualTo("store frugal " + ulid(3).time() + "/.. " + BYTES);
    Answer newest = node.get("/query?topic=large&last=5");
    assertThat(newest.text().lines()).isEqualTo(records(7, 10));
    assertThat(newest.field("missing"))
        .isEqualTo("store frugal ../" + ulid(6).time() + " " + BYTES);

    cluster.replicationFactor = 2;
    store("generous", 10, Effort.DEFAULT);
    Answer whole = node.get("/query?topic=large");
    assertThat(whole.text().lines()).isEqualTo(records(0, 10));
    assertThat(whole.field("verdict")).isEqualTo("complete");
  }

  @Test
  void aPeerThatIsSilentForLongerThanTheLimitIsMissing() throws IOException {
    cluster.limits = QueryLimits.DEFAULT.withSilence(Duration.ofMillis(300));
    cluster.store("good", new GatedSource(3).letAll());
    Node node = cluster.query("asked");
    var over = new CountDownLatch(1);
    var routes = new Routes();
    routes.get(
        ApiPaths.QUERY_TIER,
        Params.ANY,
        (_, response) -> {
          new AnswerWriter(response.body(), Query.Detail.BYTES, true)
              .head(Optional.empty(), List.of());
          await().until(() -> over.getCount() == 0);
        });
    try (var peer =
        HttpServer.start(HttpServerOptions.at("127.0.0.1", 0), routes, new SimpleMeterRegistry())) {
      cluster.addStranger("silent", peer.port());
      await()
          .alias("the other one was quicker, as it is but on a machine that stands still")
          .untilAsserted(() -> {
            Answer answer = node.get("/query?topic=large");
            assertThat(answer.text().lines()).isEqualTo(records(0, 3));
            assertThat(answer.field("missing"))
                .matches("store silent ../.. 127.0.0.1:\\d+/.*: received nothing for 300 ms");
          });
      over.countDown();
    }
  }
}
