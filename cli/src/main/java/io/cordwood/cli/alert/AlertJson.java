package io.cordwood.cli.alert;

import io.cordwood.common.json.Json;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.core.JsonGenerator;

/** Alerts in the forms of Alertmanager: what it posts to webhooks, and what is posted to it. */
final class AlertJson {
  /** The name of the receiver in what webhooks get. */
  private static final String RECEIVER = "cordwood";

  /** The end of what has not ended, in Go. */
  private static final String NO_END = "0001-01-01T00:00:00Z";

  private AlertJson() {}

  /**
   * The body for a webhook, version 4.
   *
   * @param page the page of the node that was asked
   */
  static String webhook(Rule rule, String page, List<Alert> alerts) {
    Map<String, String> group = Map.of(Rule.NAME_LABEL, rule.name());
    return Json.object(json -> {
      json.writeStringProperty("version", "4");
      json.writeStringProperty("groupKey", "{}:{" + Rule.NAME_LABEL + "=\"" + rule.name() + "\"}");
      json.writeNumberProperty("truncatedAlerts", 0);
      json.writeStringProperty("status", status(alerts));
      json.writeStringProperty("receiver", RECEIVER);
      Json.write(json, "groupLabels", group);
      Json.write(json, "commonLabels", common(alerts.stream().map(Alert::labels).toList()));
      Json.write(
          json, "commonAnnotations", common(alerts.stream().map(Alert::annotations).toList()));
      json.writeStringProperty("externalURL", page);
      json.writeArrayPropertyStart("alerts");
      alerts.forEach(alert -> put(json, alert));
      json.writeEndArray();
    });
  }

  /** Firing, if one of them fires. */
  static String status(List<Alert> alerts) {
    return alerts.stream().allMatch(alert -> alert.endsAt().isPresent()) ? "resolved" : "firing";
  }

  private static Map<String, String> common(List<Map<String, String>> all) {
    Map<String, String> common = new TreeMap<>(all.getFirst());
    all.forEach(each -> common.entrySet().retainAll(each.entrySet()));
    return common;
  }

  private static void put(JsonGenerator json, Alert alert) {
    json.writeStartObject();
    json.writeStringProperty("status", alert.status());
    Json.write(json, "labels", alert.labels());
    Json.write(json, "annotations", alert.annotations());
    json.writeStringProperty("startsAt", alert.startsAt().toString());
    json.writeStringProperty("endsAt", alert.endsAt().map(Instant::toString).orElse(NO_END));
    json.writeStringProperty("generatorURL", alert.link());
    json.writeStringProperty("fingerprint", alert.fingerprint());
    json.writeEndObject();
  }

  /**
   * The body for Alertmanager.
   *
   * @param until when what fires ends, unless it is sent again
   */
  static String alertmanager(List<Alert> alerts, Instant until) {
    return Json.array(json -> {
      for (Alert alert : alerts) {
        json.writeStartObject();
        Json.write(json, "labels", alert.labels());
        Json.write(json, "annotations", alert.annotations());
        json.writeStringProperty("startsAt", alert.startsAt().toString());
        json.writeStringProperty("endsAt", alert.endsAt().orElse(until).toString());
        json.writeStringProperty("generatorURL", alert.link());
        json.writeEndObject();
      }
    });
  }
}
