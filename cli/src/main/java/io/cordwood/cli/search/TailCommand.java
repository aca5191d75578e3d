package io.cordwood.cli.search;

import io.cordwood.cli.client.AskedNodes;
import io.cordwood.cli.client.NodeTail;
import io.cordwood.cli.program.Command;
import io.cordwood.cli.program.CommandException;
import io.cordwood.cli.program.Exclusion;
import io.cordwood.cli.program.Failures;
import io.cordwood.cli.program.FlagList;
import io.cordwood.cli.program.Programs;
import io.cordwood.cli.question.PatternFlags;
import io.cordwood.cli.question.QueryString;
import io.cordwood.cli.question.RangeFlags;
import io.cordwood.cli.question.TopicFlag;
import io.cordwood.cli.question.ZoneFlag;
import io.cordwood.cli.records.RecordForm;
import io.cordwood.cli.records.StyleFlags;
import io.cordwood.cli.terminal.StandardOutput;
import io.cordwood.common.http.ApiParams;
import io.cordwood.query.match.PatternSpec;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@code cordwood tail}: records as they are received, by any node of the cluster. */
public final class TailCommand implements Command {
  private static final String NAME = "cordwood tail";
  private static final List<Exclusion> EXCLUSIONS =
      List.of(
          PatternFlags.ONLY_MATCHES,
          new Exclusion(
              List.of("--from", "--since"),
              List.of("-n", "--lines"),
              "each says where the tail begins"));

  private List<String> arguments = new ArrayList<>();

  PatternFlags patterns = new PatternFlags();
  int lines = 10;
  @Nullable String from;
  boolean onlyMatching;
  TailHabits habits = new TailHabits();
  AskedNodes nodes = new AskedNodes();
  TopicFlag topics = new TopicFlag();
  @Nullable Duration window;
  ZoneFlag zone = new ZoneFlag();
  final RecordForm form = new RecordForm();
  StyleFlags style = new StyleFlags(form);

  @Override
  public void list(FlagList list) {
    list.synopsis("cordwood tail [OPTIONS] [PATTERN…]");
    list.description(
        "Print the records that contain a PATTERN as they are received, by whatever node.");
    list.footer(
        "",
        "Goes on until Ctrl-C, which is exit code 0. When the node that is asked dies, the next",
        "--node is, from the last record on; standard error says so, and what was dropped because",
        "it was not read in time.",
        "",
        "  cordwood tail -i error",
        "  cordwood tail --topic billing --json | jq .record");
    list.argument("0..*", "0..*")
        .label("PATTERN")
        .help(
            "What to look for: a text, case and all, unless -E or -i. Several: what matches one of "
                + "them. Default: every record.")
        .list(String.class, arguments, value -> arguments = value);
    list.addAll(patterns);
    list.flag("-n", "--lines")
        .label("N")
        .help("The last N records that are there already, first. Default: 10.")
        .value(int.class, lines, value -> lines = value);
    list.flag("--from", "--since")
        .label("TIME")
        .help("Instead of -n: all records from this time, or ULID, on, first.")
        .value(String.class, from, value -> from = value);
    list.flag("-o", "--only-matching")
        .help("Only what matches, each on a line: the longest match at the leftmost place.")
        .on(value -> onlyMatching = value);
    list.addAll(habits);
    list.addAll(nodes);
    list.addAll(topics);
    list.flag("--window")
        .label("DURATION")
        .help(
            "How long a record waits for others that belong before it, such as 1s. Default: 100ms.")
        .duration(window, value -> window = value);
    list.addAll(zone);
    list.addAll(form);
    list.addAll(style);
  }

  /** Runs this command as a program of its own. */
  public static void main(String[] args) {
    Programs.mainOfShort("tail", new TailCommand(), args);
  }

  @Override
  public List<Exclusion> exclusions() {
    return EXCLUSIONS;
  }

  @Override
  public Integer call() throws Exception {
    habits.check();
    TailHabits.sayIfFiles(arguments, patterns.files());
    PatternSpec pattern = pattern();
    NodeTail.Begin begin =
        from == null
            ? NodeTail.Begin.last(lines)
            : NodeTail.Begin.behind(RangeFlags.positionBefore(from, zone));
    return new Following(NAME, nodes, form, zone, patterns.extract())
        .run(
            query(pattern),
            begin,
            style.printer(patterns, pattern, onlyMatching, new StandardOutput()));
  }

  private PatternSpec pattern() throws IOException {
    try {
      return patterns.specOrAll(arguments);
    } catch (NoSuchFileException e) {
      throw new CommandException(
          Failures.explain(e) + "; -f is a file of patterns here, and tail follows without it", e);
    }
  }

  private QueryString query(PatternSpec pattern) {
    var query = new QueryString();
    patterns.addTo(query, pattern);
    topics.addTo(query);
    return query.addIfThere(ApiParams.WINDOW, window);
  }
}
