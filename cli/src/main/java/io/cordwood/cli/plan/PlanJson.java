package io.cordwood.cli.plan;

import io.cordwood.common.json.Json;
import java.util.List;
import tools.jackson.core.JsonGenerator;

/** A plan as one object: every number under the name that the document on capacity has for it. */
final class PlanJson {
  private PlanJson() {}

  /** A line. */
  static String of(Plan plan) {
    String object =
        Json.object(json -> {
          put(json, "ingest", plan.ingest());
          put(json, "store", plan.stores());
          Json.write(json, "exceeded", plan.exceeded().stream().map(PlanJson::name).toList());
          json.writeObjectPropertyStart("figures");
          plan.cluster().values().forEach((name, value) -> put(json, name, value));
          json.writeEndObject();
          json.writeObjectPropertyStart("origins");
          for (Parameter each : Parameter.values()) {
            json.writeStringProperty(each.symbol(), plan.parameters().origin(each));
          }
          json.writeEndObject();
          putQuestions(json, plan);
          json.writeObjectPropertyStart("without_store");
          plan.withoutStore()
              .ifPresent(rest -> rest.values().forEach((name, value) -> put(json, name, value)));
          json.writeEndObject();
        });
    return object + "\n";
  }

  private static void put(JsonGenerator json, String kind, Sizing sizing) {
    json.writeObjectPropertyStart(kind);
    json.writeNumberProperty("nodes", sizing.nodes());
    sizing.limit().ifPresent(limit -> json.writeStringProperty("limit", name(limit)));
    json.writeEndObject();
  }

  private static String name(Limit limit) {
    return limit.used().symbol();
  }

  private static void putQuestions(JsonGenerator json, Plan plan) {
    json.writeArrayPropertyStart("questions");
    List<Question> questions = plan.load().questions();
    Cluster cluster = plan.cluster();
    for (int i = 0; i < questions.size(); i++) {
      json.writeStartObject();
      json.writeStringProperty("kind", questions.get(i).kind().toString());
      put(json, "range", questions.get(i).rangeSeconds());
      put(json, "rate", questions.get(i).perSecond());
      for (Figure each : Figure.ofQuestions()) {
        put(json, each.symbol(), cluster.of(each, i));
      }
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  /** JSON has no number that is infinite; that of what has no bound or no end is null. */
  private static void put(JsonGenerator json, String name, double value) {
    if (Double.isInfinite(value) || Double.isNaN(value)) {
      json.writeNullProperty(name);
    } else {
      json.writeNumberProperty(name, value);
    }
  }
}
