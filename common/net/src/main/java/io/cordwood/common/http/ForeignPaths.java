package io.cordwood.common.http;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Paths at which senders made for other servers expect them; all of them take records. */
public final class ForeignPaths {
  public static final String LOKI_PUSH = "/loki/api/v1/push";
  public static final String VICTORIA_LOKI = "/insert/loki/api/v1/push";

  public static final String JSON_LINE = "/insert/jsonline";

  public static final String GELF = "/gelf";

  public static final String SPLUNK_ACK = "/services/collector/ack";

  /** Splunk's collector, but for {@link #SPLUNK_ACK} and {@link #SPLUNK_HEALTH}. */
  public static final List<String> SPLUNK =
      List.of(
          "/services/collector",
          "/services/collector/event",
          "/services/collector/event/1.0",
          "/services/collector/raw",
          "/services/collector/raw/1.0");

  /** Whether the collector takes events; needs no token, as in Splunk. */
  public static final List<String> SPLUNK_HEALTH =
      List.of("/services/collector/health", "/services/collector/health/1.0");

  public static final String DATADOG_VALIDATE = "/api/v1/validate";

  /** Datadog's API for logs. */
  public static final List<String> DATADOG = List.of("/api/v2/logs", "/v1/input");

  /** Below it all of Elasticsearch's are answered, too, as VictoriaLogs does. */
  public static final String ELASTIC_BELOW = "/insert/elasticsearch";

  /** Elasticsearch's, with {@code /{}} for an index. */
  public static final List<String> ELASTIC_BULK = List.of("/_bulk", "/{}/_bulk");

  /** Questions and settings of its clients, which come before they send. */
  public static final List<String> ELASTIC_ADMIN =
      List.of(
          "/_license",
          "/_xpack",
          "/_nodes",
          "/_nodes/*",
          "/_cluster/*",
          "/_index_template/*",
          "/_component_template/*",
          "/_template/*",
          "/_data_stream/*",
          "/_ilm/*",
          "/_ingest/*");

  /** Uploads of systemd-journal-upload. */
  public static final String JOURNAL = "/upload";

  public static final String INSERT_JOURNAL = "/insert/journald/upload";

  /** OpenTelemetry's, in JSON or protobuf; as VictoriaLogs and Loki have it, too. */
  public static final List<String> OTLP =
      List.of("/v1/logs", "/insert/opentelemetry/v1/logs", "/otlp/v1/logs");

  /** OpenTelemetry's over gRPC. */
  public static final String OTLP_GRPC =
      "/opentelemetry.proto.collector.logs.v1.LogsService/Export";

  /** All that need a token which may send. */
  public static final Set<String> ALL =
      Stream.of(
              List.of(LOKI_PUSH, VICTORIA_LOKI, JSON_LINE),
              List.of(GELF),
              List.of(SPLUNK_ACK),
              SPLUNK,
              List.of(DATADOG_VALIDATE),
              DATADOG,
              ELASTIC_BULK,
              ELASTIC_ADMIN,
              List.of(ELASTIC_BELOW, ELASTIC_BELOW + "/*"),
              List.of(JOURNAL, INSERT_JOURNAL),
              OTLP,
              List.of(OTLP_GRPC))
          .flatMap(List::stream)
          .collect(Collectors.toUnmodifiableSet());

  private static final Map<String, String> OF_ELASTIC =
      Map.of("x-elastic-product", "Elasticsearch");

  private ForeignPaths() {}

  /**
   * The headers that clients want in all answers, also in those that say no.
   *
   * @param uri its path and parameters
   */
  public static Map<String, String> headers(String uri) {
    return isElastic(path(uri)) ? OF_ELASTIC : Map.of();
  }

  /** The path of a URI that begins with it. */
  public static String path(String uri) {
    int query = uri.indexOf('?');
    return query < 0 ? uri : uri.substring(0, query);
  }

  /** Whether Elasticsearch's clients ask for it. */
  public static boolean isElastic(String path) {
    return path.startsWith("/_") || path.endsWith("/_bulk") || path.startsWith(ELASTIC_BELOW);
  }

  /** Whether Splunk's do. */
  public static boolean isSplunk(String path) {
    return path.startsWith(SPLUNK.getFirst());
  }

  /** Whether Datadog's do. */
  public static boolean isDatadog(String path) {
    return DATADOG.contains(path) || path.equals(DATADOG_VALIDATE);
  }
}
