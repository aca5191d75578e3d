package io.cordwood.query.gather;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cordwood.common.http.ApiParams;
import io.cordwood.common.http.ApiPaths;
import io.cordwood.common.http.server.HttpServer;
import io.cordwood.common.http.server.HttpServerOptions;
import io.cordwood.common.http.server.Params;
import io.cordwood.common.http.server.Request;
import io.cordwood.common.http.server.Response;
import io.cordwood.common.http.server.Routes;
import io.cordwood.common.segment.Topic;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.query.Answer;
import io.cordwood.query.request.Query;
import io.cordwood.query.result.BlockHits;
import io.cordwood.query.result.ScanStats;
import io.cordwood.query.wire.AnswerWriter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A node with a small heap gathers what 300 stores answer at once: larger batches than it has
 * memory for, if it took one of each.
 */
final class ManyPeersTest {
  private static final int BATCHES_EACH = 2;
  private static final int LINES = 8;
  private static final int LINE_BYTES = 10_000;
  private static final int CLIENTS = 3;

  private HttpServer peers;
  private GatheringNode node;

  @BeforeEach
  void start() throws IOException {
    var routes = new Routes();
    routes.get(ApiPaths.QUERY_TIER, Params.ANY, ManyPeersTest::answer);
    peers = HttpServer.start(HttpServerOptions.at("0.0.0.0", 0), routes, new SimpleMeterRegistry());
    node = GatheringNode.start(peers.port());
  }

  @AfterEach
  void stop() throws IOException {
    node.close();
    peers.close();
  }

  /** Batches that lie between those of the others. */
  private static void answer(Request request, Response response) throws IOException {
    int peer = Integer.parseInt(request.requiredParam(ApiParams.TO_NODE).substring(1));
    var writer = new AnswerWriter(response.body(), Query.Detail.BYTES, true);
    writer.head(Optional.empty(), List.of());
    byte[] bytes = "x".repeat(LINES * LINE_BYTES).getBytes(StandardCharsets.US_ASCII);
    int[] ends = IntStream.rangeClosed(1, LINES).map(line -> line * LINE_BYTES).toArray();
    for (int batch = 0; batch < BATCHES_EACH; batch++) {
      int place = batch * GatheringNode.PEERS + peer;
      byte[] number = "%08d".formatted(place).getBytes(StandardCharsets.US_ASCII);
      for (int end : ends) {
        System.arraycopy(number, 0, bytes, end - LINE_BYTES, number.length);
        bytes[end - 1] = '\n';
      }
      var group = new BlockHits.Group(Ulid.firstOf(1_700_000_000_000L + place), 0, LINES);
      writer.accept(new BlockHits(Topic.DEFAULT, bytes, ends, new int[0], List.of(group)), group);
    }
    writer.end(new ScanStats().snapshot());
  }

  /** Connecting to all of them takes longer than it may on a busy machine. */
  private Answer complete(String path) {
    return await()
        .until(
            () -> Answer.get(node.port(), path),
            answer -> "complete".equals(answer.field("verdict")));
  }

  @Test
  void anAnswerIsWholeThoughOneBatchOfEachStoreWouldNotFit() throws IOException {
    Answer answer = complete("/query");
    List<String> expected =
        IntStream.range(0, BATCHES_EACH * GatheringNode.PEERS)
            .boxed()
            .flatMap(batch -> IntStream.range(0, LINES).mapToObj(_ -> "%08d".formatted(batch)))
            .toList();
    assertThat(answer.text().lines().map(line -> line.substring(0, 8)).toList())
        .isEqualTo(expected);
    assertThat(node.count("cordwood.query.frame.waits")).isPositive();
    assertThat(node.threads()).as("threads of the system").isLessThan(GatheringNode.PEERS / 5);
  }

  @Test
  void moreAtOnceWaitOrAreRefusedAndNoneDiesOfMemory() throws Exception {
    complete("/query?limit=1");
    int answered = 0;
    int refused = 0;
    try (var clients = Executors.newFixedThreadPool(CLIENTS)) {
      Callable<Answer> asks = () -> Answer.get(node.port(), "/query");
      for (Future<Answer> each :
          clients.invokeAll(IntStream.range(0, CLIENTS).mapToObj(_ -> asks).toList())) {
        Answer answer = each.get();
        if (answer.status() == 200) {
          answered++;
        } else {
          assertThat(answer.status()).isEqualTo(503);
          assertThat(answer.text())
              .startsWith("error: expected ")
              .contains("of memory for the answers of 300 nodes, found ");
          refused++;
        }
      }
    }
    assertThat(answered).isPositive();
    assertThat(node.count("cordwood.query.room.waits")).isPositive();
    assertThat(node.count("cordwood.query.refused")).isEqualTo(refused);
    complete("/query?limit=1");
  }
}
