package io.cordwood.cli.search;

import io.cordwood.cli.program.Command;
import io.cordwood.cli.program.FlagList;
import io.cordwood.cli.program.Programs;
import io.cordwood.common.http.ApiPaths;
import java.util.List;

/** {@code cordwood shapes}: which messages there are, whatever numbers and ids are in them. */
public final class ShapesCommand implements Command {
  private static final int USUAL_TOP = 50;

  GroupsSearch search = new GroupsSearch("shapes");
  GroupFlags groups = new GroupFlags();

  private int top = USUAL_TOP;

  @Override
  public void list(FlagList list) {
    list.synopsis(
        "cordwood shapes [OPTIONS] [PATTERN]         records of a node",
        "       cordwood shapes [OPTIONS] PATTERN FILE…   lines of files, records of segments");
    list.description(
        "Count messages, of which those that differ only by numbers, ids and times are one.");
    list.footer(
        "",
        "Each line: the shape of a message with its level, the number of records, and one of them.",
        "It is what 'cordwood stats --by shape --example' prints.",
        "",
        "Exit code 0 if there is a record, 1 if none, 2 on error or if some may be missing.",
        "",
        "  cordwood shapes --since 1h --where level=error",
        "  cordwood shapes '' app.log");
    list.addAll(search);
    list.flag("--top")
        .label("N")
        .help("At most this many shapes, the most frequent. Default: 50.")
        .value(Integer.class, top, value -> top = value);
    list.addAll(groups.form);
  }

  /** Runs this command as a program of its own. */
  public static void main(String[] args) {
    Programs.mainOfShort("shapes", new ShapesCommand(), args);
  }

  @Override
  public Integer call() throws Exception {
    groups.by = List.of("shape");
    groups.example = true;
    groups.top = top;
    return search.run(ApiPaths.STATS, groups);
  }
}
