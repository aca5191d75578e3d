package io.cordwood.cli.search;

import io.cordwood.cli.program.ExclusiveFlags;
import io.cordwood.cli.program.FlagList;
import io.cordwood.cli.question.ZoneFlag;
import io.cordwood.cli.records.Columns;
import io.cordwood.cli.terminal.StandardOutput;
import io.cordwood.query.http.AnswerKind;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** The form in which a table is printed. */
final class TableForm implements ExclusiveFlags {
  boolean json;
  boolean csv;

  @Override
  public void list(FlagList list) {
    list.flag("--json").help("An object a line; the verdict at the end.").on(value -> json = value);
    list.flag("--csv")
        .help("Comma-separated values, as RFC 4180 has them: the names of the columns first.")
        .on(value -> csv = value);
  }

  AnswerKind kind() {
    return json ? AnswerKind.JSON : csv ? AnswerKind.CSV : AnswerKind.TEXT;
  }

  /** The name that the API has for it; null: text. */
  @Nullable String format() {
    return json ? "json" : csv ? "csv" : null;
  }

  /**
   * Prints a table that has no names, with these on a terminal.
   *
   * @param separator of its columns
   */
  void print(InputStream table, OutputStream out, ZoneFlag zone, String names, String separator)
      throws IOException {
    if (kind() == AnswerKind.TEXT && StandardOutput.isTerminal()) {
      var zoned = new ByteArrayOutputStream();
      zoned.writeBytes((names + "\n").getBytes(StandardCharsets.UTF_8));
      zone.copy(table, zoned);
      String lines = zoned.toString(StandardCharsets.UTF_8).replace(separator, "\t");
      Columns.align(new ByteArrayInputStream(lines.getBytes(StandardCharsets.UTF_8)), out);
    } else {
      print(table, out, zone, true);
    }
  }

  /**
   * Prints a table of columns with tabs between, as it came.
   *
   * @param hasTimes whether these are to be in the zone
   */
  void print(InputStream table, OutputStream out, ZoneFlag zone, boolean hasTimes)
      throws IOException {
    if (kind() == AnswerKind.TEXT && StandardOutput.isTerminal()) {
      Columns.align(table, out);
    } else if (kind() == AnswerKind.JSON || !hasTimes) {
      table.transferTo(out);
    } else {
      zone.copy(table, out);
    }
  }
}
