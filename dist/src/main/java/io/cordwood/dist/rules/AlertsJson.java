package io.cordwood.dist.rules;

import io.cordwood.cli.alert.RuleStatus;
import io.cordwood.cli.alert.RuleStatus.AlertStatus;
import io.cordwood.common.json.Json;
import io.cordwood.common.text.Durations;
import java.util.List;
import tools.jackson.core.JsonGenerator;

/** How rules stand, for programs to read. Times are RFC 3339. */
final class AlertsJson {
  private final JsonGenerator json;

  private AlertsJson(JsonGenerator json) {
    this.json = json;
  }

  static void writeNone(JsonGenerator json) {
    write(List.of(), "", false, json);
  }

  /**
   * Writes them.
   *
   * @param trouble of the file; empty for none
   */
  static void write(List<RuleStatus> rules, String trouble, JsonGenerator json) {
    write(rules, trouble, true, json);
  }

  private static void write(
      List<RuleStatus> rules, String trouble, boolean watches, JsonGenerator json) {
    json.writeBooleanProperty("watches", watches);
    if (!trouble.isEmpty()) {
      json.writeStringProperty("trouble", trouble);
    }
    json.writeArrayPropertyStart("rules");
    rules.forEach(new AlertsJson(json)::rule);
    json.writeEndArray();
  }

  private void rule(RuleStatus status) {
    json.writeStartObject();
    json.writeStringProperty("name", status.rule().name());
    json.writeStringProperty("state", status.state().toString());
    Json.write(json, "topics", status.rule().topics());
    Json.write(json, "by", status.rule().by());
    json.writeStringProperty("condition", status.rule().condition().toString());
    json.writeStringProperty("every", Durations.exact(status.rule().timing().every()));
    json.writeStringProperty("window", Durations.exact(status.rule().timing().window()));
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
    Json.write(json, "failing", status.failing());
    json.writeArrayPropertyStart("alerts");
    status.alerts().forEach(this::alert);
    json.writeEndArray();
    json.writeEndObject();
  }

  private void alert(AlertStatus alert) {
    json.writeStartObject();
    Json.write(json, "labels", alert.group());
    json.writeStringProperty("state", alert.state().toString());
    json.writeStringProperty("since", alert.since().toString());
    json.writeNumberProperty("records", alert.records());
    json.writeBooleanProperty("at_least", alert.atLeast());
    json.writeEndObject();
  }
}
