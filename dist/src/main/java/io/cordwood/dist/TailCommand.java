package io.cordwood.dist;

import io.cordwood.common.http.ApiParams;
import io.cordwood.query.match.Parts;
import io.cordwood.query.match.PatternException;
import io.cordwood.query.match.PatternSpec;
import io.cordwood.query.match.PatternSpec.Extent;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
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
public final class TailCommand implements Callable<Integer> {
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
      names = {"-v", "--invert-match"},
      description = "The records that do not match.")
  private boolean invert;

  @Option(
      names = {"-n", "--lines"},
      paramLabel = "N",
      defaultValue = "10",
      description = "The last N records that are there already, first. Default: ${DEFAULT-VALUE}.")
  private int lines;

  @Mixin private AskedNodes nodes = new AskedNodes();

  @Option(
      names = "--topic",
      paramLabel = "NAME",
      description = "Records of this topic; may be given several times. Default: all topics.")
  private List<String> topics = new ArrayList<>();

  @Option(
      names = "--window",
      paramLabel = "TIME",
      converter = Values.DurationValue.class,
      description =
          "How long a record waits for others that belong before it, such as 1s. Default: 100ms.")
  private @Nullable Duration window;

  @ArgGroup(exclusive = true)
  private Form form = new Form();

  /** What is printed of each record. */
  static final class Form {
    @Option(names = "--ulid", description = "Each record's ULID and a space before its lines.")
    boolean ulid;

    @Option(names = "--json", description = "An object a line: ulid, time, topic, record.")
    boolean json;
  }

  @Mixin private ColourFlag colour = new ColourFlag();

  @Option(
      names = "--raw",
      description = "Control characters as they are, also on a terminal, where they may do harm.")
  private boolean raw;

  /** Runs this command as a program of its own. */
  public static void main(String[] args) {
    Programs.main("tail", new TailCommand(), args);
  }

  @Override
  public Integer call() throws Exception {
    List<String> own = arguments.isEmpty() && !patterns.areGiven() ? List.of("") : arguments;
    PatternSpec pattern = patterns.spec(own);
    CtrlC.endsWith(Programs.SUCCESS);
    try (RecordPrinter printer = printer(pattern)) {
      var output = new TailOutput(printer, form.ulid, form.json);
      new NodeTail(nodes.addresses(), query(pattern).toString(), lines, output).run();
    } catch (StandardOutput.ClosedException e) {
      return Programs.SUCCESS;
    }
    return Programs.SUCCESS;
  }

  private QueryString query(PatternSpec pattern) {
    return new QueryString()
        .addAll(ApiParams.Q, pattern.patterns())
        .addIf(ApiParams.REGEX, pattern.regex())
        .addIf(ApiParams.IGNORE_CASE, pattern.ignoreCase())
        .addIf(ApiParams.WORD, pattern.extent() == Extent.WORD)
        .addIf(ApiParams.WHOLE, pattern.extent() == Extent.RECORD)
        .addIf(ApiParams.INVERT, invert)
        .addAll(ApiParams.TOPIC, topics)
        .addIfThere(ApiParams.WINDOW, window == null ? null : window.toMillis() + "ms")
        .add(ApiParams.ALIVE, "true")
        .add(ApiParams.FORMAT, "json");
  }

  private RecordPrinter printer(PatternSpec pattern) throws IOException {
    String parameters = colour.parameters();
    boolean shown = parameters != null && !invert && !form.json;
    boolean safe = !raw && StandardOutput.isTerminal();
    return new RecordPrinter(
        new StandardOutput(),
        !safe,
        new RecordPrinter.Style(shown ? parts(pattern) : null, false, parameters));
  }

  private static Parts parts(PatternSpec pattern) {
    try {
      return Parts.of(pattern);
    } catch (PatternException e) {
      throw new CommandException(String.valueOf(e.getMessage()), e);
    }
  }
}
