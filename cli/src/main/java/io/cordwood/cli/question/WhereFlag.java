package io.cordwood.cli.question;

import io.cordwood.cli.program.CommandException;
import io.cordwood.cli.program.FlagList;
import io.cordwood.cli.program.Flags;
import io.cordwood.common.http.ApiParams;
import io.cordwood.query.fields.Where;
import io.cordwood.query.fields.WhereException;
import java.util.ArrayList;
import java.util.List;

/** The conditions on fields of the records. */
public final class WhereFlag implements Flags {
  List<String> texts = new ArrayList<>();

  @Override
  public void list(FlagList list) {
    list.flag("--where")
        .label("CONDITIONS")
        .help(
            "Only records whose fields are so, such as 'level=error and status>=500': of JSON, "
                + "logfmt or access logs. Operators: = != < <= > >= ~ (contains) ~~ (regular "
                + "expression) in (a, b); 'name?' for: or absent. Given again, one of them has to "
                + "hold.")
        .list(String.class, texts, value -> texts = value);
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
      return Where.parse(texts);
    } catch (WhereException e) {
      throw new CommandException("--where: " + e.getMessage(), e);
    }
  }

  /** Adds it, once it is understood. */
  void addTo(QueryString query) {
    query.addAll(ApiParams.WHERE, where().texts());
  }
}
