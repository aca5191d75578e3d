package io.cordwood.cli.question;

import io.cordwood.cli.program.CommandException;
import io.cordwood.cli.program.FlagList;
import io.cordwood.cli.program.Flags;
import io.cordwood.common.http.ApiParams;
import io.cordwood.query.fields.Extract;
import io.cordwood.query.fields.Where;
import io.cordwood.query.fields.WhereException;
import java.util.ArrayList;
import java.util.List;

/** The conditions on fields of the records. */
public final class WhereFlag implements Flags {
  List<String> texts = new ArrayList<>();
  List<String> extracts = new ArrayList<>();

  @Override
  public void list(FlagList list) {
    list.flag("--where")
        .label("CONDITIONS")
        .help(
            "Only records whose fields are so, such as 'level=error and status>=500': of JSON, "
                + "logfmt, access logs or plain lines. Operators: = != < <= > >= ~ (contains) ~~ "
                + "(regular expression) in (a, b); 'name?' for: or absent. Given again, one of "
                + "them has to hold.")
        .list(String.class, texts, value -> texts = value);
    list.flag("--extract")
        .label("REGEX")
        .help(
            "A regular expression, such as 'took (?<ms>\\d+) ms', whose groups are fields, for "
                + "--where, --by, --fields and what takes fields. Given again, one more.")
        .list(String.class, extracts, value -> extracts = value);
  }

  boolean isGiven() {
    return !texts.isEmpty();
  }

  /**
   * The given conditions.
   *
   * @throws CommandException if it says nothing that is understood
   */
  Where where() {
    try {
      return Where.parse(texts, extract());
    } catch (WhereException e) {
      throw new CommandException("--where: " + e.getMessage(), e);
    }
  }

  /**
   * The fields that are groups.
   *
   * @throws CommandException if an expression is none, or has none
   */
  Extract extract() {
    try {
      return Extract.parse(extracts);
    } catch (IllegalArgumentException e) {
      throw new CommandException("--extract: " + e.getMessage(), e);
    }
  }

  /**
   * Adds it, once it is understood.
   *
   * @throws CommandException if it is not
   */
  public void addTo(QueryString query) {
    query.addAll(ApiParams.WHERE, where().texts());
    query.addAll(ApiParams.EXTRACT, extracts);
  }
}
