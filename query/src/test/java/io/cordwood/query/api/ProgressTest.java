package io.cordwood.query.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cordwood.common.http.client.CliClient;
import io.cordwood.common.testing.Patience;
import io.cordwood.query.GatedSource;
import io.cordwood.query.SegmentFixture;
import io.cordwood.query.SlowFilters;
import io.cordwood.query.TestCluster;
import io.cordwood.query.TestCluster.Node;
import io.cordwood.query.api.PieceReader.Progress;
import io.cordwood.query.request.QueryLimits;
import io.cordwood.query.result.ProgressSink;
import io.cordwood.query.result.SearchProgress;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What an answer says meanwhile of how far it has come; blocks are let through one by one. */
final class ProgressTest {
  private static final Duration PATIENCE = Patience.LONG;

  private final TestCluster cluster = new TestCluster(1);
  private final List<GatedSource> sources = new ArrayList<>();

  @AfterEach
  void stop() {
    sources.forEach(GatedSource::letAll);
    cluster.close();
  }

  private GatedSource source(int blocks) throws IOException {
    var source = new GatedSource(blocks);
    sources.add(source);
    return source;
  }

  private static CliClient.Answer ask(Node node, String parameters) throws IOException {
    String path = "/query?" + parameters;
    return new CliClient(PATIENCE, PATIENCE)
        .get(URI.create("http://127.0.0.1:" + node.port() + path));
  }

  private static void assertGrows(List<Progress> said) {
    assertThat(said).isSortedAccordingTo(Comparator.comparingLong(Progress::blocksDone));
    assertThat(said).isSortedAccordingTo(Comparator.comparingLong(Progress::bytesDone));
    assertThat(said).allMatch(s -> s.blocksDone() <= s.blocks() && s.bytesDone() <= s.bytes());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"format=text", "format=ulid", "format=json", "q=record&count=true", "last=7"})
  void itGrowsToTheWholeAndChangesNoByteOfTheAnswer(String form) throws IOException {
    var source = source(20);
    Node node = cluster.store("store", source);
    String parameters = "topic=large&" + form;
    byte[] bytes;
    try (CliClient.Answer answer = ask(node, parameters + "&progress=true")) {
      var reader = new PieceReader(answer.body());
      long whole = 20L * GatedSource.BLOCK_BYTES;
      assertThat(reader.await(said -> said.blocks() == 20))
          .isEqualTo(new Progress(1, 20, 0, whole, 0, 0));
      source.let(5);
      long quarter = whole / 4;
      Progress fifth = reader.await(said -> said.blocksDone() == 5);
      assertThat(fifth.bytesDone()).isEqualTo(quarter);
      source.letAll();
      reader.readAll();
      assertGrows(reader.said());
      assertThat(reader.said().getLast().isWhole() || form.startsWith("last")).isTrue();
      assertThat(reader.said().getLast().matches() + "")
          .isEqualTo(answer.header("cordwood-matches"));
      assertThat(answer.header("content-type")).isEqualTo("application/x-cordwood-pieces");
      bytes = reader.bytes();
    }
    try (CliClient.Answer answer = ask(node, parameters)) {
      assertThat(answer.body().readAllBytes()).isEqualTo(bytes);
      assertThat(answer.header("content-type")).doesNotContain("pieces");
    }
  }

  @Test
  void itIsTheSumOfAllNodes() throws IOException {
    var first = source(10);
    var second = source(12);
    cluster.store("first", first);
    cluster.store("second", second);
    Node asked = cluster.query("asked");
    try (CliClient.Answer answer = ask(asked, "topic=large&progress=true")) {
      var reader = new PieceReader(answer.body());
      assertThat(reader.await(said -> said.blocks() == 22).nodes()).isEqualTo(2);
      first.let(4);
      second.let(2);
      reader.await(said -> said.blocksDone() == 6);
      second.letAll();
      reader.await(said -> said.blocksDone() == 16);
      first.letAll();
      reader.readAll();
      assertGrows(reader.said());
      assertThat(reader.said().getLast().isWhole()).isTrue();
      assertThat(reader.said().getLast().matches()).isEqualTo(12);
      assertThat(reader.bytes())
          .asString(StandardCharsets.UTF_8)
          .endsWith("record 10\nrecord 11\n")
          .hasLineCount(12);
      assertThat(answer.header("cordwood-verdict")).isEqualTo("complete");
    }
  }

  @Test
  void nodesThatStopEarlierHaveNothingLeftToDo() throws IOException {
    cluster.limits =
        TestCluster.PATIENT.withEffort(
            new QueryLimits.Effort(Duration.ofHours(1), 4L * GatedSource.BLOCK_BYTES, 1_000));
    cluster.store("one", new GatedSource(10).letAll());
    cluster.store("other", new GatedSource(10).letAll());
    try (CliClient.Answer answer = ask(cluster.query("asked"), "topic=large&progress=true")) {
      var reader = new PieceReader(answer.body());
      reader.readAll();
      assertThat(reader.said().getLast().blocks()).isEqualTo(8);
      assertThat(reader.said().getLast().isWhole()).isTrue();
      assertThat(answer.header("cordwood-verdict")).isEqualTo("possibly-incomplete");
    }
  }

  @Test
  void whoHasEnoughIsNotToldThatAllWasSearched() throws IOException {
    Node node = cluster.store("store", new GatedSource(1000).letAll());
    try (CliClient.Answer answer = ask(node, "topic=large&limit=1&progress=true")) {
      var reader = new PieceReader(answer.body());
      reader.readAll();
      assertThat(reader.bytes()).asString().isEqualTo("record 0\n");
      assertThat(reader.said().getLast().blocksDone()).isPositive().isLessThan(1000);
    }
  }

  @Test
  void skippedBlocksAreDone() throws IOException {
    Node node = cluster.store("store", new GatedSource(10).letAll());
    try (CliClient.Answer answer = ask(node, "q=in+no+record+at+all&progress=true")) {
      var reader = new PieceReader(answer.body());
      reader.readAll();
      assertThat(reader.said().getLast().isWhole()).isTrue();
      assertThat(answer.header("cordwood-blocks-skipped")).isEqualTo("11");
    }
  }

  /** All filters take ten seconds, unless the first word of progress is heard before that. */
  @Test
  void whatThereIsToDoIsKnownBeforeFiltersAreRead() throws IOException {
    var source = new GatedSource(250).letAll();
    var heard = new CountDownLatch(1);
    SlowFilters.Wait filter =
        () -> {
          boolean _ = heard.await(40, TimeUnit.MILLISECONDS);
        };
    Node node =
        cluster.store("store", range -> SlowFilters.of(source.view(range).segments(), filter));
    try (CliClient.Answer answer = ask(node, "q=in+no+record+at+all&progress=true")) {
      var reader = new PieceReader(answer.body());
      Progress early = reader.await(_ -> true);
      assertThat(early.blocks()).isEqualTo(251);
      assertThat(early.blocksDone()).isLessThan(251);
      heard.countDown();
      reader.readAll();
      assertGrows(reader.said());
    }
  }

  @Test
  void aReaderWhoDoesNotReadGetsNoPileOfIt() throws IOException {
    SegmentFixture large = SegmentFixture.ofLargeRecords(400);
    Node node = cluster.store("large", large);
    long began = System.nanoTime();
    try (CliClient.Answer answer = ask(node, "progress=true")) {
      double[] sent = {-1};
      await()
          .pollInterval(500, TimeUnit.MILLISECONDS)
          .until(() -> {
            double before = sent[0];
            sent[0] = node.meters.get("cordwood.http.sent.bytes").counter().count();
            return before > 0 && sent[0] == before;
          });
      var reader = new PieceReader(answer.body());
      reader.readAll();
      long seconds = Duration.ofNanos(System.nanoTime() - began).toSeconds() + 1;
      assertThat(reader.said().size())
          .isLessThanOrEqualTo((int) seconds * ProgressSink.A_SECOND + 5);
      assertThat(reader.said().getLast().isWhole()).isTrue();
      int expected = large.records().stream().mapToInt(r -> r.bytes().length + 1).sum();
      assertThat(reader.bytes()).hasSize(expected);
    }
  }

  @Test
  void whatCannotBeToldIsToldLater() throws IOException {
    List<Long> told = new ArrayList<>();
    long[] done = {1};
    boolean[] ready = {false};
    var sink =
        new ProgressSink(
            (hits, group) -> true,
            () -> new SearchProgress(9, done[0], 9, done[0]),
            progress -> ready[0] && told.add(progress.bytesDone()));
    sink.end();
    done[0] = 2;
    sink.end();
    ready[0] = true;
    sink.end();
    sink.end();
    assertThat(told).containsExactly(2L);
  }
}
