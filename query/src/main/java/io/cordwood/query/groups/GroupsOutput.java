package io.cordwood.query.groups;

import io.cordwood.query.fields.GroupField;
import io.cordwood.query.groups.Groups.Group;
import io.cordwood.query.http.JsonLines;
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
 * time}, {@code by}, {@code count} and the measures, and {@code others} if there was no room for
 * some. A hyphen stands for what is not there, in JSON null.
 */
final class GroupsOutput {
  private static final String NONE = "-";

  private final GroupsForm form;
  private final OutputStream out;

  GroupsOutput(GroupsForm form, OutputStream out) {
    this.form = form;
    this.out = out;
  }

  void write(Groups groups) throws IOException {
    if (!form.json()) {
      line(names());
    }
    List<Group> all = groups.inOrder();
    for (Group group : all.subList(0, (int) Math.min(form.top(), all.size()))) {
      if (form.json()) {
        JsonLines.write(out, json -> put(group, json));
      } else {
        line(columns(group));
      }
    }
    if (form.json() && groups.others() > 0) {
      JsonLines.write(out, json -> json.writeNumberProperty("others", groups.others()));
    }
  }

  private List<String> names() {
    List<String> names = new ArrayList<>();
    if (form.byTime()) {
      names.add("time");
    }
    form.grouping().by().forEach(field -> names.add(field.toString()));
    names.add("count");
    form.measures().forEach(measure -> names.add(measure.name()));
    return names;
  }

  private List<String> columns(Group group) {
    List<String> columns = new ArrayList<>();
    if (form.byTime()) {
      columns.add(Instant.ofEpochMilli(group.time()).toString());
    }
    for (@Nullable String value : group.values()) {
      columns.add(value == null ? NONE : value);
    }
    columns.add(Long.toString(group.records()));
    for (Measure measure : form.measures()) {
      columns.add(text(value(measure, group)));
    }
    return columns;
  }

  private double value(Measure measure, Group group) {
    return measure.of(group.numbers()[form.grouping().of().indexOf(measure.field())]);
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
  private void line(List<String> columns) throws IOException {
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
    if (form.byTime()) {
      json.writeStringProperty("time", Instant.ofEpochMilli(group.time()).toString());
    }
    json.writeObjectPropertyStart("by");
    List<GroupField> by = form.grouping().by();
    for (int i = 0; i < by.size(); i++) {
      json.writeStringProperty(by.get(i).toString(), group.values().get(i));
    }
    json.writeEndObject();
    json.writeNumberProperty("count", group.records());
    for (Measure measure : form.measures()) {
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
}
