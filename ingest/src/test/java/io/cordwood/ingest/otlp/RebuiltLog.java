package io.cordwood.ingest.otlp;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.cordwood.common.segment.Batch;
import io.cordwood.ingest.event.StoredEvent;
import io.opentelemetry.proto.collector.logs.v1.ExportLogsServiceRequest;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.ArrayValue;
import io.opentelemetry.proto.common.v1.InstrumentationScope;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.common.v1.KeyValueList;
import io.opentelemetry.proto.logs.v1.LogRecord;
import io.opentelemetry.proto.logs.v1.ResourceLogs;
import io.opentelemetry.proto.logs.v1.ScopeLogs;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/**
 * A log record as docs/format/foreign.md gives it back, of a record and its labels.
 *
 * @param resource texts of its attributes
 */
record RebuiltLog(Map<String, String> resource, InstrumentationScope scope, LogRecord log) {
  private static final long NEAR = 1_000_000_000;
  private static final long DAY_MILLIS = 86_400_000;
  private static final List<String> SEVERITIES =
      List.of("trace", "debug", "info", "warn", "error", "fatal");

  private long number() {
    return log.getAttributesList().stream()
        .filter(pair -> pair.getKey().equals("n"))
        .findFirst()
        .orElseThrow()
        .getValue()
        .getIntValue();
  }

  private static List<RebuiltLog> sorted(List<RebuiltLog> logs) {
    return logs.stream().sorted(Comparator.comparingLong(RebuiltLog::number)).toList();
  }

  /** What can be expected of a request: times to the millisecond, and one of two that are near. */
  static List<RebuiltLog> of(ExportLogsServiceRequest request) {
    var logs = new ArrayList<RebuiltLog>();
    for (ResourceLogs resource : request.getResourceLogsList()) {
      var labels = new TreeMap<String, String>();
      resource
          .getResource()
          .getAttributesList()
          .forEach(pair -> labels.put(pair.getKey(), text(pair.getValue())));
      if (resource.getResource().getDroppedAttributesCount() != 0) {
        labels.put("resource_dropped_attributes_count", "1");
      }
      for (ScopeLogs scope : resource.getScopeLogsList()) {
        for (LogRecord log : scope.getLogRecordsList()) {
          logs.add(new RebuiltLog(labels, scope.getScope(), expected(log)));
        }
      }
    }
    return sorted(logs);
  }

  private static String text(AnyValue value) {
    return value.hasStringValue() ? value.getStringValue() : JsonOfOtlp.plain(value);
  }

  private static LogRecord expected(LogRecord log) {
    var expected = log.toBuilder();
    long time = log.getTimeUnixNano();
    long observed = log.getObservedTimeUnixNano();
    if (time == 0) {
      expected.setTimeUnixNano(observed);
    }
    if (time == 0 || Math.abs(time - observed) <= NEAR) {
      expected.clearObservedTimeUnixNano();
    }
    long millis = Long.divideUnsigned(expected.getTimeUnixNano(), 1_000_000);
    if (Math.abs(millis - System.currentTimeMillis()) < DAY_MILLIS) {
      expected.setTimeUnixNano(millis * 1_000_000);
    }
    AnyValue body = log.getBody();
    boolean isEmpty = body.hasStringValue() && body.getStringValue().isEmpty();
    if (isEmpty || body.equals(AnyValue.getDefaultInstance())) {
      expected.clearBody();
    }
    return expected.build();
  }

  static List<RebuiltLog> of(List<Batch> batches) {
    var logs = new ArrayList<RebuiltLog>();
    for (Batch batch : batches) {
      for (String record : StoredEvent.texts(batch)) {
        logs.add(of(batch, record));
      }
    }
    return sorted(logs);
  }

  private static RebuiltLog of(Batch batch, String record) {
    int at = record.lastIndexOf("  {");
    List<KeyValue> all = pairs(record.substring(at + 2));
    var beside = new TreeMap<String, AnyValue>();
    all.forEach(pair -> beside.put(pair.getKey(), pair.getValue()));
    String text = record.substring(0, at);
    if (beside.containsKey("escapes")) {
      text = StoredEvent.unescaped(text);
    }
    var log = LogRecord.newBuilder();
    if (!text.isEmpty()) {
      log.setBody(beside.containsKey("body") ? json(text) : string(text));
    }
    fill(log, beside, batch.first().millis());
    for (KeyValue pair : all) {
      String key = pair.getKey();
      if (!JsonOfOtlp.OWN.contains(key)) {
        log.addAttributes(
            pair.toBuilder().setKey(key.startsWith("attr.") ? key.substring(5) : key));
      }
    }
    return new RebuiltLog(batch.labels().pairs(), scope(beside), log.build());
  }

  private static void fill(LogRecord.Builder log, Map<String, AnyValue> beside, long millis) {
    String severity = text(beside, "severity");
    log.setSeverityText(severity)
        .setSeverityNumberValue((int) number(beside, "severity_number", implied(severity)))
        .setTraceId(ByteString.fromHex(text(beside, "trace_id")))
        .setSpanId(ByteString.fromHex(text(beside, "span_id")))
        .setEventName(text(beside, "event_name"))
        .setFlags((int) number(beside, "flags", 0))
        .setDroppedAttributesCount((int) number(beside, "dropped_attributes_count", 0))
        .setObservedTimeUnixNano(nanos(text(beside, "observed_time")));
    String time = text(beside, "time");
    log.setTimeUnixNano(time.isEmpty() ? millis * 1_000_000 : nanos(time));
  }

  private static long nanos(String time) {
    if (time.isEmpty()) {
      return 0;
    }
    Instant instant = Instant.parse(time);
    return instant.getEpochSecond() * 1_000_000_000 + instant.getNano();
  }

  private static InstrumentationScope scope(Map<String, AnyValue> beside) {
    return InstrumentationScope.newBuilder()
        .setName(text(beside, "logger"))
        .setVersion(text(beside, "scope_version"))
        .setDroppedAttributesCount((int) number(beside, "scope_dropped_attributes_count", 0))
        .addAllAttributes(
            beside
                .getOrDefault("scope_attributes", AnyValue.getDefaultInstance())
                .getKvlistValue()
                .getValuesList())
        .build();
  }

  private static int implied(String severity) {
    String word = severity.toLowerCase(Locale.ROOT);
    int index = SEVERITIES.indexOf(word.replaceFirst("[234]$", ""));
    return index < 0
        ? 0
        : index * 4 + (word.matches(".*[234]") ? word.charAt(word.length() - 1) - '0' : 1);
  }

  private static String text(Map<String, AnyValue> beside, String name) {
    return beside.getOrDefault(name, AnyValue.getDefaultInstance()).getStringValue();
  }

  private static long number(Map<String, AnyValue> beside, String name, long usual) {
    return beside.containsKey(name) ? beside.get(name).getIntValue() : usual;
  }

  private static AnyValue string(String text) {
    return AnyValue.newBuilder().setStringValue(text).build();
  }

  private static AnyValue json(String json) {
    try (JsonParser parser = new JsonFactory().createParser(ObjectReadContext.empty(), json)) {
      parser.nextToken();
      AnyValue value = value(parser);
      assertThat(parser.nextToken()).isNull();
      return value;
    }
  }

  private static List<KeyValue> pairs(String json) {
    var pairs = new ArrayList<KeyValue>();
    try (JsonParser parser = new JsonFactory().createParser(ObjectReadContext.empty(), json)) {
      parser.nextToken();
      while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
        String key = parser.currentName();
        parser.nextToken();
        pairs.add(KeyValue.newBuilder().setKey(key).setValue(value(parser)).build());
      }
      assertThat(parser.nextToken()).isNull();
    }
    return pairs;
  }

  private static AnyValue value(JsonParser parser) {
    var value = AnyValue.newBuilder();
    switch (parser.currentToken()) {
      case VALUE_STRING -> value.setStringValue(parser.getString());
      case VALUE_TRUE, VALUE_FALSE -> value.setBoolValue(parser.getBooleanValue());
      case VALUE_NUMBER_INT -> value.setIntValue(parser.getLongValue());
      case VALUE_NUMBER_FLOAT -> value.setDoubleValue(parser.getDoubleValue());
      case START_ARRAY -> {
        var array = ArrayValue.newBuilder();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
          array.addValues(value(parser));
        }
        value.setArrayValue(array);
      }
      case START_OBJECT -> {
        return object(parser);
      }
      default -> {}
    }
    return value.build();
  }

  private static AnyValue object(JsonParser parser) {
    var list = KeyValueList.newBuilder();
    while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
      String key = parser.currentName();
      parser.nextToken();
      AnyValue value = value(parser);
      if (key.equals("$base64")) {
        byte[] bytes = Base64.getDecoder().decode(value.getStringValue());
        parser.nextToken();
        return AnyValue.newBuilder().setBytesValue(ByteString.copyFrom(bytes)).build();
      } else if (key.equals("$double")) {
        parser.nextToken();
        double number = Double.parseDouble(value.getStringValue());
        return AnyValue.newBuilder().setDoubleValue(number).build();
      }
      boolean isSigned = key.matches("\\$\\$+(base64|double)");
      list.addValues(
          KeyValue.newBuilder().setKey(isSigned ? key.substring(1) : key).setValue(value));
    }
    return AnyValue.newBuilder().setKvlistValue(list).build();
  }
}
