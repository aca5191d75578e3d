package io.cordwood.ingest.node;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;

/** Requests of each protocol that comes over HTTP, with a record that says what a test wants. */
enum HostileBody {
  JSON_LINE("/insert/jsonline", Time.TEXT, "{\"_time\":\"TIME\",MEMBERS}\n"),
  LOKI(
      "/loki/api/v1/push",
      Time.NANOS,
      "{\"streams\":[{\"stream\":{\"app\":\"x\"},\"values\":[[\"TIME\",\"x\",{MEMBERS}]]}]}"),
  SPLUNK(
      "/services/collector",
      Time.SECONDS,
      "{\"time\":\"TIME\",\"event\":\"x\",\"fields\":{MEMBERS}}"),
  DATADOG("/api/v2/logs", Time.MILLIS, "[{\"message\":\"x\",\"timestamp\":TIME,MEMBERS}]"),
  ELASTIC("/x/_bulk", Time.TEXT, "{\"create\":{}}\n{\"@timestamp\":\"TIME\",MEMBERS}\n"),
  GELF("/gelf", Time.SECONDS, "{\"host\":\"h\",\"timestamp\":TIME,MEMBERS}"),
  OTLP(
      "/v1/logs",
      Time.NANOS,
      "{\"resourceLogs\":[{\"scopeLogs\":[{\"logRecords\":[{\"timeUnixNano\":\"TIME\","
          + "\"attributes\":[MEMBERS]}]}]}]}"),
  JOURNAL("/upload", Time.MICROS, "__REALTIME_TIMESTAMP=TIME\nMESSAGE=x\nMEMBERS\n\n");

  private enum Time {
    TEXT,
    SECONDS,
    MILLIS,
    MICROS,
    NANOS;

    String of(Instant time) {
      return switch (this) {
        case TEXT -> time.toString();
        case SECONDS -> Long.toString(time.getEpochSecond());
        case MILLIS -> Long.toString(time.toEpochMilli());
        case MICROS -> Long.toString(ChronoUnit.MICROS.between(Instant.EPOCH, time));
        case NANOS -> Long.toUnsignedString(time.getEpochSecond() * 1_000_000_000L);
      };
    }
  }

  private final String path;
  private final Time time;
  private final String form;

  HostileBody(String path, Time time, String form) {
    this.path = path;
    this.time = time;
    this.form = form;
  }

  String path() {
    return path;
  }

  String type() {
    return this == JOURNAL ? "application/vnd.fdo.journal" : "application/json";
  }

  private String member(String name, String text) {
    return switch (this) {
      case OTLP -> "{\"key\":\"" + name + "\",\"value\":{\"stringValue\":\"" + text + "\"}}";
      case JOURNAL -> name.toUpperCase(Locale.ROOT) + "=" + text;
      default -> "\"" + name + "\":\"" + text + "\"";
    };
  }

  private byte[] of(Instant when, String members) {
    return form.replace("TIME=TIME", "TIME=" + time.of(when))
        .replace("\"TIME\"", "\"" + time.of(when) + "\"")
        .replace(":TIME,", ":" + time.of(when) + ",")
        .replace("MEMBERS", members)
        .getBytes(StandardCharsets.ISO_8859_1);
  }

  /** A record of a time. */
  byte[] at(Instant when) {
    return of(when, member("a", "b"));
  }

  /** A record that has a text, the characters of which are bytes. */
  byte[] with(String text) {
    return of(Instant.now(), member("a", text));
  }

  private String separator() {
    return this == JOURNAL ? "\n" : ",";
  }

  /** A record that has the same name twice. */
  byte[] twice() {
    return of(Instant.now(), member("a", "1") + separator() + member("a", "2"));
  }

  /** A record with so many names. */
  byte[] many(int count) {
    var all = new StringBuilder();
    for (int i = 0; i < count; i++) {
      all.append(i == 0 ? "" : separator()).append(member("k" + i, ""));
    }
    return of(Instant.now(), all.toString());
  }

  /** A record with a value that has so many within each other. */
  byte[] deep(int levels) {
    String begin = this == OTLP ? "{\"arrayValue\":{\"values\":[" : "[";
    String end = this == OTLP ? "]}}" : "]";
    String value = begin.repeat(levels) + (this == OTLP ? "{}" : "") + end.repeat(levels);
    String member =
        switch (this) {
          case OTLP -> "{\"key\":\"a\",\"value\":" + value + "}";
          case JOURNAL -> "A=" + value;
          default -> "\"a\":" + value;
        };
    return of(Instant.now(), member);
  }
}
