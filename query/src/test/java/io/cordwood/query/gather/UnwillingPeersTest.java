package io.cordwood.query.gather;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cordwood.common.http.ApiPaths;
import io.cordwood.common.http.server.HttpError;
import io.cordwood.common.http.server.HttpServer;
import io.cordwood.common.http.server.HttpServerOptions;
import io.cordwood.common.http.server.Params;
import io.cordwood.common.http.server.Response;
import io.cordwood.common.http.server.Routes;
import io.cordwood.common.segment.Batch;
import io.cordwood.common.segment.SegmentSource.Lack;
import io.cordwood.common.testing.Patience;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.ulid.UlidRange;
import io.cordwood.query.Answer;
import io.cordwood.query.SegmentFixture;
import io.cordwood.query.SegmentFixture.Expected;
import io.cordwood.query.TestCluster;
import io.cordwood.query.TestCluster.Node;
import io.cordwood.query.Tier;
import io.cordwood.query.request.Query;
import io.cordwood.query.wire.AnswerWriter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Nodes that die, stall, refuse or answer rubbish cost their own part of an answer, no more. */
final class UnwillingPeersTest {
  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  private List<Batch> batches = List.of();
  private List<Expected> all = List.of();
  private TestCluster cluster = new TestCluster(2);

  @BeforeEach
  void fill() throws IOException {
    batches = SegmentFixture.batches(5, 60);
    all = new SegmentFixture(5, 1, batches).records();
  }

  @AfterEach
  void stop() {
    cluster.close();
  }

  private SegmentFixture holding(List<Batch> some) throws IOException {
    return new SegmentFixture(5, 2, some);
  }

  private static String texts(Answer answer) {
    return new String(answer.body(), StandardCharsets.ISO_8859_1);
  }

  private static String texts(List<Expected> records) {
    var text = new StringBuilder();
    records.forEach(
        r -> text.append(new String(r.bytes(), StandardCharsets.ISO_8859_1)).append('\n'));
    return text.toString();
  }

  /** How a peer answers that should say what it stores. */
  enum Answering {
    NOTHING,
    RANDOM_BYTES,
    ANOTHER_VERSION,
    A_WRONG_CHECKSUM,
    A_HUGE_FRAME,
    HALF_A_FRAME,
    NO_END,
    MORE_BEHIND_THE_END_OF_A_FRAME,
    A_REFUSAL,
    A_BROKEN_STREAM;

    private void answer(Response response, byte[] good) throws IOException {
      OutputStream out = response.body();
      switch (this) {
        case NOTHING -> {}
        case RANDOM_BYTES -> {
          byte[] bytes = new byte[100_000];
          new SplittableRandom(1).nextBytes(bytes);
          out.write(bytes);
        }
        case ANOTHER_VERSION -> out.write(changed(good, 4));
        case A_WRONG_CHECKSUM -> out.write(changed(good, good.length - 1));
        case A_HUGE_FRAME -> out.write(changed(good, 5 + 1));
        case HALF_A_FRAME -> out.write(good, 0, good.length - 3);
        case NO_END -> out.write(good);
        case MORE_BEHIND_THE_END_OF_A_FRAME -> {
          out.write(good);
          out.write(good);
        }
        case A_REFUSAL -> throw new HttpError(503, "not now");
        case A_BROKEN_STREAM -> {
          out.write(good);
          out.flush();
          throw new IOException("expected: the test breaks this answer off");
        }
      }
    }

    private static byte[] changed(byte[] bytes, int index) {
      byte[] changed = Arrays.copyOf(bytes, bytes.length);
      changed[index] ^= 0x40;
      return changed;
    }
  }

  /** The beginning of an answer: head, and a frame that says where it has come to. */
  private byte[] goodStart() throws IOException {
    var out = new ByteArrayOutputStream();
    var writer = new AnswerWriter(out, Query.Detail.BYTES, true);
    writer.head(Optional.empty(), List.of());
    int head = out.size();
    while (out.size() == head) {
      writer.passed(all.get(all.size() / 2).ulid());
    }
    return out.toByteArray();
  }

  @ParameterizedTest
  @EnumSource(Answering.class)
  void rubbishCostsThePartOfWhoGaveIt(Answering answering) throws IOException {
    byte[] good = goodStart();
    var routes = new Routes();
    routes.get(ApiPaths.QUERY_TIER, Params.ANY, (_, response) -> answering.answer(response, good));
    try (var peer = HttpServer.start(HttpServerOptions.at("127.0.0.1", 0), routes, meters)) {
      cluster.store("good", holding(batches));
      cluster.addStranger("bad", peer.port());
      Node asked = cluster.query("asked");

      Answer answer = asked.get("/query");
      assertThat(texts(answer)).isEqualTo(texts(all));
      assertThat(answer.field("verdict")).isEqualTo("complete");
      assertMissingIfAtAll(answer, "store bad ");

      cluster.replicationFactor = 1;
      Answer doubtful = asked.get("/query?format=json");
      assertThat(doubtful.field("verdict")).isEqualTo("possibly-incomplete");
      assertThat(doubtful.text().lines().toList().getLast())
          .startsWith("{\"verdict\":\"possibly-incomplete\",\"matches\":" + all.size())
          .contains("\"missing\":[{\"node\":\"bad\",\"tier\":\"store\",\"times\":\"");
      assertThat(asked.meters.get("cordwood.query.incomplete").counter().count()).isEqualTo(1);
    }
  }

  /** It is not, if the answer could end before it was found out. */
  private static void assertMissingIfAtAll(Answer answer, String who) {
    if (answer.field("missing") != null) {
      assertThat(answer.field("missing")).startsWith(who).doesNotContain(";");
    }
  }

  @Test
  void whatWasReachedBeforeAnEarlyEndIsNotCalledMissing() throws IOException {
    cluster.replicatedFromMillis = Long.MAX_VALUE;
    byte[] good = goodStart();
    var routes = new Routes();
    routes.get(
        ApiPaths.QUERY_TIER, Params.ANY, (_, response) -> Answering.NO_END.answer(response, good));
    try (var peer = HttpServer.start(HttpServerOptions.at("127.0.0.1", 0), routes, meters)) {
      cluster.store("good", holding(batches));
      cluster.addStranger("bad", peer.port());
      String from = all.get(all.size() / 2).ulid().time().toString();
      assertThat(cluster.query("asked").get("/query").field("missing"))
          .startsWith("store bad " + from + "/.. ");
    }
  }

  @Test
  void fewerStoresMissingThanCopiesIsComplete() throws IOException {
    Node one = cluster.store("one", holding(batches));
    Node two = cluster.store("two", holding(batches));
    cluster.store("three", holding(batches));
    Node asked = cluster.query("asked");
    assertThat(asked.get("/query").field("missing")).isNull();
    one.close();
    Answer answer = asked.get("/query");
    assertThat(answer.field("verdict")).isEqualTo("complete");
    assertMissingIfAtAll(answer, "store one ../.. ");
    assertThat(texts(answer)).isEqualTo(texts(all));
    cluster.forget(two);
    answer = asked.get("/query");
    assertThat(answer.field("verdict")).isEqualTo("possibly-incomplete");
    assertThat(answer.field("missing-nodes")).isEqualTo("2");
    assertThat(answer.field("missing")).contains("store two ../.. gone since ");
    assertThat(texts(answer)).isEqualTo(texts(all));
  }

  @Test
  void anIngestNodeThatIsGoneMakesAnyAnswerDoubtful() throws IOException {
    Node ingest = cluster.ingest("in", holding(batches.subList(0, 5)));
    cluster.store("one", holding(batches));
    cluster.store("two", holding(batches));
    Node asked = cluster.query("asked");
    assertThat(asked.get("/query").field("verdict")).isEqualTo("complete");
    cluster.forget(ingest);
    Answer answer = asked.get("/query?count=true");
    assertThat(answer.text()).isEqualTo(all.size() + "\n");
    assertThat(answer.field("verdict")).isEqualTo("possibly-incomplete");
    assertThat(answer.field("missing")).startsWith("ingest in ../.. gone since ");
  }

  /** It would be waited for until a minute is over. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "/query?time_limit=1m",
        "/query?limit=7&time_limit=1m",
        "/query?last=7&time_limit=1m",
        "/query?count=true&time_limit=1m",
        "/query?count=true&q=e&time_limit=1m",
        "/read?format=text&time_limit=1m",
        "/histogram?time_limit=1m",
      })
  void aSlowStoreIsNotWaitedForIfOthersHoldWhatItHolds(String path) throws IOException {
    Node asked = cluster.query("asked");
    cluster.store("one", holding(batches));
    cluster.store("two", holding(batches));
    Answer healthy = asked.get(path);
    assertThat(healthy.field("verdict")).isEqualTo("complete");
    String expected = texts(healthy);
    try (var slow = SlowStore.in(cluster)) {
      Answer answer = asked.get(path);
      assertThat(texts(answer)).isEqualTo(expected);
      assertThat(answer.field("verdict")).isEqualTo("complete");
      slow.end();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"/query?", "/query?last=100000&", "/read?format=text&"})
  void whenTimeIsUpAllThatCameIsGivenAndTheAnswerSaysThatItStoppedAndWhere(String path)
      throws IOException {
    cluster.replicatedFromMillis = Long.MAX_VALUE;
    try (var slow = SlowStore.in(cluster)) {
      cluster.store("one", holding(batches));
      cluster.store("two", holding(batches));
      Answer answer = inTime(path, answered -> texts(answered).equals(texts(all)));
      slow.end();
      assertThat(texts(answer)).isEqualTo(texts(all));
      assertThat(answer.field("missing")).contains("store slow ").contains("/.. time was up");
      assertThat(answer.field("verdict")).isEqualTo("possibly-incomplete");
      assertThat(answer.field("stopped")).isEqualTo("time was up");
      assertThat(answer.field("unsearched")).endsWith(Ulid.MAX.toString());
    }
  }

  /** With as long a time limit as it takes until those who answer have done so. */
  private Answer inTime(String path, Predicate<Answer> expected) throws IOException {
    Node asked = cluster.query("asked");
    long millis = 700;
    Answer answer = asked.get(path + "time_limit=" + millis + "ms");
    while (!expected.test(answer) && millis < Patience.LONG.toMillis()) {
      millis *= 4;
      answer = asked.get(path + "time_limit=" + millis + "ms");
    }
    return answer;
  }

  @Test
  void whenTimeIsUpWhatCameIsCountedToo() throws IOException {
    cluster.replicatedFromMillis = Long.MAX_VALUE;
    try (var slow = SlowStore.in(cluster)) {
      cluster.store("one", holding(batches));
      long expected = all.stream().filter(r -> texts(List.of(r)).contains("e")).count();
      String counted = expected + "\n";
      Answer answer = inTime("/query?count=true&q=e&", found -> found.text().equals(counted));
      slow.end();
      assertThat(answer.text()).isEqualTo(counted);
      assertThat(answer.field("verdict")).isEqualTo("possibly-incomplete");
    }
  }

  @Test
  void withAMissingStoreThatDidNotSayThatOthersHoldItsRecordsNoAnswerIsComplete()
      throws IOException {
    long newest = all.getLast().ulid().millis();
    cluster.replicatedFromMillis = newest;
    Node one = cluster.store("one", holding(batches));
    cluster.store("two", holding(batches));
    Node asked = cluster.query("asked");
    assertThat(asked.get("/query").field("verdict")).isEqualTo("complete");
    cluster.forget(one);
    assertThat(asked.get("/query").field("verdict")).isEqualTo("possibly-incomplete");
    assertThat(asked.get("/query?from=" + Ulid.firstOf(newest)).field("verdict"))
        .isEqualTo("complete");
  }

  @Test
  void whoOpensTooLateIsLeftOut() throws IOException {
    var merger =
        new ResultMerger(
            () -> false,
            false,
            () -> 0,
            new CopyCount(0),
            MergeState.ofHeap(new SimpleMeterRegistry()));
    PartialResult late = merger.add(new PartialResult.Holder("late", Tier.INGEST), false);
    merger.awaitOpened(System.nanoTime());
    late.fail("no answer");
    late.stop();
    late.opened(Optional.empty());
    late.end();
    assertThat(late.lack()).contains(new Lack(UlidRange.ALL, "no answer"));
    assertThat(
            merger.run((hits, group) -> true, System.nanoTime() + Duration.ofMinutes(1).toNanos()))
        .isEqualTo(ResultMerger.Outcome.ALL);
  }

  @Test
  void aReaderWhoLeavesEndsTheSearchOnAllNodes() throws IOException {
    Node endless = cluster.store("endless", holding(batches).endless());
    Node asked = cluster.query("asked");
    try (var client = new Socket(InetAddress.getLoopbackAddress(), asked.port())) {
      String request = "GET /query?invert=true HTTP/1.1\r\nHost: x\r\n\r\n";
      client.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      await().until(() -> endless.meters.get("cordwood.query.tier.running").gauge().value() == 1);
    }
    await().until(() -> endless.meters.get("cordwood.query.tier.running").gauge().value() == 0);
    assertThat(endless.meters.get("cordwood.query.tier.abandoned").counter().count()).isEqualTo(1);
    await().until(() -> asked.meters.get("cordwood.query.abandoned").counter().count() == 1);
  }
}
