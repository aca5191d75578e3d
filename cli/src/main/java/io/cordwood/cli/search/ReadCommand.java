package io.cordwood.cli.search;

import io.cordwood.cli.client.AskedNodes;
import io.cordwood.cli.client.GrepStatistics;
import io.cordwood.cli.program.CommandException;
import io.cordwood.cli.program.OneOf;
import io.cordwood.cli.program.Programs;
import io.cordwood.cli.program.QuickCommand;
import io.cordwood.cli.program.QuickFlags;
import io.cordwood.cli.program.QuickStart;
import io.cordwood.cli.program.Values;
import io.cordwood.cli.question.QueryString;
import io.cordwood.cli.question.TopicFlag;
import io.cordwood.cli.records.RawFlag;
import io.cordwood.cli.terminal.StandardOutput;
import io.cordwood.common.http.ApiParams;
import io.cordwood.common.http.ApiPaths;
import io.cordwood.common.http.client.CliClient.Answer;
import io.cordwood.common.ulid.Ulid;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code cordwood read}: asks a node for the records after a position, and writes them as they
 * come, the oldest first.
 *
 * <pre>
 *   GET /read ──► node ──► Answer ──► [TerminalSafeOutput] ──► standard output
 *                             └─────► trailers: positions ──► standard error
 * </pre>
 */
@Command(
    sortOptions = false,
    description = "Print the records after a position, the oldest first, each with its own.",
    footer = {
      "",
      "A position is a record's ULID. It stands before the record and a space; a record of several",
      "lines has it before each of them. Give the last one again to read on.",
      "",
      "Exit code 0 if a record was found, 1 if none, 2 on error or if records may be missing.",
      "",
      "  cordwood read --limit 1000 --print-position",
      "  cordwood read --limit 1000 --from-ulid 01JD8T3ZQ0M5V7XKQW2N8R4E6B"
    })
public final class ReadCommand implements QuickCommand {
  @Mixin AskedNodes nodes = new AskedNodes();

  @Option(
      names = "--from-ulid",
      paramLabel = "ULID",
      description = "Records after this one. Default: from the first on.")
  @Nullable String from;

  @Option(
      names = "--limit",
      paramLabel = "N",
      description = "At most N records, the oldest. Default: all.")
  @Nullable Long limit;

  @Mixin TopicFlag topics = new TopicFlag();

  @Option(
      names = "--settled",
      description = "Only records that no other one can come before any more, unless it is late.")
  boolean settled;

  @Option(
      names = "--late-window",
      paramLabel = "DURATION",
      converter = Values.DurationValue.class,
      description = "What counts as late: a record this long after its ULID's time. Default: 10s.")
  @Nullable Duration lateWindow;

  @Mixin Form form = new Form();

  /** The output for each record. */
  static final class Form implements OneOf {
    @Option(names = "--text", description = "The records alone, without their ULIDs.")
    boolean text;

    @Option(
        names = "--json",
        description = "An object a line: ulid, time, topic, record; the last has the positions.")
    boolean json;
  }

  @Option(
      names = "--print-position",
      description = "On standard error, at the end: 'next' and 'settled', to read on from.")
  boolean printPosition;

  @Mixin RawFlag raw = new RawFlag();

  /** Runs this command as a program of its own. */
  public static void main(String[] args) {
    QuickStart.runIfUsual("read", new ReadCommand(), args);
    Programs.main("read", new ReadCommand(), args);
  }

  @Override
  public QuickFlags quickFlags() {
    return new QuickReadCommand(this);
  }

  @Override
  public Integer call() throws Exception {
    if (from != null && !Ulid.isValid(from)) {
      throw new CommandException(
          "--from-ulid: expected a ULID of 26 characters of base 32, found \"" + from + "\"");
    }
    String query = query().toString();
    try (Answer answer = nodes.ask("cordwood read", ApiPaths.READ, query);
        InputStream body = answer.body()) {
      return print(answer, body);
    }
  }

  private QueryString query() {
    var query = new QueryString();
    topics.addTo(query);
    return query
        .addIfThere(ApiParams.FROM_ULID, from)
        .addIfThere(ApiParams.LIMIT, limit)
        .addIf(ApiParams.SETTLED, settled)
        .addIfThere(ApiParams.LATE_WINDOW, lateWindow)
        .addIfThere(ApiParams.FORMAT, form.json ? "json" : form.text ? "text" : null);
  }

  private int print(Answer answer, InputStream body) throws IOException {
    try (OutputStream out = raw.output(new StandardOutput())) {
      body.transferTo(out);
    } catch (StandardOutput.ClosedException e) {
      return Programs.SUCCESS;
    }
    if (printPosition) {
      printPosition(answer, "next");
      printPosition(answer, "settled");
    }
    return GrepStatistics.of(answer).exitCode("read");
  }

  private static void printPosition(Answer answer, String name) {
    String ulid = answer.header("cordwood-" + name + "-ulid");
    if (ulid != null) {
      System.err.println(name + " " + ulid);
    }
  }
}
