package io.cordwood.cli.search;

import io.cordwood.cli.program.Command;
import io.cordwood.cli.program.FlagList;
import io.cordwood.cli.program.Programs;
import io.cordwood.common.http.ApiPaths;

/**
 * {@code cordwood stats}: how many records there are, by the values of fields; of a node, or of
 * files.
 */
public final class StatsCommand implements Command {
  GroupsSearch search = new GroupsSearch("stats");
  GroupFlags groups = new GroupFlags();

  @Override
  public void list(FlagList list) {
    list.synopsis(
        "cordwood stats [OPTIONS] [PATTERN]         records of a node",
        "       cordwood stats [OPTIONS] PATTERN FILE…   lines of files, records of segments");
    list.description("Count and measure records by the values of their fields.");
    list.footer(
        "",
        "Each line: the values of the fields of --by, and the number of records that have them;"
            + " then",
        "what is measured. - is no value. The most frequent come first; with --every, by time.",
        "",
        "Exit code 0 if there is a record, 1 if none, 2 on error or if some may be missing.",
        "",
        "  cordwood stats --since 1h --by status,method",
        "  cordwood stats --where 'status>=500' --by path --top 20 --p99 dur",
        "  cordwood stats --since 1h --by topic --distinct user_id --csv",
        "  cordwood stats --by level '' app.log");
    list.addAll(search);
    list.addAll(groups);
  }

  /** Runs this command as a program of its own. */
  public static void main(String[] args) {
    Programs.mainOfShort("stats", new StatsCommand(), args);
  }

  @Override
  public Integer call() throws Exception {
    return search.run(ApiPaths.STATS, groups);
  }
}
