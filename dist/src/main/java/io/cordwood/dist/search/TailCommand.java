package io.cordwood.dist.search;

import io.cordwood.common.http.ApiParams;
import io.cordwood.dist.client.AskedNodes;
import io.cordwood.dist.client.NodeTail;
import io.cordwood.dist.program.Programs;
import io.cordwood.dist.program.QuickCommand;
import io.cordwood.dist.program.QuickFlags;
import io.cordwood.dist.program.QuickStart;
import io.cordwood.dist.program.Values;
import io.cordwood.dist.question.PatternFlags;
import io.cordwood.dist.question.QueryString;
import io.cordwood.dist.question.TopicFlag;
import io.cordwood.dist.question.ZoneFlag;
import io.cordwood.dist.records.RecordForm;
import io.cordwood.dist.records.StyleFlags;
import io.cordwood.dist.terminal.StandardOutput;
import io.cordwood.query.match.PatternSpec;
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

  @Parameters(
      arity = "0..*",
      paramLabel = "PATTERN",
      description =
          "What to look for: a text, case and all, unless -E or -i. Several: what matches one of "
              + "them. Default: every record.")
  private List<String> arguments = new ArrayList<>();

  @Mixin private PatternFlags patterns = new PatternFlags();

  @Option(
      names = {"-n", "--lines"},
      paramLabel = "N",
      description = "The last N records that are there already, first. Default: 10.")
  private int lines = 10;

  @Mixin private AskedNodes nodes = new AskedNodes();

  @Mixin private TopicFlag topics = new TopicFlag();

  @Option(
      names = "--window",
      paramLabel = "DURATION",
      converter = Values.DurationValue.class,
      description =
          "How long a record waits for others that belong before it, such as 1s. Default: 100ms.")
  private @Nullable Duration window;

  @Mixin private ZoneFlag zone = new ZoneFlag();

  private final RecordForm form = new RecordForm();
  @Mixin private StyleFlags style = new StyleFlags(form);

  /** Runs this command as a program of its own. */
  public static void main(String[] args) {
    QuickStart.runIfUsual("tail", new TailCommand(), args);
    Programs.main("tail", new TailCommand(), args);
  }

  @Override
  public List<QuickFlags> mixins() {
    return List.of(patterns, nodes, topics, zone, style);
  }

  @Override
  public boolean take(String flag, String value) {
    boolean own = flag.equals("-n") || flag.equals("--lines");
    if (own) {
      lines = (int) QuickFlags.number(value);
    }
    return own && lines != QuickFlags.NO_NUMBER;
  }

  @Override
  public boolean takeArguments(List<String> taken) {
    return arguments.addAll(taken) || taken.isEmpty();
  }

  @Override
  public Integer call() throws Exception {
    PatternSpec pattern = patterns.specOrAll(arguments);
    return new Following(NAME, nodes, form, zone)
        .run(
            query(pattern),
            NodeTail.Begin.last(lines),
            style.printer(patterns, pattern, false, new StandardOutput()));
  }

  private QueryString query(PatternSpec pattern) {
    var query = new QueryString();
    patterns.addTo(query, pattern);
    topics.addTo(query);
    return query.addIfThere(ApiParams.WINDOW, window == null ? null : window.toMillis() + "ms");
  }
}
