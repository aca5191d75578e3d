package io.cordwood.cli.search;

import io.cordwood.cli.client.AskedNodes;
import io.cordwood.cli.client.NodeTail;
import io.cordwood.cli.program.CommandException;
import io.cordwood.cli.program.Exclusion;
import io.cordwood.cli.program.Programs;
import io.cordwood.cli.program.QuickCommand;
import io.cordwood.cli.program.QuickFlags;
import io.cordwood.cli.program.QuickStart;
import io.cordwood.cli.program.Values;
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
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code cordwood tail}: records as they are received, by any node of the cluster. */
@Command(
    sortOptions = false,
    customSynopsis = "cordwood tail [OPTIONS] [PATTERN…]",
    description =
        "Print the records that contain a PATTERN as they are received, by whatever node.",
    footer = {
      "",
      "Goes on until Ctrl-C, which is exit code 0. When the node that is asked dies, the next",
      "--node is, from the last record on; standard error says so, and what was dropped because",
      "it was not read in time.",
      "",
      "  cordwood tail -i error",
      "  cordwood tail --topic billing --json | jq .record"
    })
public final class TailCommand implements QuickCommand {
  private static final String NAME = "cordwood tail";
  private static final List<Exclusion> EXCLUSIONS =
      List.of(
          new Exclusion(
              List.of("-o", "--only-matching"),
              List.of("-v", "--invert-match"),
              "what is left has no match"),
          new Exclusion(
              List.of("--from", "--since"),
              List.of("-n", "--lines"),
              "each says where the tail begins"));

  @Parameters(
      arity = "0..*",
      paramLabel = "PATTERN",
      description =
          "What to look for: a text, case and all, unless -E or -i. Several: what matches one of "
              + "them. Default: every record.")
  private List<String> arguments = new ArrayList<>();

  @Mixin PatternFlags patterns = new PatternFlags();

  @Option(
      names = {"-n", "--lines"},
      paramLabel = "N",
      description = "The last N records that are there already, first. Default: 10.")
  int lines = 10;

  @Option(
      names = {"--from", "--since"},
      paramLabel = "TIME",
      description = "Instead of -n: all records from this time, or ULID, on, first.")
  @Nullable String from;

  @Option(
      names = {"-o", "--only-matching"},
      description = "Only what matches, each on a line: the longest match at the leftmost place.")
  boolean onlyMatching;

  @Mixin TailHabits habits = new TailHabits();
  @Mixin AskedNodes nodes = new AskedNodes();

  @Mixin TopicFlag topics = new TopicFlag();

  @Option(
      names = "--window",
      paramLabel = "DURATION",
      converter = Values.DurationValue.class,
      description =
          "How long a record waits for others that belong before it, such as 1s. Default: 100ms.")
  @Nullable Duration window;

  @Mixin ZoneFlag zone = new ZoneFlag();

  @Mixin final RecordForm form = new RecordForm();
  @Mixin StyleFlags style = new StyleFlags(form);

  /** Runs this command as a program of its own. */
  public static void main(String[] args) {
    QuickStart.runIfUsual("tail", new TailCommand(), args);
    Programs.main("tail", new TailCommand(), args);
  }

  @Override
  public QuickFlags quickFlags() {
    return new QuickTailCommand(this);
  }

  @Override
  public List<Exclusion> exclusions() {
    return EXCLUSIONS;
  }

  @Override
  public boolean takeArguments(List<String> taken) {
    return arguments.addAll(taken) || taken.isEmpty();
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
    return new Following(NAME, nodes, form, zone)
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
          Programs.explain(e) + "; -f is a file of patterns here, and tail follows without it", e);
    }
  }

  private QueryString query(PatternSpec pattern) {
    var query = new QueryString();
    patterns.addTo(query, pattern);
    topics.addTo(query);
    return query.addIfThere(ApiParams.WINDOW, window);
  }
}
