package io.cordwood.cli.search;

import io.cordwood.cli.client.AskedNodes;
import io.cordwood.cli.program.Command;
import io.cordwood.cli.program.ExclusiveFlags;
import io.cordwood.cli.program.FlagList;
import io.cordwood.cli.program.Programs;
import io.cordwood.cli.question.PatternFlags;
import io.cordwood.cli.question.QueryString;
import io.cordwood.cli.question.ZoneFlag;
import io.cordwood.cli.terminal.StandardOutput;
import io.cordwood.common.http.ApiParams;
import io.cordwood.common.http.ApiPaths;
import io.cordwood.query.http.AnswerKind;
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

/** {@code cordwood histogram}: how many records there are, by time and by pattern. */
public final class HistogramCommand implements Command {
  private List<String> arguments = new ArrayList<>();

  PatternFlags patterns = new PatternFlags();
  Width width = new Width();

  /** How long a bucket is. */
  static final class Width implements ExclusiveFlags {
    @Nullable Duration each;
    @Nullable Integer most;

    @Override
    public void list(FlagList list) {
      list.flag("--bucket")
          .label("DURATION")
          .help("How long each bucket is, such as 1m.")
          .duration(each, value -> each = value);
      list.flag("--buckets")
          .label("N")
          .help("At most this many, of a length that reads well. Default: 60.")
          .value(Integer.class, most, value -> most = value);
    }
  }

  final Split split = new Split();
  @Nullable Integer top;
  boolean rate;

  /** Levels or values, which are told apart in place of patterns. */
  static final class Split implements ExclusiveFlags {
    boolean levels;
    @Nullable String by;

    @Override
    public void list(FlagList list) {
      list.flag("--levels")
          .help(
              "Count by level: error, warn, info, debug, none. A field named level says it, or a"
                  + " word such as ERROR.")
          .on(value -> levels = value);
      list.flag("--by")
          .label("FIELD")
          .help(
              "Count by the value of a field, or by topic: a column each, the names in the first"
                  + " line.")
          .value(String.class, by, value -> by = value);
    }
  }

  AskedNodes nodes = new AskedNodes();
  NodeFlags nodeFlags = new NodeFlags();

  TableForm form = new TableForm();

  @Override
  public void list(FlagList list) {
    list.synopsis("cordwood histogram [OPTIONS] [PATTERN…]");
    list.description("Print how many records contain a PATTERN, by time: a line a bucket.");
    list.footer(
        "",
        "Each line: when the bucket begins, and the number of records; with several patterns one",
        "for each, of the records that match it and none before it. On a terminal with a bar.",
        "",
        "Exit code 0 if there is a record, 1 if none, 2 on error or if some may be missing.",
        "",
        "  cordwood histogram --since 1h --bucket 1m ERROR",
        "  cordwood histogram -i -e error -e warn -e '' --since 1d",
        "  cordwood histogram --since 1h --by topic");
    list.argument("0..*", "0..*")
        .label("PATTERN")
        .help(
            "What to look for: a text, case and all, unless -E or -i. Several are counted apart. "
                + "Default: every record.")
        .list(String.class, arguments, value -> arguments = value);
    list.addAll(patterns);
    list.addAll(width);
    list.addAll(split);
    list.flag("--top")
        .label("N")
        .help(
            "With --by so many values, those of the most records; others are one column. Default:"
                + " 10.")
        .value(Integer.class, top, value -> top = value);
    list.flag("--rate")
        .help("Print numbers per second, not of each bucket.")
        .on(value -> rate = value);
    list.addAll(nodes);
    list.addAll(nodeFlags);
    list.addAll(form);
  }

  /** Runs this command as a program of its own. */
  public static void main(String[] args) {
    Programs.mainOfShort("histogram", new HistogramCommand(), args);
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
        .addIf(ApiParams.LEVELS, split.levels)
        .addIfThere(ApiParams.BY, split.by)
        .addIfThere(ApiParams.TOP, top)
        .addIf(ApiParams.RATE, rate)
        .addIfThere(ApiParams.FORMAT, form.format());
  }

  private void print(InputStream body, OutputStream out) throws IOException {
    ZoneFlag zone = nodeFlags.zone();
    if (split.by != null || form.kind() != AnswerKind.TEXT || !StandardOutput.isTerminal()) {
      form.print(body, out, zone, true);
      return;
    }
    var reader = new BufferedReader(new InputStreamReader(body, StandardCharsets.US_ASCII));
    for (String line : HistogramBars.drawn(reader.lines().map(zone::printedIn).toList())) {
      out.write((line + "\n").getBytes(StandardCharsets.UTF_8));
    }
  }
}
