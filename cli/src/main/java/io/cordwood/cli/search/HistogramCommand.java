package io.cordwood.cli.search;

import io.cordwood.cli.client.AskedNodes;
import io.cordwood.cli.program.OneOf;
import io.cordwood.cli.program.Programs;
import io.cordwood.cli.program.QuickCommand;
import io.cordwood.cli.program.QuickFlags;
import io.cordwood.cli.program.QuickStart;
import io.cordwood.cli.program.Values;
import io.cordwood.cli.question.NodeFlags;
import io.cordwood.cli.question.PatternFlags;
import io.cordwood.cli.question.QueryString;
import io.cordwood.cli.question.ZoneFlag;
import io.cordwood.cli.terminal.StandardOutput;
import io.cordwood.common.http.ApiParams;
import io.cordwood.common.http.ApiPaths;
import io.cordwood.query.match.PatternSpec;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code cordwood histogram}: how many records there are, by time and by pattern. */
@Command(
    sortOptions = false,
    customSynopsis = "cordwood histogram [OPTIONS] [PATTERN…]",
    description = "Print how many records contain a PATTERN, by time: a line a bucket.",
    footer = {
      "",
      "Each line: when the bucket begins, and the number of records; with several patterns one",
      "for each, of the records that match it and none before it. On a terminal with a bar.",
      "",
      "Exit code 0 if there is a record, 1 if none, 2 on error or if some may be missing.",
      "",
      "  cordwood histogram --since 1h --bucket 1m ERROR",
      "  cordwood histogram -i -e error -e warn -e '' --since 1d"
    })
public final class HistogramCommand implements QuickCommand {
  @Parameters(
      arity = "0..*",
      paramLabel = "PATTERN",
      description =
          "What to look for: a text, case and all, unless -E or -i. Several are counted apart. "
              + "Default: every record.")
  private List<String> arguments = new ArrayList<>();

  @Mixin PatternFlags patterns = new PatternFlags();

  @Mixin Width width = new Width();

  /** How long a bucket is. */
  static final class Width implements OneOf {
    @Option(
        names = "--bucket",
        paramLabel = "DURATION",
        converter = Values.DurationValue.class,
        description = "How long each bucket is, such as 1m.")
    @Nullable Duration each;

    @Option(
        names = "--buckets",
        paramLabel = "N",
        description = "At most this many, of a length that reads well. Default: 60.")
    @Nullable Integer most;
  }

  @Option(
      names = "--levels",
      description =
          "Count by level: error, warn, info, debug, none. A field named level says it, or a word "
              + "such as ERROR.")
  boolean levels;

  @Mixin AskedNodes nodes = new AskedNodes();
  @Mixin NodeFlags nodeFlags = new NodeFlags();

  @Option(
      names = "--json",
      description = "An object a line: time, count, counts; the verdict at the end.")
  boolean json;

  /** Runs this command as a program of its own. */
  public static void main(String[] args) {
    QuickStart.runIfUsual("histogram", new HistogramCommand(), args);
    Programs.main("histogram", new HistogramCommand(), args);
  }

  @Override
  public QuickFlags quickFlags() {
    return new QuickHistogramCommand(this);
  }

  @Override
  public boolean takeArguments(List<String> taken) {
    return arguments.addAll(taken) || taken.isEmpty();
  }

  @Override
  public Integer call() throws Exception {
    return new TableSearch("histogram", ApiPaths.HISTOGRAM, nodes, nodeFlags)
        .run(query(patterns.specOrAll(arguments)), this::print);
  }

  private QueryString query(PatternSpec pattern) {
    var query = new QueryString();
    patterns.addTo(query, pattern);
    return query
        .addIfThere(ApiParams.BUCKET, width.each)
        .addIfThere(ApiParams.BUCKETS, width.most)
        .addIf(ApiParams.LEVELS, levels)
        .addIfThere(ApiParams.FORMAT, json ? "json" : null);
  }

  private void print(InputStream body, OutputStream out) throws IOException {
    ZoneFlag zone = nodeFlags.zone();
    if (json) {
      body.transferTo(out);
      return;
    } else if (!StandardOutput.isTerminal()) {
      zone.copy(body, out);
      return;
    }
    var reader = new BufferedReader(new InputStreamReader(body, StandardCharsets.US_ASCII));
    for (String line : HistogramBars.drawn(reader.lines().map(zone::printedIn).toList())) {
      out.write((line + "\n").getBytes(StandardCharsets.UTF_8));
    }
  }
}
