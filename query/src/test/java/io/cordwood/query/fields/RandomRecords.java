package io.cordwood.query.fields;

import io.cordwood.common.wire.Labels;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/** Random records of every form, and the fields that a naive reader sees in them. */
public final class RandomRecords {
  private static final List<String> KEYS =
      List.of("a", "b", "a.b", "kind", "status", "user", "id", "path", "dur", "\u00fcber", "k\"");
  private static final List<String> WORDS =
      List.of("error", "info", "warn", "timeout after 30 s", "/a/b?c=1", "J\u00fcrgen", "");
  private static final List<String> NUMBERS =
      List.of("0", "200", "404", "503", "-1.5", "1e3", "12345678901234567890", "0.1");
  private static final List<String> QUANTITIES = List.of("1.5s", "200ms", "10KiB", "1m30s", "3h");

  /** What counts, and what is written. */
  private static final List<Field> LEVELS =
      List.of(
          new Field("error", "ERROR"),
          new Field("error", "FATAL"),
          new Field("warn", "WARNING"),
          new Field("info", "INFO"),
          new Field("debug", "TRACE"));

  private static final JsonFactory JSON = new JsonFactory();

  private final SplittableRandom random;

  public RandomRecords(long seed) {
    this.random = new SplittableRandom(seed);
  }

  /** A record's text and its fields, in the order in which they count. */
  public record Sample(String text, List<Field> fields, Labels labels) {
    Sample(String text, List<Field> fields) {
      this(text, fields, Labels.NONE);
    }

    public Sample of(Labels others) {
      return new Sample(text, fields, others);
    }

    public byte[] bytes() {
      return text.getBytes(StandardCharsets.UTF_8);
    }

    /** The value of a label, or of a field, or else of its label; null if there is none. */
    public @Nullable String value(String name) {
      return values(name).findFirst().orElse(null);
    }

    /** All of a field, of which only the first counts, but for the level. */
    Stream<String> values(String name) {
      if (name.startsWith("@")) {
        return Stream.ofNullable(labels.pairs().get(name.substring(1)));
      }
      List<String> own =
          fields.stream().filter(field -> field.name().equals(name)).map(Field::value).toList();
      return own.isEmpty() ? Stream.ofNullable(labels.pairs().get(name)) : own.stream();
    }
  }

  /** A field of a record. */
  public record Field(String name, String value) {}

  public Sample next() {
    return switch (random.nextInt(10)) {
      case 0, 1, 2 -> json("");
      case 3 -> json("2026-11-25 host stdout F ");
      case 4, 5 -> logfmt();
      case 6 -> accessLog();
      case 7, 8 -> plain();
      default -> text(oneOf(WORDS), new ArrayList<>());
    };
  }

  /** Labels with some of the names and values that fields have. */
  public Labels labels() {
    Map<String, String> pairs = new TreeMap<>();
    for (int i = random.nextInt(5); i > 0; i--) {
      pairs.put(label(), text().replace("\n", ""));
    }
    return Labels.of(pairs);
  }

  public String label() {
    return oneOf(List.of("a", "b", "a.b", "level", "status", "user", "id", "method", "pod"));
  }

  /** A text without a form is its message. */
  private static Sample text(String text, List<Field> fields) {
    if (!text.isEmpty()) {
      fields.add(new Field("message", text));
    }
    return new Sample(text, fields);
  }

  public String name() {
    String name = oneOf(KEYS);
    return switch (random.nextInt(7)) {
      case 6 -> oneOf(List.of("level", "level", "time", "thread", "logger", "message"));
      case 0 -> name + "." + oneOf(KEYS);
      case 1 -> name + "[" + random.nextInt(3) + "]";
      case 2 -> oneOf(List.of("method", "remote", "size", "agent", "vhost", "none"));
      default -> name;
    };
  }

  public String text() {
    return switch (random.nextInt(6)) {
      case 5 -> oneOf(List.of("main", "a.b.Shop", "fatal", "E", "debug"));
      case 0 -> oneOf(NUMBERS);
      case 1 -> oneOf(QUANTITIES);
      case 2 -> oneOf(WORDS) + "\"\\\n\t\ud83d\ude00";
      default -> oneOf(WORDS);
    };
  }

  <T> T oneOf(List<T> all) {
    return all.get(random.nextInt(all.size()));
  }

  private Sample json(String before) {
    var text = new StringBuilder(before);
    object(text, 0);
    List<Field> fields = parse(text.substring(before.length()));
    return before.isEmpty() ? new Sample(text.toString(), fields) : text(text.toString(), fields);
  }

  private void object(StringBuilder text, int depth) {
    text.append('{').append(space());
    int count = random.nextInt(7);
    for (int i = 0; i < count; i++) {
      text.append(i > 0 ? "," + space() : "");
      quote(text, oneOf(KEYS));
      text.append(space()).append(':').append(space());
      value(text, depth);
      text.append(space());
    }
    text.append('}');
  }

  private void value(StringBuilder text, int depth) {
    int kind = random.nextInt(depth < 3 ? 8 : 6);
    switch (kind) {
      case 0 -> text.append(oneOf(List.of("true", "false", "null")));
      case 1, 2 -> text.append(oneOf(NUMBERS));
      case 6 -> object(text, depth + 1);
      case 7 -> {
        text.append('[');
        int count = random.nextInt(3);
        for (int i = 0; i < count; i++) {
          text.append(i > 0 ? "," : "").append(space());
          value(text, depth + 1);
          text.append(space());
        }
        text.append(']');
      }
      default -> quote(text, text());
    }
  }

  private String space() {
    return random.nextInt(6) == 0 ? " " : "";
  }

  /** In quotes, with escapes that must be, and some that need not. */
  private void quote(StringBuilder text, String value) {
    text.append('"');
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      boolean half = Character.isSurrogate(c);
      if (c == '\n' || c == '\t') {
        text.append(c == '\n' ? "\\n" : "\\t");
      } else if (!half && random.nextInt(30) == 0) {
        text.append("\\u%04x".formatted((int) c));
      } else if (c == '"' || c == '\\') {
        text.append('\\').append(c);
      } else {
        text.append(c);
      }
    }
    text.append('"');
  }

  private Sample logfmt() {
    var text = new StringBuilder(oneOf(List.of("", "", "at 10:00 [main] ")));
    List<Field> fields = new ArrayList<>();
    int count = random.nextInt(7);
    for (int i = 0; i < count; i++) {
      String name = oneOf(KEYS).replace("\"", "");
      String value = text();
      boolean bare = value.matches("[^\\s\"\\\\]*") && random.nextBoolean();
      text.append(name).append('=');
      if (bare) {
        text.append(value);
      } else {
        quote(text, value);
      }
      text.append(' ');
      fields.add(new Field(name, value));
    }
    return text(text.toString(), fields);
  }

  private Sample accessLog() {
    String status = oneOf(List.of("200", "404", "503"));
    String path = oneOf(List.of("/", "/a/b?status=1", "/error"));
    String size = oneOf(List.of("-", "17", "4711"));
    String agent = oneOf(List.of("Mozilla/5.0 (X11)", "curl/8"));
    boolean hosted = agent.startsWith("curl");
    String time = "10/Oct/2026:13:55:36 +0200";
    String request = "GET " + path + " HTTP/1.1";
    List<Field> fields = new ArrayList<>();
    if (hosted) {
      fields.add(new Field("vhost", "info.example"));
    }
    fields.add(new Field("remote", "192.0.2.1"));
    fields.add(new Field("time", time));
    fields.add(new Field("request", request));
    fields.add(new Field("method", "GET"));
    fields.add(new Field("path", path));
    fields.add(new Field("protocol", "HTTP/1.1"));
    fields.add(new Field("status", status));
    if (!size.equals("-")) {
      fields.add(new Field("size", size));
    }
    fields.add(new Field("agent", agent));
    fields.add(new Field("dur", "0.1"));
    fields.add(new Field("message", request));
    return new Sample(
        (hosted ? "info.example:443 " : "")
            + "192.0.2.1 - - [%s] \"%s\" %s %s \"-\" \"%s\" dur=0.1"
                .formatted(time, request, status, size, agent),
        fields);
  }

  /** A line of text, with its level as it counts and as it is written. */
  private Sample plain() {
    Field level = oneOf(LEVELS);
    String text = oneOf(WORDS.subList(0, 4));
    String clock = "10:00:0" + random.nextInt(10);
    List<Field> fields = new ArrayList<>();
    fields.add(new Field("level", level.name()));
    fields.add(new Field("level", level.value()));
    fields.add(new Field("message", text));
    fields.add(new Field("time", clock));
    String line =
        switch (random.nextInt(4)) {
          case 0 -> clock + " [" + level.value() + "] " + text;
          case 1 -> "web-1  | " + clock + " " + level.value() + " " + text;
          default -> clock + " [main] " + level.value() + " a.b.Shop - " + text;
        };
    if (line.contains("[main]")) {
      fields.add(new Field("thread", "main"));
      fields.add(new Field("logger", "a.b.Shop"));
    } else if (random.nextInt(3) == 0) {
      fields.set(0, new Field("level", "error"));
      fields.set(1, new Field("level", "E"));
      fields.set(3, new Field("time", "1126 " + clock));
      fields.add(new Field("thread", "7"));
      fields.add(new Field("logger", "a.go:1"));
      line = "E1126 " + clock + "  7 a.go:1] " + text;
    }
    return new Sample(line, fields);
  }

  private static List<Field> parse(String json) {
    List<Field> fields = new ArrayList<>();
    try (JsonParser parser = JSON.createParser(ObjectReadContext.empty(), json)) {
      parser.nextToken();
      readObject(parser, json, "", fields);
    }
    return fields;
  }

  private static void readObject(
      JsonParser parser, String json, String before, List<Field> fields) {
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String name = before + parser.getString();
      parser.nextToken();
      read(parser, json, name, fields);
    }
  }

  private static void read(JsonParser parser, String json, String name, List<Field> fields) {
    JsonToken token = parser.currentToken();
    int start = (int) parser.currentTokenLocation().getCharOffset();
    int place = fields.size();
    if (token == JsonToken.START_OBJECT) {
      readObject(parser, json, name + ".", fields);
    } else if (token == JsonToken.START_ARRAY) {
      for (int i = 0; parser.nextToken() != JsonToken.END_ARRAY; i++) {
        read(parser, json, name + "[" + i + "]", fields);
      }
    } else {
      fields.add(new Field(name, parser.getString()));
      return;
    }
    int end = (int) parser.currentTokenLocation().getCharOffset() + 1;
    fields.add(place, new Field(name, json.substring(start, end)));
  }

  /** Texts of samples, each on its line. */
  public static byte[] lines(List<Sample> samples) {
    return samples.stream()
        .map(Sample::text)
        .collect(Collectors.joining("\n", "", "\n"))
        .getBytes(StandardCharsets.UTF_8);
  }
}
