package io.cordwood.ingest.elastic;

import static org.assertj.core.api.Assertions.assertThat;

import co.elastic.clients.elasticsearch.ElasticsearchClient;
import co.elastic.clients.elasticsearch._helpers.bulk.BulkIngester;
import co.elastic.clients.elasticsearch._helpers.bulk.BulkListener;
import co.elastic.clients.elasticsearch.core.BulkRequest;
import co.elastic.clients.elasticsearch.core.BulkResponse;
import io.cordwood.ingest.event.StoredEvent;
import io.cordwood.ingest.node.HttpNodeFixture;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Elasticsearch's own client for Java sends to a node. */
class ElasticClientTest extends HttpNodeFixture {
  /** Results that the client reports. */
  private static final class Reported implements BulkListener<Integer> {
    private final Queue<Integer> statuses = new ConcurrentLinkedQueue<>();
    private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();

    @Override
    public void beforeBulk(long id, BulkRequest request, List<Integer> contexts) {}

    @Override
    public void afterBulk(
        long id, BulkRequest request, List<Integer> contexts, BulkResponse response) {
      assertThat(response.items()).hasSameSizeAs(request.operations());
      response.items().forEach(item -> statuses.add(item.status()));
    }

    @Override
    public void afterBulk(long id, BulkRequest request, List<Integer> contexts, Throwable failure) {
      failures.add(failure);
    }
  }

  private ElasticsearchClient client() {
    return ElasticsearchClient.of(
        to -> to.host("http://127.0.0.1:" + http.port() + "/insert/elasticsearch"));
  }

  private static Reported send(ElasticsearchClient client, int documents) {
    var reported = new Reported();
    try (BulkIngester<Integer> ingester =
        BulkIngester.of(of -> of.client(client).maxOperations(100).listener(reported))) {
      for (int i = 0; i < documents; i++) {
        Map<String, Object> document = Map.of("message", "line " + i, "host", Map.of("name", "h1"));
        ingester.add(
            operation -> operation.create(add -> add.index("logs-app").document(document)), i);
      }
    }
    return reported;
  }

  @Test
  void allDocumentsOfTheJavaClientAreStoredAndReportedAsSuch() throws Exception {
    try (ElasticsearchClient client = client()) {
      assertThat(client.info().version().number()).isEqualTo(ElasticHandshake.VERSION);
      Reported reported = send(client, 1000);
      assertThat(reported.failures).isEmpty();
      assertThat(reported.statuses).hasSize(1000).containsOnly(201);
    }
    List<StoredEvent> events = StoredEvent.of(http.node, 1000);
    assertThat(events)
        .allMatch(event -> event.topic().equals("logs-app"))
        .allMatch(event -> "h1".equals(event.labels().get("host.name")));
    assertThat(events.stream().map(event -> event.text().replaceAll(".*(line \\d+).*", "$1")))
        .containsExactlyInAnyOrderElementsOf(
            IntStream.range(0, 1000).mapToObj(i -> "line " + i).toList());
  }

  @Test
  void theJavaClientReportsAsFailedWhatIsNotTakenNow() throws Exception {
    http.node.node.stopTaking();
    try (ElasticsearchClient client = client()) {
      Reported reported = send(client, 1);
      assertThat(reported.statuses).isEmpty();
      assertThat(reported.failures)
          .singleElement()
          .satisfies(failure -> assertThat(failure).hasStackTraceContaining("503"));
    }
  }
}
