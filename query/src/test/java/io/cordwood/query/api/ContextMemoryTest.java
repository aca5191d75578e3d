package io.cordwood.query.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.common.http.server.HttpServer;
import io.cordwood.common.http.server.HttpServerOptions;
import io.cordwood.common.http.server.Routes;
import io.cordwood.common.run.ByteBudget;
import io.cordwood.common.segment.Batch;
import io.cordwood.query.Answer;
import io.cordwood.query.LocalRecords;
import io.cordwood.query.SegmentFixture;
import io.cordwood.query.gather.ClusterNodes;
import io.cordwood.query.request.QueryLimits;
import io.cordwood.query.scan.AnswerMemory;
import io.cordwood.query.scan.QueryCaches;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Context is held within a bound of memory; what that costs is said, and no match is lost. */
final class ContextMemoryTest {
  private static final String PATH = "/query?q=line&format=ulid&before=30&after=30";

  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  private final List<Batch> batches = SegmentFixture.batches(61, 80);

  private Answer answerWithin(long bytes) throws IOException {
    var fixture = new SegmentFixture(61, 2, batches);
    var memory = new AnswerMemory(new ByteBudget(bytes));
    var setting =
        new QueryApi.Setting(
            "alone",
            new LocalRecords(Optional.empty(), Optional.of(fixture)),
            () -> ClusterNodes.NONE,
            InstantSource.system(),
            QueryLimits.DEFAULT,
            QueryCaches.NONE);
    var routes = new Routes();
    try (var api = new QueryApi(setting, 2, memory, meters)) {
      api.addRoutes(routes);
      try (var server = HttpServer.start(HttpServerOptions.at("127.0.0.1", 0), routes, meters)) {
        return Answer.get(server.port(), PATH);
      }
    } finally {
      assertThat(memory.heldBytes()).isZero();
    }
  }

  private static List<String> lines(Answer answer) {
    return new ArrayList<>(answer.text().lines().filter(line -> !line.equals("--")).toList());
  }

  @Test
  void withLittleMemoryNoMatchIsLostAndWhoseContextIsCutIsCounted() throws IOException {
    Answer whole = answerWithin(64 << 20);
    assertThat(whole.field("context-cut")).isEqualTo("0");
    assertThat(Integer.parseInt(whole.field("matches"))).isPositive();

    Answer little = answerWithin(1000);
    assertThat(little.field("matches")).isEqualTo(whole.field("matches"));
    assertThat(Integer.parseInt(little.field("context-cut"))).isPositive();
    assertThat(little.text().length()).isLessThan(whole.text().length());

    Answer inParts = answerWithin(400_000);
    assertThat(inParts.field("context-cut")).as("a few matches at a time").isEqualTo("0");
    List<String> missing = lines(whole);
    lines(inParts).forEach(missing::remove);
    assertThat(missing).isEmpty();
    assertThat(lines(inParts)).hasSameSizeAs(lines(whole));
  }
}
