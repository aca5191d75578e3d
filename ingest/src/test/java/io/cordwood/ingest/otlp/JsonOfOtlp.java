package io.cordwood.ingest.otlp;

import com.google.protobuf.ByteString;
import io.cordwood.common.json.Json;
import io.opentelemetry.proto.collector.logs.v1.ExportLogsServiceRequest;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.InstrumentationScope;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.logs.v1.LogRecord;
import io.opentelemetry.proto.logs.v1.ResourceLogs;
import io.opentelemetry.proto.logs.v1.ScopeLogs;
import io.opentelemetry.proto.logs.v1.SeverityNumber;
import io.opentelemetry.proto.resource.v1.Resource;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** OTLP in JSON in all the ways in which senders write it, and its values as records have them. */
final class JsonOfOtlp {
  /** Names beside a text that are not those of attributes. */
  static final Set<String> OWN =
      Set.of(
          "time",
          "severity",
          "severity_number",
          "trace_id",
          "span_id",
          "logger",
          "scope_version",
          "scope_attributes",
          "scope_dropped_attributes_count",
          "event_name",
          "flags",
          "observed_time",
          "body",
          "dropped_attributes_count",
          "escapes");

  private final Random random;

  JsonOfOtlp(long seed) {
    random = new Random(seed);
  }

  String of(ExportLogsServiceRequest request) {
    return object(List.of(pair("resourceLogs", array(request.getResourceLogsList(), this::logs))));
  }

  private String logs(ResourceLogs logs) {
    Resource resource = logs.getResource();
    String attributes = pair("attributes", pairs(resource.getAttributesList()));
    String dropped = number("droppedAttributesCount", resource.getDroppedAttributesCount());
    return object(
        List.of(
            pair("resource", object(List.of(attributes, dropped))),
            pair("scopeLogs", array(logs.getScopeLogsList(), this::logs))));
  }

  private String logs(ScopeLogs logs) {
    InstrumentationScope scope = logs.getScope();
    List<String> pairs =
        List.of(
            pair("name", Json.quoted(scope.getName())),
            pair("version", Json.quoted(scope.getVersion())),
            pair("attributes", pairs(scope.getAttributesList())),
            number("droppedAttributesCount", scope.getDroppedAttributesCount()));
    return object(
        List.of(
            pair("scope", object(pairs)),
            pair("logRecords", array(logs.getLogRecordsList(), this::record))));
  }

  private String record(LogRecord log) {
    var pairs = new ArrayList<String>();
    pairs.add(number("timeUnixNano", Long.toUnsignedString(log.getTimeUnixNano())));
    pairs.add(number("observedTimeUnixNano", Long.toUnsignedString(log.getObservedTimeUnixNano())));
    SeverityNumber severity = log.getSeverityNumber();
    pairs.add(
        random.nextBoolean()
            ? pair("severityNumber", Json.quoted(severity.name()))
            : number("severityNumber", severity.getNumber()));
    pairs.add(pair("severityText", Json.quoted(log.getSeverityText())));
    pairs.add(pair("body", log.hasBody() ? value(log.getBody()) : "null"));
    pairs.add(pair("attributes", pairs(log.getAttributesList())));
    pairs.add(
        number(
            "droppedAttributesCount", Integer.toUnsignedString(log.getDroppedAttributesCount())));
    pairs.add(number("flags", Integer.toUnsignedString(log.getFlags())));
    pairs.add(pair("traceId", id(log.getTraceId())));
    pairs.add(pair("spanId", id(log.getSpanId())));
    pairs.add(pair("eventName", Json.quoted(log.getEventName())));
    return object(pairs);
  }

  private String id(ByteString id) {
    byte[] bytes = id.toByteArray();
    return Json.quoted(
        random.nextInt(3) > 0
            ? HexFormat.of().formatHex(bytes)
            : Base64.getEncoder().encodeToString(bytes));
  }

  private String pairs(List<KeyValue> pairs) {
    return array(
        pairs,
        pair ->
            object(
                List.of(
                    pair("key", Json.quoted(pair.getKey())),
                    pair("value", value(pair.getValue())))));
  }

  private String value(AnyValue value) {
    return switch (value.getValueCase()) {
      case STRING_VALUE -> "{" + pair("stringValue", Json.quoted(value.getStringValue())) + "}";
      case BOOL_VALUE -> "{" + pair("boolValue", "" + value.getBoolValue()) + "}";
      case INT_VALUE -> "{" + number("intValue", value.getIntValue()) + "}";
      case DOUBLE_VALUE -> "{" + real(value.getDoubleValue()) + "}";
      case BYTES_VALUE -> "{" + pair("bytesValue", base64(value)) + "}";
      case ARRAY_VALUE ->
          "{"
              + pair(
                  "arrayValue",
                  "{\"values\":" + array(value.getArrayValue().getValuesList(), this::value) + "}")
              + "}";
      case KVLIST_VALUE ->
          "{"
              + pair(
                  "kvlistValue",
                  "{\"values\":" + pairs(value.getKvlistValue().getValuesList()) + "}")
              + "}";
      default -> "{}";
    };
  }

  private String real(double value) {
    return Double.isFinite(value)
        ? number("doubleValue", Double.toString(value))
        : pair("doubleValue", Json.quoted(Double.toString(value)));
  }

  private static String base64(AnyValue value) {
    return Json.quoted(Base64.getEncoder().encodeToString(value.getBytesValue().toByteArray()));
  }

  /** Some write numbers as texts. */
  private String number(String name, Object number) {
    return pair(name, random.nextBoolean() ? Json.quoted(number.toString()) : number.toString());
  }

  /** Some write names as protobuf has them. */
  private String pair(String name, String json) {
    boolean isOfProtobuf = random.nextInt(4) == 0;
    String written =
        isOfProtobuf ? name.replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT) : name;
    return Json.quoted(written) + (random.nextBoolean() ? ": " : ":") + json;
  }

  /** Pairs in any order, and one that nobody knows. */
  private String object(List<String> pairs) {
    var all = new ArrayList<>(pairs);
    if (random.nextInt(5) == 0) {
      all.add("\"unknown\":{\"a\":[1,{}]}");
    }
    Collections.shuffle(all, random);
    return all.stream().collect(Collectors.joining(",", "{", "}"));
  }

  private static <T> String array(List<T> elements, Function<T, String> json) {
    return elements.stream().map(json).collect(Collectors.joining(",", "[", "]"));
  }

  /** As records have it. */
  static String plain(AnyValue value) {
    return switch (value.getValueCase()) {
      case STRING_VALUE -> plain(value.getStringValue());
      case BOOL_VALUE -> "" + value.getBoolValue();
      case INT_VALUE -> "" + value.getIntValue();
      case DOUBLE_VALUE ->
          Double.isFinite(value.getDoubleValue())
              ? "" + value.getDoubleValue()
              : "{\"$double\":\"" + value.getDoubleValue() + "\"}";
      case BYTES_VALUE -> "{\"$base64\":" + base64(value) + "}";
      case ARRAY_VALUE -> array(value.getArrayValue().getValuesList(), JsonOfOtlp::plain);
      case KVLIST_VALUE ->
          value.getKvlistValue().getValuesList().stream()
              .map(pair -> plain(signed(pair.getKey())) + ":" + plain(pair.getValue()))
              .collect(Collectors.joining(",", "{", "}"));
      default -> "null";
    };
  }

  private static String signed(String key) {
    return key.matches("\\$+(base64|double)") ? "$" + key : key;
  }

  private static String plain(String text) {
    return Json.quoted(text).replace(" {", " \\u007b");
  }
}
