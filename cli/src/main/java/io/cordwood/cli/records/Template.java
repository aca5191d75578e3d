package io.cordwood.cli.records;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A line with fields of a record in it, such as:
 *
 * <pre>
 *   {time} {topic} {line}     {{ is a brace; \t and \n are a tab and a line feed
 * </pre>
 */
final class Template {
  private static final String LINE = "line";
  private static final List<String> FIELDS = List.of("ulid", "time", "topic", LINE);

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
    String field = name.toLowerCase(Locale.ROOT);
    if (!FIELDS.contains(field)) {
      throw new IllegalArgumentException(
          "expected {ulid}, {time}, {topic} or {line}, found \"" + name + "\"");
    }
    if (field.equals(LINE) && parts.contains(LINE)) {
      throw new IllegalArgumentException("expected {line} once, found it twice");
    }
    return field;
  }

  /** Prints a record, with what matches in it as the printer shows it. */
  void print(RecordPrinter printer, JsonRecord record, byte[] bytes) throws IOException {
    Map<String, String> values =
        Map.of("ulid", record.ulid(), "time", record.time(), "topic", record.topic(), LINE, "");
    int line = line();
    String before = text(0, line < 0 ? parts.size() : line, values);
    String after = line < 0 ? "" : text(line + 1, parts.size(), values);
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

  private String text(int from, int to, Map<String, String> values) {
    var text = new StringBuilder();
    for (int at = from; at < to; at++) {
      text.append(at % 2 == 0 ? parts.get(at) : values.get(parts.get(at)));
    }
    return text.toString();
  }
}
