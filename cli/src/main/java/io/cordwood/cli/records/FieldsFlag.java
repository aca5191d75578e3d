package io.cordwood.cli.records;

import io.cordwood.cli.program.CommandException;
import io.cordwood.cli.program.FlagList;
import io.cordwood.cli.program.Flags;
import io.cordwood.cli.terminal.StandardOutput;
import io.cordwood.query.fields.Extract;
import io.cordwood.query.http.AnswerKind;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Which fields of records are printed in place of these. */
final class FieldsFlag implements Flags {
  List<String> names = new ArrayList<>();
  private @Nullable String sort;

  @Override
  public void list(FlagList list) {
    list.flag("--fields")
        .label("FIELDS")
        .help(
            "Of each record only these fields, with commas between, topic and time too: with tabs"
                + " between them, aligned on a terminal, or as objects with --json.")
        .list(String.class, names, value -> names = value);
  }

  /** Has what is printed sorted by a field; null: it is not. */
  void sortedBy(@Nullable String field) {
    sort = field;
  }

  boolean isGiven() {
    return !names.isEmpty();
  }

  /**
   * How records are shown; null: as they are.
   *
   * @throws CommandException if a field has no name, or one that is too long
   */
  @Nullable FieldRow row(AnswerKind kind, Extract extract) {
    if (names.isEmpty()) {
      if (sort != null || kind == AnswerKind.CSV) {
        throw new CommandException(
            "expected --fields with --sort and --csv, found none: they say what the columns are");
      }
      return null;
    }
    try {
      List<String> fields =
          names.stream().flatMap(all -> Stream.of(all.split(",", -1))).map(String::strip).toList();
      FieldRow row =
          switch (kind) {
            case TEXT -> FieldRow.columns(fields, extract, StandardOutput.isTerminal());
            case JSON -> FieldRow.json(fields, extract);
            case CSV -> FieldRow.csv(fields, extract);
          };
      return sort == null ? row : row.sortedBy(new SortedRows(sort, SortedRows.MAX_BYTES));
    } catch (IllegalArgumentException e) {
      throw new CommandException("--fields, --sort: " + e.getMessage(), e);
    }
  }
}
