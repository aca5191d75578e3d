package io.cordwood.cli.records;

import io.cordwood.common.json.Json;
import io.cordwood.common.text.Csv;
import io.cordwood.common.wire.Labels;
import io.cordwood.query.fields.Extract;
import io.cordwood.query.http.AnswerKind;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Some fields of a record as a line: columns with tabs between and a hyphen for what is not there,
 * or as RFC 4180 has them, or an object of JSON whose values are texts, or null. One thread.
 */
final class FieldRow {
  private static final String NONE = "-";

  private final List<String> names;
  private final RecordValues values;
  private final AnswerKind kind;
  private final @Nullable Widths widths;
  private @Nullable SortedRows sorted;

  /** Whether the names of the columns are to be written. */
  private boolean lacksHead;

  private FieldRow(List<String> names, Extract extract, AnswerKind kind, @Nullable Widths widths) {
    this.names = names;
    this.values = new RecordValues(extract);
    this.kind = kind;
    this.lacksHead = kind == AnswerKind.CSV;
    this.widths = widths;
    names.forEach(values::check);
  }

  /** Objects; a name that is none of a field is an {@link IllegalArgumentException}. */
  static FieldRow json(List<String> names, Extract extract) {
    return new FieldRow(names, extract, AnswerKind.JSON, null);
  }

  /**
   * Columns.
   *
   * @param aligned whether spaces stand between them, so that they stand below each other
   */
  static FieldRow columns(List<String> names, Extract extract, boolean aligned) {
    return new FieldRow(names, extract, AnswerKind.TEXT, aligned ? new Widths() : null);
  }

  /** Columns as RFC 4180 has them. */
  static FieldRow csv(List<String> names, Extract extract) {
    return new FieldRow(names, extract, AnswerKind.CSV, null);
  }

  /**
   * Has rows wait for each other.
   *
   * @throws IllegalArgumentException if the field has no name, or one that is too long
   */
  FieldRow sortedBy(SortedRows rows) {
    values.check(rows.field());
    sorted = rows;
    return this;
  }

  /** The rows that wait for each other; null: none does. */
  @Nullable SortedRows sorted() {
    return sorted;
  }

  /** The value of a field of the record of which the line was given last. */
  @Nullable String value(String name) {
    return values.of(name);
  }

  /** The line of names that is to be written before the next row, without its LF; then null. */
  @Nullable String head() {
    boolean isNext = lacksHead;
    lacksHead = false;
    return isNext ? csvLine(names) : null;
  }

  /** Whether nothing may be written before or after a row. */
  boolean isCsv() {
    return kind == AnswerKind.CSV;
  }

  private static String csvLine(List<? extends @Nullable String> columns) {
    String line = Csv.line(columns);
    return line.substring(0, line.length() - 1);
  }

  /** Takes the values that a node knows of the next record, besides its bytes. */
  void know(Map<String, String> known) {
    values.know(known);
  }

  /** The records that follow are of batches with these labels. */
  void of(Labels labels) {
    values.of(labels);
  }

  /** The line of a record that is given without its delimiter, without an end. */
  byte[] of(byte[] bytes, int from, int to) {
    values.in(bytes, from, to);
    List<@Nullable String> row = new ArrayList<>();
    for (String name : names) {
      row.add(values.of(name));
    }
    String line =
        switch (kind) {
          case TEXT -> line(row);
          case JSON -> object(row);
          case CSV -> csvLine(row);
        };
    return line.getBytes(StandardCharsets.UTF_8);
  }

  private String line(List<@Nullable String> values) {
    List<String> columns =
        values.stream().map(value -> value == null ? NONE : Columns.escaped(value)).toList();
    return widths == null ? String.join("\t", columns) : widths.aligned(columns);
  }

  private String object(List<@Nullable String> values) {
    return Json.object(json -> {
      for (int i = 0; i < names.size(); i++) {
        json.writeStringProperty(names.get(i), values.get(i));
      }
    });
  }
}
