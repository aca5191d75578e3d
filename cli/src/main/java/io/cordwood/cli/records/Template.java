package io.cordwood.cli.records;

import io.cordwood.common.wire.Labels;
import io.cordwood.query.fields.FieldPath;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/**
 * A line with fields of a record in it, such as:
 *
 * <pre>
 *   {time} {topic} {line}     what a node knows
 *   {level} {user.id}         fields; a hyphen if the record has none
 *   {{ is a brace; \t and \n are a tab and a line feed
 * </pre>
 *
 * <p>A label has an at sign before its name, and a hyphen for a value if the record has none.
 */
final class Template {
  private static final String LABEL = "@";
  private static final String LINE = "line";
  private static final List<String> OF_NODE = List.of("ulid", "time", "topic", LINE);
  private static final String NONE = "-";

  private final String source;

  /** Texts and names of fields in turns, a text first. */
  private final List<String> parts = new ArrayList<>();

  /**
   * Reads one.
   *
   * @throws IllegalArgumentException if a field is none, or has no end
   */
  Template(String text) {
    source = text;
    var plain = new StringBuilder();
    for (int at = 0; at < text.length(); at++) {
      char c = text.charAt(at);
      if (text.startsWith("{{", at) || text.startsWith("\\\\", at)) {
        plain.append(text.charAt(++at));
      } else if (text.startsWith("\\t", at) || text.startsWith("\\n", at)) {
        plain.append(text.charAt(++at) == 't' ? '\t' : '\n');
      } else if (c == '{') {
        int end = text.indexOf('}', at);
        parts.add(plain.toString());
        parts.add(field(end < 0 ? text.substring(at) : text.substring(at + 1, end)));
        plain.setLength(0);
        at = end;
      } else {
        plain.append(c);
      }
    }
    parts.add(plain.toString());
  }

  private String field(String name) {
    if (name.startsWith(LABEL)) {
      return LABEL + Labels.checkName(name.substring(LABEL.length()));
    }
    String field = name.toLowerCase(Locale.ROOT);
    if (name.startsWith("{") || name.isEmpty()) {
      throw new IllegalArgumentException(
          "expected {ulid}, {time}, {topic}, {line}, {field} or a label such as {@pod}, found \""
              + name
              + "\"");
    } else if (!OF_NODE.contains(field)) {
      return FieldPath.of(name).toString();
    }
    if (field.equals(LINE) && parts.contains(LINE)) {
      throw new IllegalArgumentException("expected {line} once, found it twice");
    }
    return field;
  }

  /** Prints a record, with what matches in it as the printer shows it. */
  void print(RecordPrinter printer, JsonRecord record, byte[] bytes, RecordValues fields)
      throws IOException {
    fields.in(bytes, 0, bytes.length);
    int line = line();
    String before = text(0, line < 0 ? parts.size() : line, record, fields);
    String after = line < 0 ? "" : text(line + 1, parts.size(), record, fields);
    printer.print(before, bytes, 0, line < 0 ? 0 : bytes.length, after);
  }

  @Override
  public String toString() {
    return source;
  }

  private int line() {
    for (int at = 1; at < parts.size(); at += 2) {
      if (parts.get(at).equals(LINE)) {
        return at;
      }
    }
    return -1;
  }

  private String text(int from, int to, JsonRecord record, RecordValues fields) {
    var text = new StringBuilder();
    for (int at = from; at < to; at++) {
      text.append(at % 2 == 0 ? parts.get(at) : value(parts.get(at), record, fields));
    }
    return text.toString();
  }

  private static String value(String field, JsonRecord record, RecordValues fields) {
    return switch (field) {
      case "ulid" -> record.ulid();
      case "time" -> record.time();
      case "topic" -> record.topic();
      case LINE -> "";
      default ->
          field.startsWith(LABEL)
              ? record.label(field.substring(LABEL.length()))
              : Columns.escaped(Objects.requireNonNullElse(fields.of(field), NONE));
    };
  }
}
