package io.cordwood.dist;

import io.cordwood.common.http.ApiParams;
import io.cordwood.common.http.ApiPaths;
import io.cordwood.common.http.CliClient;
import io.cordwood.common.http.CliClient.Answer;
import io.cordwood.common.net.HostPort;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * {@code cordwood grep}: asks a node for records, and writes them as they come, the oldest first.
 *
 * <pre>
 *   GET /query ──► node ──► Answer ──► [TerminalSafeOutput] ──► standard output
 *                              └─────► trailers ──► GrepStatistics ──► standard error
 * </pre>
 *
 * Records pass as the bytes that they are, unless standard output is a terminal.
 */
@Command(
    sortOptions = false,
    description = "Print the records that contain PATTERN, in the order of their time.",
    footer = {
      "",
      "TIME is 2026-01-31T12:00:00Z, 2026-01-31 12:00 or 14:05 (both local), yesterday, today,",
      "now, 5m or 2h30m (ago), or a number of seconds or milliseconds since 1970.",
      "",
      "Exit code 0 if a record was found, 1 if none, 2 on error or if records may be missing:",
      "standard error says then which nodes did not answer, and what times that concerns.",
      "",
      "  cordwood grep --since 2h -E 'status=5[0-9][0-9]' | head"
    })
public final class GrepCommand implements Callable<Integer> {
  @Parameters(
      paramLabel = "PATTERN",
      description = "What to look for: a text, case and all, unless -E or -i; '' is every record.")
  private String pattern = "";

  @Mixin private AskedNodes nodes = new AskedNodes();

  @ArgGroup(exclusive = true)
  private Syntax syntax = new Syntax();

  /** How PATTERN is read. */
  static final class Syntax {
    @Option(
        names = {"-F", "--fixed-strings"},
        description = "PATTERN is a text. This is the default.")
    boolean fixed;

    @Option(
        names = {"-E", "--extended-regexp"},
        description = "PATTERN is a regular expression (linear time: no back-references).")
    boolean regex;
  }

  @Option(
      names = {"-i", "--ignore-case"},
      description = "Letters match in either case.")
  private boolean ignoreCase;

  @Option(
      names = {"-v", "--invert-match"},
      description = "The records that do not match.")
  private boolean invert;

  @ArgGroup(exclusive = true)
  private Bound bound = new Bound();

  /** Which records of many. */
  static final class Bound {
    @Option(
        names = {"-m", "--max-count"},
        paramLabel = "N",
        description = "The first N records only, the oldest. Default: all.")
    @Nullable Long first;

    @Option(
        names = {"-n", "--tail"},
        paramLabel = "N",
        description = "The last N records only, the newest.")
    @Nullable Long last;
  }

  @Option(
      names = {"--from", "--since"},
      paramLabel = "TIME",
      converter = Values.TimeValue.class,
      description = "Records from this time on. Default: from the first on.")
  private @Nullable Instant from;

  @Option(
      names = {"--to", "--until"},
      paramLabel = "TIME",
      converter = Values.TimeValue.class,
      description = "Records up to this time. Default: up to the last.")
  private @Nullable Instant to;

  @Option(
      names = "--topic",
      paramLabel = "NAME",
      description = "Records of this topic; may be given several times. Default: all topics.")
  private List<String> topics = new ArrayList<>();

  @ArgGroup(exclusive = true)
  private Form form = new Form();

  /** What is printed of each record. */
  static final class Form {
    @Option(
        names = {"-c", "--count"},
        description = "Only the number of records.")
    boolean count;

    @Option(names = "--ulid", description = "Each record's ULID and a space before its lines.")
    boolean ulid;

    @Option(names = "--json", description = "An object a line: ulid, time, topic, record.")
    boolean json;

    @Option(names = "--dry-run", description = "Only statistics of what would be read.")
    boolean dryRun;
  }

  @Option(names = "--stats", description = "Statistics on standard error, at the end.")
  private boolean stats;

  @Option(
      names = "--raw",
      description = "Control characters as they are, also on a terminal, where they may do harm.")
  private boolean raw;

  /** Runs this command as a program of its own. */
  public static void main(String[] args) {
    Programs.main("grep", new GrepCommand(), args);
  }

  @Override
  public Integer call() throws Exception {
    if (from != null && to != null && from.isAfter(to)) {
      throw new CommandException("expected --from before --to, found " + from + " and " + to);
    }
    String query = query().toString();
    try (Answer answer = nodes.ask("cordwood grep", (client, node) -> ask(client, node, query));
        InputStream body = answer.body()) {
      return print(answer, body);
    }
  }

  private QueryString query() {
    return new QueryString()
        .add(ApiParams.Q, pattern)
        .addIf(ApiParams.REGEX, syntax.regex)
        .addIf(ApiParams.IGNORE_CASE, ignoreCase)
        .addIf(ApiParams.INVERT, invert)
        .addIf(ApiParams.COUNT, form.count)
        .addIfThere(ApiParams.LIMIT, bound.first)
        .addIfThere(ApiParams.LAST, bound.last)
        .addIfThere(ApiParams.FROM, from)
        .addIfThere(ApiParams.TO, to)
        .addAll(ApiParams.TOPIC, topics)
        .addIfThere(ApiParams.FORMAT, form.json ? "json" : form.ulid ? "ulid" : null);
  }

  private Answer ask(CliClient client, HostPort node, String query) throws IOException {
    var uri = QueryString.uri(node, ApiPaths.QUERY, query);
    return form.dryRun ? client.head(uri) : client.get(uri);
  }

  private int print(Answer answer, InputStream body) throws IOException {
    try (OutputStream out = StandardOutput.forRecords(raw)) {
      body.transferTo(out);
    } catch (StandardOutput.ClosedException e) {
      return Programs.SUCCESS;
    }
    GrepStatistics statistics = GrepStatistics.of(answer);
    if (stats || form.dryRun) {
      statistics.print(System.err);
    }
    statistics.note("grep").ifPresent(System.err::println);
    return statistics.isPossiblyIncomplete()
        ? Programs.ERROR
        : statistics.found() || form.dryRun ? Programs.SUCCESS : Programs.NONE;
  }
}
