package io.cordwood.cli.records;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Lines of columns with tabs between, for who looks at them: with spaces instead. */
public final class Columns {
  /** The first lines are written when that many are there, and all of them are as wide. */
  private static final int MEASURED_LINES = 1000;

  private Columns() {}

  /** Writes lines of UTF-8 aligned, to the end. */
  public static void align(InputStream in, OutputStream out) throws IOException {
    var reader = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
    var widths = new Widths();
    List<List<String>> first = new ArrayList<>();
    String line = reader.readLine();
    while (line != null && first.size() < MEASURED_LINES) {
      first.add(columns(line));
      widths.note(first.getLast());
      line = reader.readLine();
    }
    for (List<String> columns : first) {
      write(widths.aligned(columns), out);
    }
    for (; line != null; line = reader.readLine()) {
      write(widths.aligned(columns(line)), out);
    }
  }

  private static List<String> columns(String line) {
    return List.of(line.split("\t", -1));
  }

  private static void write(String line, OutputStream out) throws IOException {
    out.write((line + "\n").getBytes(StandardCharsets.UTF_8));
  }

  /**
   * A value as a column that stands on a terminal among others: also what turns the direction of
   * text, and other controls, are written as in JSON, so that no value can look like another.
   */
  static String harmless(String value) {
    var text = new StringBuilder();
    escaped(value)
        .codePoints()
        .forEach(c -> {
          if (Character.getType(c) == Character.CONTROL
              || Character.getType(c) == Character.FORMAT) {
            text.append("\\u%04x".formatted(c));
          } else {
            text.appendCodePoint(c);
          }
        });
    return text.toString();
  }

  /** A value as a column: what would end one, or a line, is written as in JSON. */
  static String escaped(String value) {
    return value
        .replace("\\", "\\\\")
        .replace("\t", "\\t")
        .replace("\n", "\\n")
        .replace("\r", "\\r");
  }
}
