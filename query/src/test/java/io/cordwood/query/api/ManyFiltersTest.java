package io.cordwood.query.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.common.http.ApiPaths;
import io.cordwood.common.http.client.CliClient;
import io.cordwood.common.segment.Segment;
import io.cordwood.common.testing.Patience;
import io.cordwood.common.ulid.UlidRange;
import io.cordwood.query.GatedSource;
import io.cordwood.query.SlowFilters;
import io.cordwood.query.TestCluster;
import io.cordwood.query.TestCluster.Node;
import io.cordwood.query.request.Query;
import io.cordwood.query.request.Query.Detail;
import io.cordwood.query.request.Topics;
import io.cordwood.query.wire.AnswerFrame;
import io.cordwood.query.wire.AnswerFrame.End;
import io.cordwood.query.wire.AnswerFrame.Passed;
import io.cordwood.query.wire.AnswerReader;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A node that reads the filters of very many segments says meanwhile that it is still there. */
final class ManyFiltersTest {
  private static final Duration PATIENCE = Patience.LONG;

  /** All of them take a minute, unless the node that asked hears before that. */
  private static final int SEGMENTS = 1200;

  private static final long FILTER_MILLIS = 50;

  private final CountDownLatch heard = new CountDownLatch(1);
  private final AtomicInteger filtersRead = new AtomicInteger();

  @Test
  void theNodeThatAsksHearsOfItBeforeAllAreRead() throws IOException {
    try (var cluster = new TestCluster(1)) {
      Segment real = new GatedSource(1).view(UlidRange.ALL).segments().getFirst();
      List<Segment> many = Collections.nCopies(SEGMENTS, real);
      Node node = cluster.store("store", _ -> SlowFilters.of(many, this::awaitFilter));
      URI question =
          URI.create(
              "http://127.0.0.1:%d%s?tier=store&detail=bytes&extent=part&q=in+no+record+at+all"
                  .formatted(node.port(), ApiPaths.QUERY_TIER));
      try (CliClient.Answer answer = new CliClient(PATIENCE, PATIENCE).get(question)) {
        Query query = Query.everything(UlidRange.ALL, Topics.ALL, Detail.BYTES);
        var reader = new AnswerReader(answer.body(), query, PATIENCE);
        reader.head();
        assertThat(reader.next()).isInstanceOf(Passed.class);
        assertThat(filtersRead).hasValueLessThan(SEGMENTS);
        heard.countDown();
        AnswerFrame frame = reader.next();
        while (frame instanceof Passed) {
          frame = reader.next();
        }
        assertThat(frame).isInstanceOf(End.class);
        assertThat(filtersRead).hasValue(SEGMENTS);
      } finally {
        heard.countDown();
      }
    }
  }

  private void awaitFilter() throws InterruptedException {
    boolean _ = heard.await(FILTER_MILLIS, TimeUnit.MILLISECONDS);
    filtersRead.incrementAndGet();
  }
}
