package io.cordwood.jmh;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Lines of 20 fields, in JSON or logfmt, or of Spring Boot with some of them, the same for the same
 * size. One in 5,000 has the level {@code fatal}, and one in 50 the status 503.
 */
public final class FieldLines {
  private static final String[] LEVELS = {"info", "info", "info", "warn", "debug"};
  private static final String[] METHODS = {"GET", "POST", "PUT"};
  private static final String[] PATHS = {"/v1/orders", "/v1/users", "/health", "/login", "/cart"};
  private static final int PIECE_LINES = 1000;
  private static final int SELDOM = 5000;

  private final Random random = new Random(1);
  private final Function<Map<String, Object>, String> form;

  private FieldLines(Function<Map<String, Object>, String> form) {
    this.form = form;
  }

  /** Lines in {@code json}, {@code logfmt} or {@code spring}. */
  static FieldLines of(String form) {
    return switch (form) {
      case "json" -> new FieldLines(FieldLines::json);
      case "logfmt" -> new FieldLines(FieldLines::logfmt);
      case "spring" -> new FieldLines(FieldLines::spring);
      default ->
          throw new IllegalArgumentException(
              "expected json, logfmt or spring, found \"" + form + "\"");
    };
  }

  /** Writes that many bytes of them, and the rest of a thousand lines, to standard output. */
  public static void main(String[] args) throws IOException {
    if (args.length != 2) {
      throw new IllegalArgumentException("expected json, logfmt or spring, and a number of bytes");
    }
    FieldLines lines = of(args[0]);
    long left = Long.parseLong(args[1]);
    OutputStream out = System.out;
    while (left > 0) {
      byte[] piece = lines.next();
      out.write(piece);
      left -= piece.length;
    }
    out.flush();
  }

  /** A thousand lines. */
  byte[] next() {
    var text = new StringBuilder();
    for (int i = 0; i < PIECE_LINES; i++) {
      text.append(form.apply(fields())).append('\n');
    }
    return text.toString().getBytes(StandardCharsets.US_ASCII);
  }

  private Map<String, Object> fields() {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put(
        "time", "2026-11-25T03:%02d:%02d.%03dZ".formatted(below(60), below(60), below(1000)));
    fields.put("level", below(SELDOM) == 0 ? "fatal" : oneOf(LEVELS));
    fields.put("service", "checkout-" + below(9));
    fields.put("host", "node-" + below(40));
    fields.put("pid", 1000 + below(9000));
    fields.put("thread", "worker-" + below(32));
    fields.put("logger", "io.example.http.AccessHandler");
    fields.put("msg", "request served in time");
    fields.put("method", oneOf(METHODS));
    fields.put("path", oneOf(PATHS));
    fields.put("status", below(50) == 0 ? 503 : 200);
    fields.put("dur", below(2000) + "ms");
    fields.put("bytes", below(100_000));
    fields.put("user", below(100_000));
    fields.put("trace", Long.toHexString(random.nextLong()));
    fields.put("span", Long.toHexString(random.nextLong()));
    fields.put("region", "eu-central-1");
    fields.put("zone", "eu-central-1" + (char) ('a' + below(3)));
    fields.put("version", "1.4." + below(20));
    fields.put("remote", "10.%d.%d.%d".formatted(below(256), below(256), below(256)));
    return fields;
  }

  private int below(int bound) {
    return random.nextInt(bound);
  }

  private String oneOf(String[] all) {
    return all[random.nextInt(all.length)];
  }

  private static String json(Map<String, Object> fields) {
    return fields.entrySet().stream()
        .map(field -> "\"" + field.getKey() + "\":" + jsonValue(field.getValue()))
        .collect(Collectors.joining(",", "{", "}"));
  }

  private static String jsonValue(Object value) {
    return value instanceof Integer ? value.toString() : "\"" + value + "\"";
  }

  private static String logfmt(Map<String, Object> fields) {
    return fields.entrySet().stream()
        .map(field -> field.getKey() + "=" + logfmtValue(field.getValue().toString()))
        .collect(Collectors.joining(" "));
  }

  private static String spring(Map<String, Object> fields) {
    return "%s %5s %s --- [shop] [%s] %s : %s, %s %s took %s, %s bytes"
        .formatted(
            fields.get("time"),
            String.valueOf(fields.get("level")).toUpperCase(Locale.ROOT),
            fields.get("pid"),
            fields.get("thread"),
            fields.get("logger"),
            fields.get("msg"),
            fields.get("method"),
            fields.get("path"),
            fields.get("dur"),
            fields.get("bytes"));
  }

  private static String logfmtValue(String value) {
    return value.contains(" ") ? "\"" + value + "\"" : value;
  }
}
