package io.cordwood.query.groups;

import io.cordwood.common.text.Csv;
import io.cordwood.query.fields.Grouping.Each;
import io.cordwood.query.groups.Groups.Group;
import io.cordwood.query.http.AnswerKind;
import io.cordwood.query.http.JsonLines;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/**
 * Writes groups: with tabs or commas between columns, a line of their names first; or JSON objects
 * {@code time}, {@code by}, {@code count} and the measures, and {@code others} if there was no room
 * for some. A hyphen stands for what is not there, in JSON null, and a tilde before what is an
 * estimate.
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
    if (form.grouping().each() == Each.FIELDS) {
      writeFields(FieldSummary.of(groups));
    } else {
      writeGroups(groups);
    }
    if (form.kind() == AnswerKind.JSON && groups.others() > 0) {
      JsonLines.write(out, json -> json.writeNumberProperty("others", groups.others()));
    }
    if (form.kind() == AnswerKind.JSON && groups.error() > 0) {
      JsonLines.write(out, json -> json.writeNumberProperty("distinct_error", groups.error()));
    }
  }

  private void writeFields(List<FieldSummary> fields) throws IOException {
    if (form.kind() != AnswerKind.JSON) {
      line(FieldSummary.NAMES);
    }
    for (FieldSummary field : fields.subList(0, (int) Math.min(form.top(), fields.size()))) {
      if (form.kind() == AnswerKind.JSON) {
        JsonLines.write(out, field::write);
      } else {
        line(field.columns().stream().map(this::shown).toList());
      }
    }
  }

  private void writeGroups(Groups groups) throws IOException {
    List<Column> columns = Columns.of(form, groups);
    if (form.kind() != AnswerKind.JSON) {
      line(columns.stream().map(Column::name).toList());
    }
    List<Group> all = groups.sorted(order(columns));
    for (Group group : all.subList(0, (int) Math.min(form.top(), all.size()))) {
      if (form.kind() == AnswerKind.JSON) {
        JsonLines.write(out, json -> put(group, columns, json));
      } else {
        line(columns.stream().map(column -> shown(column.value().apply(group))).toList());
      }
    }
  }

  private Comparator<Group> order(List<Column> columns) {
    return form.order()
        .map(order -> order.of(columns).thenComparing(Groups.usualOrder()))
        .orElseGet(Groups::usualOrder);
  }

  private @Nullable String shown(@Nullable Object value) {
    return switch (value) {
      case null -> null;
      case Estimate(long number) -> form.kind() == AnswerKind.CSV ? number + "" : "~" + number;
      default -> value.toString();
    };
  }

  /** Writes a line; in text a character that would end a column or a line is written as in JSON. */
  private void line(List<? extends @Nullable String> columns) throws IOException {
    String line =
        form.kind() == AnswerKind.CSV
            ? Csv.line(columns)
            : String.join("\t", columns.stream().map(GroupsOutput::escaped).toList()) + "\n";
    out.write(line.getBytes(StandardCharsets.UTF_8));
  }

  private static String escaped(@Nullable String value) {
    return value == null
        ? NONE
        : value
            .replace("\\", "\\\\")
            .replace("\t", "\\t")
            .replace("\n", "\\n")
            .replace("\r", "\\r");
  }

  private static void put(Group group, List<Column> columns, JsonGenerator json) {
    put(group, columns, Column.Kind.TIME, json);
    json.writeObjectPropertyStart("by");
    put(group, columns, Column.Kind.BY, json);
    json.writeEndObject();
    put(group, columns, Column.Kind.NUMBER, json);
    put(group, columns, Column.Kind.EXAMPLE, json);
  }

  private static void put(Group group, List<Column> columns, Column.Kind kind, JsonGenerator json) {
    for (Column column : columns) {
      if (column.kind() == kind) {
        put(column.name(), column.value().apply(group), json);
      }
    }
  }

  private static void put(String name, @Nullable Object value, JsonGenerator json) {
    switch (value) {
      case null -> json.writeNullProperty(name);
      case Long number -> json.writeNumberProperty(name, number);
      case Double number -> json.writeNumberProperty(name, number);
      case Estimate(long number) -> json.writeNumberProperty(name, number);
      default -> json.writeStringProperty(name, value.toString());
    }
  }
}
