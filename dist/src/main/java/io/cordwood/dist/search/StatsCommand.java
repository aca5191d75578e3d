package io.cordwood.dist.search;

import io.cordwood.common.http.ApiParams;
import io.cordwood.common.http.ApiPaths;
import io.cordwood.common.http.CliClient.Answer;
import io.cordwood.common.text.Durations;
import io.cordwood.dist.client.AskedNodes;
import io.cordwood.dist.client.GrepStatistics;
import io.cordwood.dist.program.Programs;
import io.cordwood.dist.program.QuickCommand;
import io.cordwood.dist.program.QuickFlags;
import io.cordwood.dist.program.QuickStart;
import io.cordwood.dist.program.Values;
import io.cordwood.dist.question.NodeFlags;
import io.cordwood.dist.question.PatternFlags;
import io.cordwood.dist.question.QueryString;
import io.cordwood.dist.records.Columns;
import io.cordwood.dist.terminal.StandardOutput;
import io.cordwood.query.match.PatternSpec;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code cordwood stats}: how many records there are, by the values of fields. */
@Command(
    sortOptions = false,
    customSynopsis = "cordwood stats [OPTIONS] [PATTERN…]",
    description = "Count and measure records by the values of their fields.",
    footer = {
      "",
      "Each line: the values of the fields of --by, and the number of records that have them; then",
      "what is measured. - is no value. The most frequent come first; with --every, by time.",
      "",
      "Exit code 0 if there is a record, 1 if none, 2 on error or if some may be missing.",
      "",
      "  cordwood stats --since 1h --by status,method",
      "  cordwood stats --where 'status>=500' --by path --top 20 --p99 dur"
    })
public final class StatsCommand implements QuickCommand {
  private static final String NAME = "cordwood stats";

  @Parameters(
      arity = "0..*",
      paramLabel = "PATTERN",
      description =
          "What to look for: a text, case and all, unless -E or -i. Several: what matches one of "
              + "them. Default: every record.")
  private List<String> arguments = new ArrayList<>();

  @Mixin private PatternFlags patterns = new PatternFlags();

  @Option(
      names = {"--by", "--count-by"},
      paramLabel = "FIELDS",
      description = "Fields, with commas between: records of the same values are counted together.")
  private List<String> by = new ArrayList<>();

  @Option(
      names = "--every",
      paramLabel = "DURATION",
      converter = Values.DurationValue.class,
      description = "Count each stretch of time by itself, such as 1m.")
  private @Nullable Duration every;

  @Option(
      names = "--top",
      paramLabel = "N",
      description = "At most so many lines: those of the most records.")
  private @Nullable Integer top;

  @Mixin private MeasureFlags measures = new MeasureFlags();
  @Mixin private AskedNodes nodes = new AskedNodes();
  @Mixin private NodeFlags nodeFlags = new NodeFlags();

  @Option(
      names = "--json",
      description = "An object a line: time, by, count, measures; the verdict at the end.")
  private boolean json;

  /** Runs this command as a program of its own. */
  public static void main(String[] args) {
    QuickStart.runIfUsual("stats", new StatsCommand(), args);
    Programs.main("stats", new StatsCommand(), args);
  }

  @Override
  public List<QuickFlags> mixins() {
    return List.of(patterns, measures, nodes, nodeFlags);
  }

  @Override
  public boolean take(String flag) {
    json |= flag.equals("--json");
    return flag.equals("--json");
  }

  @Override
  public boolean take(String flag, String value) {
    switch (flag) {
      case "--by", "--count-by" -> by.add(value);
      case "--every" -> {
        try {
          every = Durations.parse(value);
        } catch (IllegalArgumentException e) {
          return false;
        }
      }
      case "--top" -> {
        long number = QuickFlags.number(value);
        top = (int) number;
        return number != QuickFlags.NO_NUMBER;
      }
      default -> {
        return false;
      }
    }
    return true;
  }

  @Override
  public boolean takeArguments(List<String> taken) {
    return arguments.addAll(taken) || taken.isEmpty();
  }

  @Override
  public Integer call() throws Exception {
    String query = query(patterns.specOrAll(arguments)).toString();
    try (Answer answer =
            nodes.ask(
                NAME, (client, node) -> QueryString.ask(client, node, ApiPaths.STATS, query));
        InputStream body = answer.body()) {
      try (OutputStream out = new StandardOutput().safe()) {
        print(body, out);
      } catch (StandardOutput.ClosedException e) {
        return Programs.SUCCESS;
      }
      GrepStatistics statistics = GrepStatistics.of(answer);
      if (nodeFlags.stats()) {
        statistics.print(System.err);
      }
      String cut = statistics.fields().getOrDefault("groups-cut", "0");
      if (!cut.equals("0")) {
        System.err.println(
            NAME + ": " + cut + " records have other values, more than the node has room for");
      }
      return statistics.exitCode("stats");
    }
  }

  private QueryString query(PatternSpec pattern) {
    var query = new QueryString();
    patterns.addTo(query, pattern);
    by.forEach(fields -> query.add(ApiParams.BY, fields));
    query
        .addIfThere(ApiParams.EVERY, every == null ? null : text(every))
        .addIfThere(ApiParams.TOP, top)
        .addIfThere(ApiParams.FORMAT, json ? "json" : null);
    measures.addTo(query);
    nodeFlags.addTo(query);
    return query;
  }

  private static String text(Duration every) {
    long millis = every.toMillis();
    return millis % 1000 == 0 ? millis / 1000 + "s" : millis + "ms";
  }

  private void print(InputStream body, OutputStream out) throws IOException {
    if (json) {
      body.transferTo(out);
    } else if (StandardOutput.isTerminal()) {
      Columns.align(body, out);
    } else {
      nodeFlags.zone().copy(body, out);
    }
  }
}
