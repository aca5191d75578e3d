package io.cordwood.ingest.otlp;

import com.google.protobuf.ByteString;
import io.opentelemetry.proto.collector.logs.v1.ExportLogsServiceRequest;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.ArrayValue;
import io.opentelemetry.proto.common.v1.InstrumentationScope;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.common.v1.KeyValueList;
import io.opentelemetry.proto.logs.v1.LogRecord;
import io.opentelemetry.proto.logs.v1.ResourceLogs;
import io.opentelemetry.proto.logs.v1.ScopeLogs;
import io.opentelemetry.proto.resource.v1.Resource;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;

/** Requests with whatever OTLP can say. */
final class RandomLogs {
  private static final String[] PIECES = {
    " ", "  ", "{", "}", "\"", "\\", "\n", "\0", "a", "0", "  {\"a\":1}", "é", "\t", "$", "𝄞"
  };
  private static final String[] KEYS = {
    "severity",
    "time",
    "attr.time",
    "attr",
    "a.b",
    "http.request.method",
    "é",
    "",
    "body",
    "x y",
    "logger",
    "escapes",
    "$base64",
    "flags",
    "k",
    "app.name",
    "attr.attr.x"
  };
  private static final String[] SEVERITIES = {
    "", "INFO", "error", "Warn3", "notice", "FATAL4", "ERROR1", "2", "trace2"
  };

  private final Random random;
  private final long nowMillis = System.currentTimeMillis();
  private int number;

  RandomLogs(long seed) {
    random = new Random(seed);
  }

  /** A request with so many log records, each with its number as the attribute {@code n}. */
  ExportLogsServiceRequest request(int records) {
    var request = ExportLogsServiceRequest.newBuilder();
    int left = records;
    while (left > 0) {
      var logs = ResourceLogs.newBuilder().setResource(resource()).setSchemaUrl(text());
      for (int scopes = random.nextInt(3); scopes >= 0 && left > 0; scopes--) {
        var scope = ScopeLogs.newBuilder().setScope(scope());
        for (int n = Math.min(left, random.nextInt(20)); n > 0; n--) {
          scope.addLogRecords(record());
          left--;
        }
        logs.addScopeLogs(scope);
      }
      request.addResourceLogs(logs);
    }
    return request.build();
  }

  private Resource resource() {
    var resource = Resource.newBuilder().setDroppedAttributesCount(random.nextInt(2));
    for (int n = random.nextInt(4); n > 0; n--) {
      AnyValue value = random.nextBoolean() ? string("v" + random.nextInt(3)) : value(2);
      if (value.hasStringValue() && value.getStringValue().matches("(?s).*[\\n\\x00].*")) {
        value = string("plain");
      }
      resource.addAttributes(
          KeyValue.newBuilder().setKey("r" + n + (n == 1 ? ".x" : "")).setValue(value));
    }
    return resource.build();
  }

  private InstrumentationScope scope() {
    return InstrumentationScope.newBuilder()
        .setName(text())
        .setVersion(random.nextBoolean() ? "" : text())
        .addAllAttributes(pairs().values())
        .setDroppedAttributesCount(random.nextInt(2))
        .build();
  }

  private LogRecord record() {
    var record =
        LogRecord.newBuilder()
            .setSeverityNumberValue(random.nextInt(25))
            .setSeverityText(SEVERITIES[random.nextInt(SEVERITIES.length)])
            .addAllAttributes(pairs().values())
            .addAttributes(KeyValue.newBuilder().setKey("n").setValue(number(number++)))
            .setDroppedAttributesCount(random.nextInt(4) == 0 ? -1 : 0)
            .setFlags(random.nextInt(3) - 1)
            .setTraceId(id(16))
            .setSpanId(id(8))
            .setEventName(random.nextInt(3) == 0 ? text() : "");
    if (random.nextInt(8) > 0) {
      record.setBody(random.nextInt(3) > 0 ? string(text()) : value(0));
    }
    setTimes(record);
    return record.build();
  }

  private void setTimes(LogRecord.Builder record) {
    long near = (nowMillis - random.nextInt((int) Duration.ofHours(20).toMillis())) * 1_000_000L;
    long[] times = {0, near, near, near, 1, -1, 1_000_000_000L, 4_102_444_800_123_456_789L};
    long time = times[random.nextInt(times.length)];
    record.setTimeUnixNano(time);
    long[] observed = {near, time, time + 999_999_999, time + 1_000_000_001, time};
    record.setObservedTimeUnixNano(observed[time == 0 ? 0 : random.nextInt(observed.length)]);
  }

  private ByteString id(int bytes) {
    byte[] id = new byte[random.nextBoolean() ? bytes : 0];
    random.nextBytes(id);
    return ByteString.copyFrom(id);
  }

  private Map<String, KeyValue> pairs() {
    var pairs = new LinkedHashMap<String, KeyValue>();
    for (int n = random.nextInt(5); n > 0; n--) {
      String key = random.nextInt(4) > 0 ? KEYS[random.nextInt(KEYS.length)] : "x" + text();
      pairs.put(key, KeyValue.newBuilder().setKey(key).setValue(value(0)).build());
    }
    return pairs;
  }

  private AnyValue value(int depth) {
    return switch (random.nextInt(depth > 3 ? 6 : 8)) {
      case 0 -> number(random.nextBoolean() ? random.nextLong() : random.nextInt(10));
      case 1 -> AnyValue.newBuilder().setBoolValue(random.nextBoolean()).build();
      case 2 -> AnyValue.newBuilder().setDoubleValue(real()).build();
      case 3 -> AnyValue.newBuilder().setBytesValue(ByteString.copyFromUtf8(text())).build();
      case 4 -> AnyValue.getDefaultInstance();
      case 5 -> string(text());
      case 6 -> {
        var array = ArrayValue.newBuilder();
        for (int n = random.nextInt(4); n > 0; n--) {
          array.addValues(value(depth + 1));
        }
        yield AnyValue.newBuilder().setArrayValue(array).build();
      }
      default -> AnyValue.newBuilder().setKvlistValue(list(depth)).build();
    };
  }

  private KeyValueList list(int depth) {
    var list = KeyValueList.newBuilder();
    for (int n = random.nextInt(4); n > 0; n--) {
      String key = KEYS[random.nextInt(KEYS.length)] + (random.nextInt(3) == 0 ? text() : "");
      list.addValues(KeyValue.newBuilder().setKey(key).setValue(value(depth + 1)));
    }
    return list.build();
  }

  private double real() {
    double[] odd = {
      0, -0.0, 1, Double.NaN, Double.NEGATIVE_INFINITY, 1e300, Double.MIN_VALUE, -1.5
    };
    return random.nextBoolean() ? odd[random.nextInt(odd.length)] : random.nextGaussian();
  }

  private static AnyValue string(String text) {
    return AnyValue.newBuilder().setStringValue(text).build();
  }

  private static AnyValue number(long number) {
    return AnyValue.newBuilder().setIntValue(number).build();
  }

  private String text() {
    var text = new StringBuilder();
    for (int n = random.nextInt(8); n > 0; n--) {
      text.append(PIECES[random.nextInt(PIECES.length)]);
    }
    return text.toString();
  }
}
