package io.cordwood.query.groups;

import io.cordwood.common.http.Response;
import io.cordwood.query.ScanStats;
import io.cordwood.query.fields.FieldPath;
import io.cordwood.query.gather.Verdict;
import io.cordwood.query.groups.Groups.Group;
import io.cordwood.query.groups.GroupsParams.Wanted;
import io.cordwood.query.http.JsonLines;
import io.cordwood.query.http.StatisticsFields;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/**
 * Writes groups: with tabs between columns, a line of their names first; or JSON objects {@code
 * time}, {@code by}, {@code count} and the measures, and at last one with {@code verdict} and so
 * on. A hyphen stands for what is not there, in JSON null.
 */
final class GroupsOutput {
  private static final String TYPE = "text/plain; charset=utf-8";
  private static final String NONE = "-";

  private final Wanted wanted;
  private final Response response;

  GroupsOutput(Wanted wanted, Response response) {
    this.wanted = wanted;
    this.response = response;
    response.header("content-type", wanted.json() ? JsonLines.TYPE : TYPE);
  }

  void write(Groups groups) throws IOException {
    OutputStream out = response.body();
    if (!wanted.json()) {
      line(names(), out);
    }
    long left = wanted.top();
    for (Group group : groups.inOrder()) {
      if (left-- == 0) {
        return;
      }
      if (wanted.json()) {
        JsonLines.write(out, json -> put(group, json));
      } else {
        line(columns(group), out);
      }
    }
  }

  private List<String> names() {
    List<String> names = new ArrayList<>();
    if (isByTime()) {
      names.add("time");
    }
    wanted.grouping().by().forEach(field -> names.add(field.toString()));
    names.add("count");
    wanted.measures().forEach(measure -> names.add(measure.name()));
    return names;
  }

  private boolean isByTime() {
    return !wanted.every().isZero();
  }

  private List<String> columns(Group group) {
    List<String> columns = new ArrayList<>();
    if (isByTime()) {
      columns.add(Instant.ofEpochMilli(group.time()).toString());
    }
    for (@Nullable String value : group.values()) {
      columns.add(value == null ? NONE : value);
    }
    columns.add(Long.toString(group.records()));
    for (Measure measure : wanted.measures()) {
      columns.add(text(value(measure, group)));
    }
    return columns;
  }

  private double value(Measure measure, Group group) {
    return measure.of(group.numbers()[wanted.grouping().of().indexOf(measure.field())]);
  }

  private static String text(double value) {
    if (Double.isNaN(value)) {
      return NONE;
    }
    return isWhole(value) ? Long.toString((long) value) : Double.toString(value);
  }

  private static boolean isWhole(double value) {
    return value == Math.rint(value) && Math.abs(value) < 1e15;
  }

  /** Writes a line; a character that would end a column or a line is written as in JSON. */
  private static void line(List<String> columns, OutputStream out) throws IOException {
    String line = String.join("\t", columns.stream().map(GroupsOutput::escaped).toList());
    out.write((line + "\n").getBytes(StandardCharsets.UTF_8));
  }

  private static String escaped(String value) {
    return value
        .replace("\\", "\\\\")
        .replace("\t", "\\t")
        .replace("\n", "\\n")
        .replace("\r", "\\r");
  }

  private void put(Group group, JsonGenerator json) {
    if (isByTime()) {
      json.writeStringProperty("time", Instant.ofEpochMilli(group.time()).toString());
    }
    json.writeObjectPropertyStart("by");
    List<FieldPath> by = wanted.grouping().by();
    for (int i = 0; i < by.size(); i++) {
      json.writeStringProperty(by.get(i).toString(), group.values().get(i));
    }
    json.writeEndObject();
    json.writeNumberProperty("count", group.records());
    for (Measure measure : wanted.measures()) {
      double value = value(measure, group);
      if (isWhole(value)) {
        json.writeNumberProperty(measure.name(), (long) value);
      } else if (Double.isFinite(value)) {
        json.writeNumberProperty(measure.name(), value);
      } else {
        json.writeNullProperty(measure.name());
      }
    }
  }

  /** To be called once, last. */
  void end(Groups groups, Verdict verdict, ScanStats.Snapshot stats) throws IOException {
    if (wanted.json()) {
      if (groups.others() > 0) {
        JsonLines.write(
            response.body(), json -> json.writeNumberProperty("others", groups.others()));
      }
      JsonLines.writeVerdict(verdict, groups.records(), response.body());
    }
    verdict.eachField(response::trailer);
    response.trailer("cordwood-matches", Long.toString(groups.records()));
    response.trailer("cordwood-groups-cut", Long.toString(groups.others()));
    StatisticsFields.each(stats, response::trailer);
  }
}
