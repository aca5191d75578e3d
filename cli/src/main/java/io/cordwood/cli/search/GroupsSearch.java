package io.cordwood.cli.search;

import io.cordwood.cli.client.AskedNodes;
import io.cordwood.cli.files.FileStats;
import io.cordwood.cli.files.TreeFlags;
import io.cordwood.cli.program.FlagList;
import io.cordwood.cli.program.Flags;
import io.cordwood.cli.program.Programs;
import io.cordwood.cli.question.PatternFlags;
import io.cordwood.cli.question.QueryString;
import io.cordwood.query.fields.Extract;
import io.cordwood.query.groups.RecordGroups;
import io.cordwood.query.http.AnswerKind;
import io.cordwood.query.match.PatternSpec;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;

/** Which records are counted by their fields: of a node, or of files. */
final class GroupsSearch implements Flags {
  /** Flags that make no sense of a FILE. */
  private static final List<String> OF_NODES =
      List.of("--every", "--rate", "--node", "--from", "--to", "--around", "--topic", "--stats");

  private final String command;
  private @Nullable CommandSpec spec;
  private List<String> arguments = new ArrayList<>();

  PatternFlags patterns = new PatternFlags();
  AskedNodes nodes = new AskedNodes();
  NodeFlags nodeFlags = new NodeFlags();
  TreeFlags tree = new TreeFlags();

  GroupsSearch(String command) {
    this.command = command;
  }

  /** The part of a command that says how records are counted. */
  interface Counted {
    /** Asks a node for it. */
    void addTo(QueryString query);

    /** Counts it here. */
    RecordGroups groups(Extract extract);

    TableForm form();

    /** Whether its lines have times. */
    boolean isByTime();
  }

  @Override
  public void list(FlagList list) {
    spec = list.command();
    list.argument("0..*", "0..*")
        .label("PATTERN FILE")
        .help(
            "What to look for: a text, case and all, unless -E or -i; none, or '', is every record."
                + " With -e or -f there is no PATTERN, and all are FILEs.")
        .list(String.class, arguments, value -> arguments = value);
    list.addAll(patterns);
    list.addAll(nodes);
    list.addAll(nodeFlags);
    list.addAll(tree);
  }

  private boolean asksNode() {
    return arguments.size() <= patterns() && !tree.areRecursive();
  }

  /** How many of the arguments are patterns; the others are files. */
  private int patterns() {
    return patterns.areGiven() || arguments.isEmpty() ? 0 : 1;
  }

  /**
   * The exit code.
   *
   * @param path of the node's API
   */
  int run(String path, Counted counted) throws IOException {
    PatternSpec pattern = patterns.specOrAll(arguments.subList(0, patterns()));
    if (!asksNode()) {
      return countFiles(pattern, counted);
    }
    if (GrepCommand.isFile(String.join("", arguments))) {
      System.err.printf(
          "cordwood %1$s: a node is asked for records with the text %2$s; the file is counted by"
              + " 'cordwood %1$s \'\' %2$s'%n",
          command, arguments.getFirst());
    }
    var query = new QueryString();
    patterns.addTo(query, pattern);
    counted.addTo(query);
    return new TableSearch(command, path, nodes, nodeFlags)
        .run(
            query,
            (table, out) -> counted.form().print(table, out, nodeFlags.zone(), counted.isByTime()));
  }

  private int countFiles(PatternSpec pattern, Counted counted) throws IOException {
    List<String> files = arguments.subList(patterns(), arguments.size());
    List<String> named = files.isEmpty() ? List.of("") : files;
    GrepCommand.refuse(
        spec,
        OF_NODES,
        flag -> "expected no FILE with " + flag + ", which asks a node, found " + named.getFirst());
    RecordGroups groups = counted.groups(patterns.extract());
    boolean all =
        new FileStats(
                command, patterns.matcher(pattern), patterns.takeOthers(), (byte) '\n', groups)
            .count(named, tree.tree());
    byte[] table = written(groups, all, counted.form().kind());
    if (!TableSearch.print(
        new ByteArrayInputStream(table),
        (in, out) -> counted.form().print(in, out, nodeFlags.zone(), counted.isByTime()))) {
      return Programs.SUCCESS;
    }
    TableSearch.sayIfCut(command, groups.others(), groups.error());
    return !all ? Programs.ERROR : groups.records() > 0 ? Programs.SUCCESS : Programs.NONE;
  }

  private static byte[] written(RecordGroups counted, boolean all, AnswerKind kind)
      throws IOException {
    var written = new ByteArrayOutputStream();
    counted.write(written);
    if (kind == AnswerKind.JSON) {
      String verdict =
          "{\"verdict\":\"%s\",\"matches\":%d}\n"
              .formatted(all ? "complete" : "possibly-incomplete", counted.records());
      written.writeBytes(verdict.getBytes(StandardCharsets.US_ASCII));
    }
    return written.toByteArray();
  }
}
