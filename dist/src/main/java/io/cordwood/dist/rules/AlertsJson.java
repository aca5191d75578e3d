package io.cordwood.dist.rules;

import io.cordwood.cli.alert.Rule;
import io.cordwood.cli.alert.RuleStatus;
import io.cordwood.cli.alert.RuleStatus.AlertStatus;
import java.io.OutputStream;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/** How rules stand, for programs to read. Times are RFC 3339. */
final class AlertsJson {
  private static final JsonFactory FACTORY = new JsonFactory();

  private final JsonGenerator json;

  private AlertsJson(JsonGenerator json) {
    this.json = json;
  }

  static void writeNone(OutputStream out) {
    write(List.of(), "", false, out);
  }

  /**
   * Writes them.
   *
   * @param trouble of the file; empty for none
   */
  static void write(List<RuleStatus> rules, String trouble, OutputStream out) {
    write(rules, trouble, true, out);
  }

  private static void write(
      List<RuleStatus> rules, String trouble, boolean watches, OutputStream out) {
    try (JsonGenerator json = FACTORY.createGenerator(ObjectWriteContext.empty(), out)) {
      json.writeStartObject();
      json.writeBooleanProperty("watches", watches);
      if (!trouble.isEmpty()) {
        json.writeStringProperty("trouble", trouble);
      }
      json.writeArrayPropertyStart("rules");
      rules.forEach(new AlertsJson(json)::rule);
      json.writeEndArray();
      json.writeEndObject();
      json.writeRaw('\n');
    }
  }

  private void rule(RuleStatus status) {
    json.writeStartObject();
    json.writeStringProperty("name", status.rule().name());
    json.writeStringProperty("state", status.state().toString());
    strings("topics", status.rule().topics());
    strings("by", status.rule().by());
    json.writeStringProperty("condition", status.rule().condition().toString());
    json.writeStringProperty("every", text(status.rule().timing().every()));
    json.writeStringProperty("window", text(status.rule().timing().window()));
    status
        .counted()
        .ifPresent(window -> {
          json.writeStringProperty("counted", window.end().toString());
          json.writeNumberProperty("records", window.records());
          json.writeBooleanProperty("at_least", window.atLeast());
          json.writeStringProperty("link", window.link());
        });
    if (!status.doubt().isEmpty()) {
      json.writeStringProperty("doubt", status.doubt());
    }
    status
        .lastError()
        .ifPresent(error -> {
          json.writeObjectPropertyStart("last_error");
          json.writeStringProperty("time", error.time().toString());
          json.writeStringProperty("text", error.text());
          json.writeEndObject();
        });
    object("failing", status.failing());
    json.writeArrayPropertyStart("alerts");
    status.alerts().forEach(this::alert);
    json.writeEndArray();
    json.writeEndObject();
  }

  private void alert(AlertStatus alert) {
    json.writeStartObject();
    object("labels", alert.group());
    json.writeStringProperty("state", alert.state().toString());
    json.writeStringProperty("since", alert.since().toString());
    json.writeNumberProperty("records", alert.records());
    json.writeBooleanProperty("at_least", alert.atLeast());
    json.writeEndObject();
  }

  private void strings(String name, List<String> values) {
    json.writeArrayPropertyStart(name);
    values.forEach(json::writeString);
    json.writeEndArray();
  }

  private void object(String name, Map<String, String> values) {
    json.writeObjectPropertyStart(name);
    values.forEach(json::writeStringProperty);
    json.writeEndObject();
  }

  private static String text(Duration time) {
    return Rule.text(time);
  }
}
