package io.cordwood.dist.search;

import io.cordwood.common.http.ApiParams;
import io.cordwood.common.segment.Delimiter;
import io.cordwood.dist.client.AskedNodes;
import io.cordwood.dist.client.NodeTail;
import io.cordwood.dist.program.Programs;
import io.cordwood.dist.program.QuickCommand;
import io.cordwood.dist.program.QuickFlags;
import io.cordwood.dist.program.QuickStart;
import io.cordwood.dist.program.Values;
import io.cordwood.dist.question.DelimiterFlag;
import io.cordwood.dist.question.PatternFlags;
import io.cordwood.dist.question.QueryString;
import io.cordwood.dist.question.TopicFlag;
import io.cordwood.dist.question.ZoneFlag;
import io.cordwood.dist.records.RawFlag;
import io.cordwood.dist.records.RecordForm;
import io.cordwood.dist.records.RecordOutput;
import io.cordwood.dist.records.RecordPrinter;
import io.cordwood.dist.terminal.ColourFlag;
import io.cordwood.dist.terminal.CtrlC;
import io.cordwood.dist.terminal.StandardOutput;
import io.cordwood.query.match.Parts;
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
      description = {
        "What to look for: a text, case and all, unless -E or -i. Several: what matches one",
        "of them. Default: every record."
      })
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
      paramLabel = "TIME",
      converter = Values.DurationValue.class,
      description =
          "How long a record waits for others that belong before it, such as 1s. Default: 100ms.")
  private @Nullable Duration window;

  @Mixin private RecordForm form = new RecordForm();

  @Mixin private ZoneFlag zone = new ZoneFlag();

  @Mixin private DelimiterFlag delimiter = new DelimiterFlag();

  @Mixin private ColourFlag colour = new ColourFlag();

  @Mixin private RawFlag raw = new RawFlag();

  /** Runs this command as a program of its own. */
  public static void main(String[] args) {
    QuickStart.runIfUsual("tail", new TailCommand(), args);
    Programs.main("tail", new TailCommand(), args);
  }

  @Override
  public List<QuickFlags> mixins() {
    return List.of(patterns, nodes, topics, form, zone, delimiter, colour, raw);
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
    CtrlC.endsWith(Programs.SUCCESS);
    try (RecordPrinter printer = printer(pattern)) {
      var output = new RecordOutput(NAME, printer, form, zone);
      String begin = ApiParams.LINES + "=" + lines;
      new NodeTail(NAME, nodes.addresses(), query(pattern).toString(), begin, output).run();
    } catch (StandardOutput.ClosedException e) {
      return Programs.SUCCESS;
    }
    return Programs.SUCCESS;
  }

  private QueryString query(PatternSpec pattern) {
    var query = new QueryString();
    patterns.addTo(query, pattern);
    topics.addTo(query);
    return query
        .addIfThere(ApiParams.WINDOW, window == null ? null : window.toMillis() + "ms")
        .add(ApiParams.ALIVE, "true")
        .add(ApiParams.FORMAT, "json");
  }

  private RecordPrinter printer(PatternSpec pattern) {
    String parameters = colour.parameters();
    boolean shown = parameters != null && !patterns.areInverted() && !form.isJson();
    Parts parts = shown ? PatternFlags.compiled(pattern, Parts::of) : null;
    byte end = form.isJson() ? Delimiter.LF.value() : delimiter.value();
    var style = new RecordPrinter.Style(parts, false, parameters, end);
    return raw.printer(style, new StandardOutput());
  }
}
