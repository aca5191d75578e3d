package io.cordwood.cli.search;

import io.cordwood.cli.program.Command;
import io.cordwood.cli.program.FlagList;
import io.cordwood.cli.program.Programs;
import io.cordwood.cli.question.QueryString;
import io.cordwood.common.http.ApiParams;
import io.cordwood.common.http.ApiPaths;
import io.cordwood.query.fields.Extract;
import io.cordwood.query.groups.RecordGroups;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** {@code cordwood fields}: which fields records have. */
public final class FieldsCommand implements Command, GroupsSearch.Counted {
  GroupsSearch search = new GroupsSearch("fields");
  @Nullable Integer top;
  TableForm form = new TableForm();

  @Override
  public void list(FlagList list) {
    list.synopsis(
        "cordwood fields [OPTIONS] [PATTERN]         records of a node",
        "       cordwood fields [OPTIONS] PATTERN FILE…   lines of files, records of segments");
    list.description("Print the fields that records have, with what they hold.");
    list.footer(
        "",
        "Each line: the name, the number of records that have it and their percentage, what kind of"
            + " values",
        "it has, how many different ones, and some of them. Each record is parsed as a whole.",
        "",
        "Exit code 0 if there is a record, 1 if none, 2 on error or if some may be missing.",
        "",
        "  cordwood fields --since 15m --topic shop",
        "  cordwood fields '' app.log");
    list.addAll(search);
    list.flag("--top")
        .label("N")
        .help("At most this many fields: those of the most records.")
        .value(Integer.class, top, value -> top = value);
    list.addAll(form);
  }

  /** Runs this command as a program of its own. */
  public static void main(String[] args) {
    Programs.mainOfShort("fields", new FieldsCommand(), args);
  }

  @Override
  public Integer call() throws Exception {
    return search.run(ApiPaths.FIELDS, this);
  }

  @Override
  public void addTo(QueryString query) {
    query.addIfThere(ApiParams.TOP, top).addIfThere(ApiParams.FORMAT, form.format());
  }

  @Override
  public RecordGroups groups(Extract extract) {
    GroupFlags.checkTop(top);
    return RecordGroups.ofFields(
        Objects.requireNonNullElse(top, Integer.MAX_VALUE), form.kind(), extract);
  }

  @Override
  public TableForm form() {
    return form;
  }

  @Override
  public boolean isByTime() {
    return false;
  }
}
