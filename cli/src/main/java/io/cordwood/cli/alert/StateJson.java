package io.cordwood.cli.alert;

import io.cordwood.cli.alert.AlertState.Saved;
import io.cordwood.cli.alert.AlertState.Status;
import io.cordwood.cli.alert.AlertState.Times;
import io.cordwood.cli.alert.RuleState.Kept;
import io.cordwood.common.json.Json;
import java.io.StringWriter;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.json.JsonWriteFeature;

/** Writes and reads what is kept of a rule over a restart: an object in JSON, in ASCII. */
final class StateJson {
  private static final String RULE = "rule";
  private static final String LAST = "last";
  private static final String UNDECIDED = "undecided";
  private static final String ALERTS = "alerts";
  private static final String LABELS = "labels";

  private static final JsonFactory FACTORY =
      JsonFactory.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();

  private StateJson() {}

  static String write(String rule, Kept kept) {
    var out = new StringWriter();
    try (JsonGenerator json = FACTORY.createGenerator(ObjectWriteContext.empty(), out)) {
      json.writeStartObject();
      json.writeStringProperty(RULE, rule);
      if (kept.last() != null) {
        json.writeStringProperty(LAST, kept.last().toString());
      }
      json.writeName(UNDECIDED);
      write(json, Map.of(), kept.undecided());
      json.writeArrayPropertyStart(ALERTS);
      kept.alerts().forEach((labels, saved) -> write(json, labels, saved));
      json.writeEndArray();
      json.writeEndObject();
    }
    return out.toString();
  }

  private static void write(JsonGenerator json, Map<String, String> labels, Saved saved) {
    json.writeStartObject();
    json.writeStringProperty("status", saved.status().name());
    json.writeStringProperty("since", saved.times().since().toString());
    json.writeStringProperty("starts", saved.times().starts().toString());
    json.writeStringProperty("ends", saved.times().ends().toString());
    json.writeStringProperty("sent", saved.times().sent().toString());
    json.writeStringProperty("seen", saved.times().seen().toString());
    json.writeStringProperty("count", Long.toString(saved.count()));
    json.writeStringProperty("at_least", Boolean.toString(saved.atLeast()));
    json.writeStringProperty("owed", String.join(",", saved.owed()));
    Json.write(json, LABELS, labels);
    json.writeEndObject();
  }

  /** Reads one; whatever is wrong with it is thrown, of whatever kind. */
  static Map.Entry<String, Kept> read(String line) {
    Map<Map<String, String>, Saved> alerts = new LinkedHashMap<>();
    Map<String, String> texts = new TreeMap<>();
    Saved undecided = Saved.NEW;
    try (JsonParser json = Json.parser(line)) {
      json.nextToken();
      while (json.nextToken() == JsonToken.PROPERTY_NAME) {
        String name = json.currentName();
        json.nextToken();
        switch (name) {
          case UNDECIDED -> undecided = readAlert(json).getValue();
          case ALERTS -> {
            while (json.nextToken() == JsonToken.START_OBJECT) {
              Map.Entry<Map<String, String>, Saved> alert = readAlert(json);
              alerts.put(alert.getKey(), alert.getValue());
            }
          }
          default -> texts.put(name, json.getString());
        }
      }
    }
    String last = texts.get(LAST);
    var kept = new Kept(last == null ? null : Instant.parse(last), undecided, alerts);
    return Map.entry(text(texts, RULE), kept);
  }

  private static Map.Entry<Map<String, String>, Saved> readAlert(JsonParser json) {
    Map<String, String> texts = new TreeMap<>();
    Map<String, String> labels = Map.of();
    while (json.nextToken() == JsonToken.PROPERTY_NAME) {
      String name = json.currentName();
      json.nextToken();
      if (name.equals(LABELS)) {
        labels = Json.texts(json);
      } else {
        texts.put(name, json.getString());
      }
    }
    String owed = text(texts, "owed");
    var saved =
        new Saved(
            Status.valueOf(text(texts, "status")),
            new Times(
                Instant.parse(text(texts, "since")),
                Instant.parse(text(texts, "starts")),
                Instant.parse(text(texts, "ends")),
                Instant.parse(text(texts, "sent")),
                Instant.parse(text(texts, "seen"))),
            Long.parseLong(text(texts, "count")),
            Boolean.parseBoolean(text(texts, "at_least")),
            owed.isEmpty() ? Set.of() : Set.of(owed.split(",", -1)));
    return Map.entry(labels, saved);
  }

  private static String text(Map<String, String> texts, String name) {
    String text = texts.get(name);
    if (text == null) {
      throw new IllegalArgumentException("expected " + name + ", found none");
    }
    return text;
  }
}
