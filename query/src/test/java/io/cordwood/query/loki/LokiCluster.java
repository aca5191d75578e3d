package io.cordwood.query.loki;

import static io.cordwood.query.loki.LokiClient.path;

import io.cordwood.common.segment.Batch;
import io.cordwood.common.segment.Records;
import io.cordwood.common.segment.Topic;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.wire.Labels;
import io.cordwood.query.SegmentFixture;
import io.cordwood.query.TestCluster;
import io.cordwood.query.TestCluster.Node;
import io.cordwood.query.loki.LokiClient.Line;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/** A store and an ingest node with five records of two topics, and a third node that is asked. */
final class LokiCluster implements AutoCloseable {
  static final long FIRST = 1_700_000_000_000L;
  static final String START = Long.toString(FIRST * 1_000_000);
  static final String END = Long.toString((FIRST + 60_000) * 1_000_000);

  final TestCluster cluster = new TestCluster(1);
  final Node asked;

  static Batch batch(String topic, int millis, Map<String, String> labels, String... records) {
    return Records.lines(new Topic(topic), Ulid.firstOf(FIRST + millis), records)
        .labelled(Labels.of(labels));
  }

  LokiCluster() throws IOException {
    cluster.store(
        "store",
        new SegmentFixture(
            1,
            1,
            List.of(
                batch(
                    "shop",
                    0,
                    Map.of("app", "shop", "pod", "shop-1"),
                    "level=info msg=taken status=200 dur=20ms size=3KiB",
                    "payment failed  {\"trace_id\":\"4bf9\",\"n\":7}"),
                batch("shop", 1000, Map.of("app", "shop", "pod", "shop-2"), "a refused card"))));
    cluster.ingest(
        "ingest",
        SegmentFixture.unconsumed(
            List.of(
                List.of(
                    batch(
                        "pay",
                        2000,
                        Map.of("service_name", "payments"),
                        "{\"level\":\"error\",\"user\":{\"id\":17},\"status\":503}"),
                    batch("pay", 3000, Map.of(), "plain \u001b[31mred\u001b[0m card")))));
    asked = cluster.query("asked");
  }

  @Override
  public void close() {
    cluster.close();
  }

  LokiClient client() {
    return new LokiClient(asked.port());
  }

  List<Line> lines(String query, String... more) throws IOException {
    String[] pairs = new String[6 + more.length];
    System.arraycopy(new String[] {"query", query, "start", START, "end", END}, 0, pairs, 0, 6);
    System.arraycopy(more, 0, pairs, 6, more.length);
    return client().lines(path("query_range", pairs));
  }
}
