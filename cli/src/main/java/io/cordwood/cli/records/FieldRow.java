package io.cordwood.cli.records;

import io.cordwood.common.wire.Labels;
import io.cordwood.query.fields.FieldFinder;
import io.cordwood.query.fields.FieldPath;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/**
 * Some fields of a record as a line: columns with tabs between and a hyphen for what is not there,
 * or an object of JSON whose values are texts, or null. One thread.
 */
final class FieldRow {
  private static final String NONE = "-";
  private static final JsonFactory JSON = new JsonFactory();

  private final List<FieldPath> fields;
  private final boolean json;
  private final @Nullable Widths widths;
  private final FieldFinder finder = new FieldFinder();

  private FieldRow(List<FieldPath> fields, boolean json, @Nullable Widths widths) {
    this.fields = fields;
    this.json = json;
    this.widths = widths;
  }

  static FieldRow json(List<FieldPath> fields) {
    return new FieldRow(fields, true, null);
  }

  /**
   * Columns.
   *
   * @param aligned whether spaces stand between them, so that they stand below each other
   */
  static FieldRow columns(List<FieldPath> fields, boolean aligned) {
    return new FieldRow(fields, false, aligned ? new Widths() : null);
  }

  /** The records that follow are of batches with these labels. */
  void of(Labels labels) {
    finder.of(labels);
  }

  /** The line of a record that is given without its delimiter, without an end. */
  byte[] of(byte[] bytes, int from, int to) {
    finder.in(bytes, from, to);
    List<@Nullable String> values = new ArrayList<>();
    for (FieldPath field : fields) {
      values.add(finder.find(field) ? new String(finder.value(), StandardCharsets.UTF_8) : null);
    }
    return (json ? object(values) : line(values)).getBytes(StandardCharsets.UTF_8);
  }

  private String line(List<@Nullable String> values) {
    List<String> columns =
        values.stream().map(value -> value == null ? NONE : Columns.escaped(value)).toList();
    return widths == null ? String.join("\t", columns) : widths.aligned(columns);
  }

  private String object(List<@Nullable String> values) {
    var text = new StringWriter();
    try (JsonGenerator object = JSON.createGenerator(ObjectWriteContext.empty(), text)) {
      object.writeStartObject();
      for (int i = 0; i < fields.size(); i++) {
        object.writeStringProperty(fields.get(i).toString(), values.get(i));
      }
      object.writeEndObject();
    }
    return text.toString();
  }
}
