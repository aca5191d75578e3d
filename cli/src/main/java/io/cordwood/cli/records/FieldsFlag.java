package io.cordwood.cli.records;

import io.cordwood.cli.program.CommandException;
import io.cordwood.cli.program.FlagList;
import io.cordwood.cli.program.Flags;
import io.cordwood.cli.terminal.StandardOutput;
import io.cordwood.query.fields.Extract;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Which fields of records are printed in place of these. */
public final class FieldsFlag implements Flags {
  List<String> names = new ArrayList<>();

  @Override
  public void list(FlagList list) {
    list.flag("--fields")
        .label("FIELDS")
        .help(
            "Of each record only these fields, with commas between, topic and time too: with tabs"
                + " between them, aligned on a terminal, or as objects with --json.")
        .list(String.class, names, value -> names = value);
  }

  boolean isGiven() {
    return !names.isEmpty();
  }

  /**
   * How records are shown; null: as they are.
   *
   * @throws CommandException if a field has no name, or one that is too long
   */
  @Nullable FieldRow row(boolean json, Extract extract) {
    if (names.isEmpty()) {
      return null;
    }
    try {
      List<String> fields =
          names.stream().flatMap(all -> Stream.of(all.split(",", -1))).map(String::strip).toList();
      return json
          ? FieldRow.json(fields, extract)
          : FieldRow.columns(fields, extract, StandardOutput.isTerminal());
    } catch (IllegalArgumentException e) {
      throw new CommandException("--fields: " + e.getMessage(), e);
    }
  }
}
