package io.cordwood.query.loki;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.query.Answer;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/**
 * Asks as Grafana does, and reads answers as strictly: one token after the other, times of lines as
 * texts of 19 digits, and as many elements of a value as flags that stand before it say.
 */
final class LokiClient {
  private final int port;
  private String flags = "categorize-labels";
  private String tenant = "";

  LokiClient(int port) {
    this.port = port;
  }

  /** As logcli and other clients ask. */
  LokiClient plain() {
    flags = "";
    return this;
  }

  LokiClient ofTenant(String name) {
    tenant = name;
    return this;
  }

  /** A line, and the three kinds of its labels. */
  record Line(
      String nanos,
      String text,
      Map<String, String> stream,
      Map<String, String> beside,
      Map<String, String> parsed) {}

  static String path(String path, String... pairs) {
    var all = new StringBuilder("/loki/api/v1/" + path + "?");
    for (int i = 0; i < pairs.length; i += 2) {
      all.append(pairs[i]).append('=');
      all.append(URLEncoder.encode(pairs[i + 1], StandardCharsets.UTF_8)).append('&');
    }
    return all.substring(0, all.length() - 1);
  }

  Answer get(String path) throws IOException {
    var connection =
        (HttpURLConnection) URI.create("http://127.0.0.1:" + port + path).toURL().openConnection();
    connection.setRequestProperty("X-Loki-Response-Encoding-Flags", flags);
    connection.setRequestProperty("X-Scope-OrgID", tenant);
    int status = connection.getResponseCode();
    try (InputStream in =
        status < 400 ? connection.getInputStream() : connection.getErrorStream()) {
      return new Answer(status, in.readAllBytes(), connection);
    }
  }

  List<Line> lines(String path) throws IOException {
    Answer answer = get(path);
    assertThat(answer.status()).as(answer.text()).isEqualTo(200);
    assertThat(answer.connection().getContentType()).startsWith("application/json");
    List<Line> lines = new ArrayList<>();
    try (JsonParser json =
        new JsonFactory().createParser(ObjectReadContext.empty(), answer.text())) {
      expect(json, JsonToken.START_OBJECT);
      boolean categorized = false;
      while (json.nextToken() == JsonToken.PROPERTY_NAME) {
        if (!json.currentName().equals("data")) {
          json.nextToken();
          json.skipChildren();
          continue;
        }
        expect(json, JsonToken.START_OBJECT);
        while (json.nextToken() == JsonToken.PROPERTY_NAME) {
          switch (json.currentName()) {
            case "resultType" -> {
              json.nextToken();
              assertThat(json.getString()).isEqualTo("streams");
            }
            case "encodingFlags" -> {
              json.nextToken();
              categorized = texts(json).contains("categorize-labels");
            }
            case "result" -> streams(json, categorized, lines);
            default -> {
              json.nextToken();
              json.skipChildren();
            }
          }
        }
      }
    }
    return lines;
  }

  /** Numbers of a matrix: by labels, and by second. */
  Map<Map<String, String>, Map<Long, Double>> numbers(String path) throws IOException {
    Answer answer = get(path);
    assertThat(answer.status()).as(answer.text()).isEqualTo(200);
    assertThat(answer.text()).contains("\"data\":{\"resultType\":\"matrix\",\"result\":[");
    Map<Map<String, String>, Map<Long, Double>> all = new HashMap<>();
    try (JsonParser json =
        new JsonFactory().createParser(ObjectReadContext.empty(), answer.text())) {
      while (json.nextToken() != null) {
        if (json.currentToken() == JsonToken.PROPERTY_NAME && json.currentName().equals("metric")) {
          Map<String, String> labels = labels(json);
          assertThat(all.put(labels, values(json))).as("%s twice", labels).isNull();
        }
      }
    }
    return all;
  }

  private static Map<Long, Double> values(JsonParser json) {
    Map<Long, Double> values = new TreeMap<>();
    expect(json, JsonToken.PROPERTY_NAME);
    expect(json, JsonToken.START_ARRAY);
    while (json.nextToken() == JsonToken.START_ARRAY) {
      expect(json, JsonToken.VALUE_NUMBER_INT);
      long second = json.getLongValue();
      expect(json, JsonToken.VALUE_STRING);
      values.put(second, Double.valueOf(json.getString().replace("+Inf", "Infinity")));
      expect(json, JsonToken.END_ARRAY);
    }
    return values;
  }

  private static void expect(JsonParser json, JsonToken token) {
    assertThat(json.nextToken()).isEqualTo(token);
  }

  private static List<String> texts(JsonParser json) {
    List<String> texts = new ArrayList<>();
    while (json.nextToken() == JsonToken.VALUE_STRING) {
      texts.add(json.getString());
    }
    return texts;
  }

  private static void streams(JsonParser json, boolean categorized, List<Line> lines) {
    expect(json, JsonToken.START_ARRAY);
    while (json.nextToken() == JsonToken.START_OBJECT) {
      Map<String, String> stream = new TreeMap<>();
      while (json.nextToken() == JsonToken.PROPERTY_NAME) {
        if (json.currentName().equals("stream")) {
          stream = labels(json);
        } else {
          expect(json, JsonToken.START_ARRAY);
          while (json.nextToken() == JsonToken.START_ARRAY) {
            lines.add(line(json, categorized, stream));
          }
        }
      }
    }
  }

  private static Line line(JsonParser json, boolean categorized, Map<String, String> stream) {
    expect(json, JsonToken.VALUE_STRING);
    String nanos = json.getString();
    assertThat(nanos).matches("[0-9]{19}");
    expect(json, JsonToken.VALUE_STRING);
    String text = json.getString();
    Map<String, Map<String, String>> kinds = new LinkedHashMap<>();
    if (categorized) {
      expect(json, JsonToken.START_OBJECT);
      while (json.nextToken() == JsonToken.PROPERTY_NAME) {
        String kind = json.currentName();
        kinds.put(kind, labels(json));
      }
    }
    expect(json, JsonToken.END_ARRAY);
    return new Line(
        nanos,
        text,
        stream,
        kinds.getOrDefault("structuredMetadata", Map.of()),
        kinds.getOrDefault("parsed", Map.of()));
  }

  private static Map<String, String> labels(JsonParser json) {
    Map<String, String> labels = new TreeMap<>();
    expect(json, JsonToken.START_OBJECT);
    while (json.nextToken() == JsonToken.PROPERTY_NAME) {
      String name = json.currentName();
      expect(json, JsonToken.VALUE_STRING);
      labels.put(name, json.getString());
    }
    return labels;
  }
}
