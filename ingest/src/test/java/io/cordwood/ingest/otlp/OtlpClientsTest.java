package io.cordwood.ingest.otlp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cordwood.common.file.FaultyFilesystem;
import io.cordwood.common.file.FaultyFilesystem.Call;
import io.cordwood.common.segment.Batch;
import io.cordwood.ingest.IngestOptions;
import io.cordwood.ingest.IngestOptions.Committing;
import io.cordwood.ingest.event.StoredEvent;
import io.cordwood.ingest.node.HttpNode;
import io.cordwood.ingest.node.RunningNode;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.logs.Severity;
import io.opentelemetry.exporter.otlp.http.logs.OtlpHttpLogRecordExporter;
import io.opentelemetry.exporter.otlp.logs.OtlpGrpcLogRecordExporter;
import io.opentelemetry.sdk.common.export.RetryPolicy;
import io.opentelemetry.sdk.logs.SdkLoggerProvider;
import io.opentelemetry.sdk.logs.export.BatchLogRecordProcessor;
import io.opentelemetry.sdk.logs.export.LogRecordExporter;
import io.opentelemetry.sdk.resources.Resource;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** OpenTelemetry's SDK sends to a node whose disk fails once meanwhile, and loses nothing. */
class OtlpClientsTest {
  private static final int RECORDS = 2000;
  private static final Duration PATIENCE = RunningNode.PATIENCE;
  private static final RetryPolicy RETRY =
      RetryPolicy.builder()
          .setMaxAttempts(5)
          .setInitialBackoff(Duration.ofMillis(100))
          .setMaxBackoff(Duration.ofSeconds(10))
          .build();

  @TempDir Path folder;

  @Test
  void overHttp() throws Exception {
    assertNothingIsLost(port -> http(port, "none"));
  }

  @Test
  void overHttpPacked() throws Exception {
    assertNothingIsLost(port -> http(port, "gzip"));
  }

  @Test
  void overGrpc() throws Exception {
    assertNothingIsLost(port -> grpc(port, "none"));
  }

  @Test
  void overGrpcPacked() throws Exception {
    assertNothingIsLost(port -> grpc(port, "gzip"));
  }

  private static LogRecordExporter http(int port, String compression) {
    return OtlpHttpLogRecordExporter.builder()
        .setEndpoint("http://127.0.0.1:" + port + "/v1/logs")
        .setCompression(compression)
        .setTimeout(PATIENCE)
        .setRetryPolicy(RETRY)
        .build();
  }

  private static LogRecordExporter grpc(int port, String compression) {
    return OtlpGrpcLogRecordExporter.builder()
        .setEndpoint("http://127.0.0.1:" + port)
        .setCompression(compression)
        .setTimeout(PATIENCE)
        .setRetryPolicy(RETRY)
        .build();
  }

  private void assertNothingIsLost(IntFunction<LogRecordExporter> client) throws Exception {
    var failing = new AtomicBoolean();
    var files =
        new FaultyFilesystem((call, _) -> call == Call.FORCE && failing.compareAndSet(true, false));
    IngestOptions options =
        RunningNode.options(folder)
            .with(new Committing(Duration.ZERO, 16 << 20, Duration.ofMillis(20)));
    try (var http = new HttpNode(options, files);
        var logs = logger(client.apply(http.port()))) {
      send(logs, 0);
      flush(logs);
      failing.set(true);
      send(logs, RECORDS / 2);
      var _ = logs.forceFlush();
      await().until(() -> !failing.get());
      Set<String> stored = new HashSet<>();
      await()
          .until(() -> {
            flush(logs); // Once is not enough while it exports: it leaves some in its queue.
            for (Batch batch : http.node.consumeWaiting()) {
              assertThat(batch.topic().name()).isEqualTo("shop");
              stored.addAll(StoredEvent.texts(batch));
            }
            return stored.size() >= RECORDS;
          });
      assertThat(stored).isEqualTo(sent());
      http.node.assertLedgerIsExact();
    }
  }

  private static void flush(SdkLoggerProvider logs) {
    assertThat(logs.forceFlush().join(PATIENCE.toSeconds(), TimeUnit.SECONDS).isSuccess()).isTrue();
  }

  private static SdkLoggerProvider logger(LogRecordExporter exporter) {
    return SdkLoggerProvider.builder()
        .setResource(
            Resource.create(
                Attributes.of(
                    AttributeKey.stringKey("service.name"),
                    "shop",
                    AttributeKey.longKey("process.pid"),
                    17L)))
        .addLogRecordProcessor(
            BatchLogRecordProcessor.builder(exporter)
                .setMaxQueueSize(RECORDS)
                .setScheduleDelay(Duration.ofHours(1))
                .setExporterTimeout(PATIENCE)
                .build())
        .build();
  }

  private static Set<String> sent() {
    return IntStream.range(0, RECORDS)
        .mapToObj(i ->
            "payment %d failed  {\"severity\":\"ERROR\",\"logger\":\"com.example.Pay\""
                .concat(",\"order.id\":%d}")
                .formatted(i, i))
        .collect(Collectors.toSet());
  }

  private static void send(SdkLoggerProvider logs, int first) {
    var logger = logs.get("com.example.Pay");
    IntStream.range(first, first + RECORDS / 2)
        .forEach(i ->
            logger
                .logRecordBuilder()
                .setSeverity(Severity.ERROR)
                .setSeverityText("ERROR")
                .setAttribute(AttributeKey.longKey("order.id"), (long) i)
                .setBody("payment " + i + " failed")
                .emit());
  }
}
