package io.cordwood.ingest.event;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.ingest.node.HttpNodeFixture;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/** Whatever is sent in Splunk's, Datadog's and GELF's objects can be built again. */
final class RebuiltEventsTest extends HttpNodeFixture {
  private static final int EVENTS = 500;

  private final Random random = new Random(44);

  private static String quoted(String text) {
    return text.chars()
        .mapToObj(each ->
            each < ' ' || each == '"' || each == '\\'
                ? "\\u%04x".formatted(each)
                : String.valueOf((char) each))
        .collect(Collectors.joining("", "\"", "\""));
  }

  private String text() {
    String[] parts = {" ", "  ", "{", "}", "\"", "\\", "\n", "\0", "a", "  {\"a\":1}", "é", "\t"};
    var text = new StringBuilder("t");
    for (int i = random.nextInt(8); i > 0; i--) {
      text.append(parts[random.nextInt(parts.length)]);
    }
    return text.toString();
  }

  /** Names and values, which are texts as they are and all else as JSON. */
  private Map<String, String> values(StringBuilder json) {
    String[] others = {"1", "-2.50", "true", "[1,\"a\"]", "{\"b\":[]}"};
    var values = new LinkedHashMap<String, String>();
    for (int i = random.nextInt(4); i > 0; i--) {
      String name = i + text();
      boolean isText = random.nextBoolean();
      String value = isText ? text() : others[random.nextInt(others.length)];
      values.put(name, value);
      json.append(json.isEmpty() ? "" : ",").append(quoted(name)).append(':');
      json.append(isText ? quoted(value) : value);
    }
    return values;
  }

  private void assertStored(String path, String body, int status, List<StoredEvent> sent)
      throws Exception {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    assertThat(http.post(path, bytes, "content-type", "application/json").statusCode())
        .isEqualTo(status);
    assertThat(StoredEvent.of(http.node, sent.size()))
        .extracting(
            each -> new StoredEvent(each.topic(), each.labels(), 0, each.text(), each.beside()))
        .containsExactlyInAnyOrderElementsOf(sent);
    http.node.assertLedgerIsExact();
  }

  @Test
  void anyEventOfSplunk() throws Exception {
    var body = new StringBuilder();
    List<StoredEvent> sent = new ArrayList<>();
    for (int i = 0; i < EVENTS; i++) {
      String text = text();
      var fields = new StringBuilder();
      Map<String, String> beside = values(fields);
      Map<String, String> labels = new LinkedHashMap<>(Map.of("host", "h" + i % 3));
      String event = quoted(text);
      if (i % 2 == 0) {
        labels.put("source", "stdout");
        labels.put("env", "e" + i % 2);
        event =
            "{\"line\":%s,\"source\":\"stdout\",\"attrs\":{\"env\":\"e%d\"}}"
                .formatted(event, i % 2);
      }
      sent.add(new StoredEvent("default", labels, 0, text, beside));
      body.append(
          "{\"fields\":{%s},\"event\":%s,\"host\":\"h%d\"}".formatted(fields, event, i % 3));
    }
    assertStored("/services/collector", body.toString(), 200, sent);
  }

  @Test
  void anyLogOfDatadog() throws Exception {
    List<String> logs = new ArrayList<>();
    List<StoredEvent> sent = new ArrayList<>();
    for (int i = 0; i < EVENTS; i++) {
      String text = text();
      var json = new StringBuilder();
      Map<String, String> beside = values(json);
      sent.add(
          new StoredEvent(
              "default",
              Map.of("hostname", "h" + i % 3, "ddtags", "env:e,solo", "env", "e"),
              0,
              text,
              beside));
      logs.add(
          "{%s%s\"message\":%s,\"ddtags\":\"env:e,solo\",\"hostname\":\"h%d\"}"
              .formatted(json, json.isEmpty() ? "" : ",", quoted(text), i % 3));
    }
    assertStored("/api/v2/logs", logs.toString(), 202, sent);
  }

  @Test
  void anyObjectOfGelf() throws Exception {
    var body = new StringBuilder();
    List<List<String>> sent = new ArrayList<>();
    for (int i = 0; i < EVENTS; i++) {
      String document = RandomDocuments.document(random, i);
      body.append(document);
      sent.add(tokens(document));
    }
    assertThat(http.post("/gelf", body.toString().getBytes(StandardCharsets.UTF_8)).statusCode())
        .isEqualTo(202);
    List<List<String>> stored = new ArrayList<>();
    for (StoredEvent event : StoredEvent.of(http.node, EVENTS)) {
      assertThat(event.text()).doesNotContain("\n");
      stored.add(tokens(event.text()));
    }
    assertThat(stored).containsExactlyInAnyOrderElementsOf(sent);
    http.node.assertLedgerIsExact();
  }

  /** All but white space. */
  private static List<String> tokens(String json) throws IOException {
    List<String> tokens = new ArrayList<>();
    try (JsonParser parser = new JsonFactory().createParser(ObjectReadContext.empty(), json)) {
      for (JsonToken next = parser.nextToken(); next != null; next = parser.nextToken()) {
        tokens.add(next + " " + parser.getString());
      }
    }
    return tokens;
  }
}
