package io.cordwood.ingest.node;

import static org.assertj.core.api.Assertions.assertThat;

import co.elastic.clients.elasticsearch.ElasticsearchClient;
import co.elastic.clients.elasticsearch._helpers.bulk.BulkIngester;
import co.elastic.clients.elasticsearch._helpers.bulk.BulkListener;
import co.elastic.clients.elasticsearch.core.BulkRequest;
import co.elastic.clients.elasticsearch.core.BulkResponse;
import io.opentelemetry.exporter.otlp.http.logs.OtlpHttpLogRecordExporter;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.common.export.RetryPolicy;
import io.opentelemetry.sdk.logs.SdkLoggerProvider;
import io.opentelemetry.sdk.logs.data.LogRecordData;
import io.opentelemetry.sdk.logs.export.BatchLogRecordProcessor;
import io.opentelemetry.sdk.logs.export.LogRecordExporter;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.komamitsu.fluency.Fluency;
import org.komamitsu.fluency.fluentd.FluencyBuilderForFluentd;

/** Clients of other protocols send while the node is killed; what they were told is true. */
final class KilledNodeTest extends KilledNodeFixture {
  @Test
  void fluencyLosesNothingAndDoublesNothing() throws Exception {
    var builder = new FluencyBuilderForFluentd();
    builder.setAckResponseMode(true);
    builder.setBufferChunkRetentionTimeMillis(100);
    builder.setSenderBaseRetryIntervalMillis(10);
    builder.setSenderMaxRetryIntervalMillis(500);
    builder.setSenderMaxRetryCount(1000);
    builder.setWaitUntilBufferFlushed(120);
    builder.setWaitUntilFlusherTerminated(120);
    try (Fluency fluency = builder.build("127.0.0.1", node().fluentPort())) {
      send(i -> emit(fluency, i));
      fluency.flush();
    }
    List<Integer> stored = stored();
    assertThat(lost("Fluency", ALL, stored)).isEmpty();
    assertThat(stored).doesNotHaveDuplicates();
  }

  private static void emit(Fluency fluency, int number) {
    try {
      fluency.emit("app", Map.of("message", "number " + number));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** Notes what the SDK takes for exported. */
  private record Noting(LogRecordExporter exporter, Set<Integer> told)
      implements LogRecordExporter {
    @Override
    public CompletableResultCode export(Collection<LogRecordData> logs) {
      List<Integer> numbers =
          logs.stream().map(log -> number(String.valueOf(log.getBodyValue()))).toList();
      CompletableResultCode result = exporter.export(logs);
      return result.whenComplete(() -> {
        if (result.isSuccess()) {
          told.addAll(numbers);
        }
      });
    }

    @Override
    public CompletableResultCode flush() {
      return exporter.flush();
    }

    @Override
    public CompletableResultCode shutdown() {
      return exporter.shutdown();
    }
  }

  @Test
  void whatOpenTelemetryTakesForExportedIsThere() throws Exception {
    Set<Integer> told = ConcurrentHashMap.newKeySet();
    LogRecordExporter exporter =
        OtlpHttpLogRecordExporter.builder()
            .setEndpoint("http://127.0.0.1:" + node().apiPort() + "/v1/logs")
            .setTimeout(RunningNode.PATIENCE)
            .setRetryPolicy(
                RetryPolicy.builder()
                    .setMaxAttempts(5)
                    .setInitialBackoff(Duration.ofSeconds(2))
                    .setMaxBackoff(Duration.ofSeconds(20))
                    .build())
            .build();
    var processor =
        BatchLogRecordProcessor.builder(new Noting(exporter, told))
            .setMaxQueueSize(RECORDS)
            .setScheduleDelay(Duration.ofMillis(50))
            .setExporterTimeout(RunningNode.PATIENCE)
            .build();
    try (var logs = SdkLoggerProvider.builder().addLogRecordProcessor(processor).build()) {
      var logger = logs.get("app");
      send(i -> logger.logRecordBuilder().setBody("number " + i).emit());
      assertThat(logs.shutdown().join(PATIENCE.toSeconds(), TimeUnit.SECONDS).isDone()).isTrue();
    }
    assertThat(told).isNotEmpty();
    assertThat(lost("OpenTelemetry", told, stored())).isEmpty();
  }

  /** Notes which documents have the status 201. */
  private record Created(Set<Integer> told) implements BulkListener<Integer> {
    @Override
    public void beforeBulk(long id, BulkRequest request, List<Integer> numbers) {}

    @Override
    public void afterBulk(
        long id, BulkRequest request, List<Integer> numbers, BulkResponse response) {
      for (int i = 0; i < numbers.size(); i++) {
        if (response.items().get(i).status() == 201) {
          told.add(numbers.get(i));
        }
      }
    }

    @Override
    public void afterBulk(long id, BulkRequest request, List<Integer> numbers, Throwable failure) {}
  }

  @Test
  void documentsThatElasticsClientTakesForCreatedAreThere() throws Exception {
    Set<Integer> told = ConcurrentHashMap.newKeySet();
    String host = "http://127.0.0.1:" + node().apiPort() + "/insert/elasticsearch";
    try (ElasticsearchClient client = ElasticsearchClient.of(to -> to.host(host));
        BulkIngester<Integer> ingester =
            BulkIngester.of(
                of -> of.client(client).maxOperations(100).listener(new Created(told)))) {
      send(i -> {
        Map<String, Object> document = Map.of("message", "number " + i);
        ingester.add(operation -> operation.create(add -> add.index("app").document(document)), i);
      });
    }
    assertThat(told).isNotEmpty();
    assertThat(lost("elasticsearch-java", told, stored())).isEmpty();
  }
}
