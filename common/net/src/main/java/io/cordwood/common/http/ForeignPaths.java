package io.cordwood.common.http;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Paths at which senders made for other servers expect them; all of them take records. */
public final class ForeignPaths {
  public static final String LOKI_PUSH = "/loki/api/v1/push";
  public static final String VICTORIA_LOKI = "/insert/loki/api/v1/push";

  public static final String JSON_LINE = "/insert/jsonline";

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

  /** All that need a token which may send. */
  public static final Set<String> ALL =
      Stream.of(
              List.of(LOKI_PUSH, VICTORIA_LOKI, JSON_LINE),
              List.of(SPLUNK_ACK),
              SPLUNK,
              List.of(DATADOG_VALIDATE),
              DATADOG)
          .flatMap(List::stream)
          .collect(Collectors.toUnmodifiableSet());

  private ForeignPaths() {}
}
