package io.cordwood.cli.search;

import io.cordwood.cli.client.AskedNodes;
import io.cordwood.cli.files.FileStats;
import io.cordwood.cli.files.TreeFlags;
import io.cordwood.cli.program.Command;
import io.cordwood.cli.program.FlagList;
import io.cordwood.cli.program.Programs;
import io.cordwood.cli.question.NodeFlags;
import io.cordwood.cli.question.PatternFlags;
import io.cordwood.cli.question.QueryString;
import io.cordwood.cli.records.Columns;
import io.cordwood.cli.terminal.StandardOutput;
import io.cordwood.common.http.ApiPaths;
import io.cordwood.query.groups.RecordGroups;
import io.cordwood.query.match.PatternSpec;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;

/**
 * {@code cordwood stats}: how many records there are, by the values of fields; of a node, or of
 * files.
 */
public final class StatsCommand implements Command {
  private static final String COMMAND = "stats";
  private static final String NAME = "cordwood " + COMMAND;

  /** Flags that make no sense of a FILE. */
  private static final List<String> OF_NODES =
      List.of("--every", "--node", "--from", "--to", "--topic", "--stats");

  private @Nullable CommandSpec spec;

  private List<String> arguments = new ArrayList<>();

  PatternFlags patterns = new PatternFlags();
  GroupFlags groups = new GroupFlags();
  AskedNodes nodes = new AskedNodes();
  NodeFlags nodeFlags = new NodeFlags();
  TreeFlags tree = new TreeFlags();

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
        "  cordwood stats --by level '' app.log");
    spec = list.command();
    list.argument("0..*", "0..*")
        .label("PATTERN FILE")
        .help(
            "What to look for: a text, case and all, unless -E or -i; none, or '', is every record."
                + " With -e or -f there is no PATTERN, and all are FILEs.")
        .list(String.class, arguments, value -> arguments = value);
    list.addAll(patterns);
    list.addAll(groups);
    list.addAll(nodes);
    list.addAll(nodeFlags);
    list.addAll(tree);
  }

  /** Runs this command as a program of its own. */
  public static void main(String[] args) {
    Programs.mainOfShort("stats", new StatsCommand(), args);
  }

  private boolean asksNode() {
    return arguments.size() <= patterns() && !tree.areRecursive();
  }

  /** How many of the arguments are patterns; the others are files. */
  private int patterns() {
    return patterns.areGiven() || arguments.isEmpty() ? 0 : 1;
  }

  @Override
  public Integer call() throws Exception {
    PatternSpec pattern = patterns.specOrAll(arguments.subList(0, patterns()));
    if (!asksNode()) {
      return countFiles(pattern);
    }
    if (GrepCommand.isFile(String.join("", arguments))) {
      System.err.printf(
          "%s: a node is asked for records with the text %s; the file is counted by '%s \'\' %s'%n",
          NAME, arguments.getFirst(), NAME, arguments.getFirst());
    }
    var query = new QueryString();
    patterns.addTo(query, pattern);
    groups.addTo(query);
    return new TableSearch(COMMAND, ApiPaths.STATS, nodes, nodeFlags).run(query, this::print);
  }

  private int countFiles(PatternSpec pattern) throws IOException {
    List<String> files = arguments.subList(patterns(), arguments.size());
    List<String> named = files.isEmpty() ? List.of("") : files;
    GrepCommand.refuse(
        spec,
        OF_NODES,
        flag -> "expected no FILE with " + flag + ", which asks a node, found " + named.getFirst());
    RecordGroups counted = groups.groups(patterns.extract());
    boolean all =
        new FileStats(patterns.matcher(pattern), patterns.takeOthers(), (byte) '\n', counted)
            .count(named, tree.tree());
    if (!TableSearch.print(new ByteArrayInputStream(written(counted, all)), this::print)) {
      return Programs.SUCCESS;
    }
    TableSearch.sayIfCut(COMMAND, counted.others());
    return !all ? Programs.ERROR : counted.records() > 0 ? Programs.SUCCESS : Programs.NONE;
  }

  private byte[] written(RecordGroups counted, boolean all) throws IOException {
    var written = new ByteArrayOutputStream();
    counted.write(written);
    if (groups.isJson()) {
      String verdict =
          "{\"verdict\":\"%s\",\"matches\":%d}\n"
              .formatted(all ? "complete" : "possibly-incomplete", counted.records());
      written.writeBytes(verdict.getBytes(StandardCharsets.US_ASCII));
    }
    return written.toByteArray();
  }

  private void print(InputStream body, OutputStream out) throws IOException {
    if (!groups.isJson() && StandardOutput.isTerminal()) {
      Columns.align(body, out);
    } else if (!groups.isJson() && groups.isByTime()) {
      nodeFlags.zone().copy(body, out);
    } else {
      body.transferTo(out);
    }
  }
}
