package io.cordwood.query.loki;

import io.cordwood.query.gather.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JsonGenerator;

/** Parts that answers have in common. */
final class LokiJson {
  static final String TYPE = "application/json; charset=utf-8";

  /** A client wants to know what kind each label is of. */
  static final String CATEGORIZE = "categorize-labels";

  private LokiJson() {}

  /** Clients take the flags for what stands after them. */
  static void writeFlags(JsonGenerator json) {
    json.writeArrayPropertyStart("encodingFlags");
    json.writeString(CATEGORIZE);
    json.writeEndArray();
  }

  /** Writes labels. */
  static void write(String name, Map<String, String> labels, JsonGenerator json) {
    json.writeObjectPropertyStart(name);
    labels.forEach(json::writeStringProperty);
    json.writeEndObject();
  }

  /** Writes labels, if there are some. */
  static void writeSome(String name, Map<String, String> labels, JsonGenerator json) {
    if (!labels.isEmpty()) {
      write(name, labels, json);
    }
  }

  /** Says what an answer lacks, where clients show that to people. */
  static void warn(Verdict verdict, JsonGenerator json) {
    if (!verdict.isComplete()) {
      List<String> said = new ArrayList<>();
      verdict.eachField((name, value) -> said.add(name.replace("cordwood-", "") + " " + value));
      json.writeArrayPropertyStart("warnings");
      json.writeString(String.join(", ", said));
      json.writeEndArray();
    }
  }

  /** Writes matrices and vectors. */
  static void write(List<Series> all, Grid grid, boolean vector, JsonGenerator json) {
    json.writeStringProperty("resultType", vector ? "vector" : "matrix");
    json.writeArrayPropertyStart("result");
    for (Series series : all) {
      if (hasValue(series)) {
        json.writeStartObject();
        write("metric", series.labels(), json);
        if (vector) {
          json.writeName("value");
          write(grid.nanos(0), series.values()[0], json);
        } else {
          writeValues(series, grid, json);
        }
        json.writeEndObject();
      }
    }
    json.writeEndArray();
  }

  private static boolean hasValue(Series series) {
    for (double value : series.values()) {
      if (!Double.isNaN(value)) {
        return true;
      }
    }
    return false;
  }

  private static void writeValues(Series series, Grid grid, JsonGenerator json) {
    json.writeArrayPropertyStart("values");
    for (int point = 0; point < grid.points(); point++) {
      if (!Double.isNaN(series.values()[point])) {
        write(grid.nanos(point), series.values()[point], json);
      }
    }
    json.writeEndArray();
  }

  /** A time as a number, and a number as a text. */
  static void write(long nanos, double value, JsonGenerator json) {
    json.writeStartArray();
    json.writeRawValue(LokiTime.seconds(nanos));
    json.writeString(number(value));
    json.writeEndArray();
  }

  private static String number(double value) {
    if (Double.isInfinite(value)) {
      return value > 0 ? "+Inf" : "-Inf";
    }
    return value == Math.rint(value) && Math.abs(value) < 1e15
        ? Long.toString((long) value)
        : Double.toString(value);
  }

  static void writeStats(int records, JsonGenerator json) {
    json.writeObjectPropertyStart("stats");
    json.writeObjectPropertyStart("summary");
    json.writeNumberProperty("totalEntriesReturned", records);
    json.writeEndObject();
    json.writeEndObject();
  }
}
