package io.cordwood.cli.search;

import io.cordwood.cli.client.AskedNodes;
import io.cordwood.cli.client.GrepStatistics;
import io.cordwood.cli.program.Command;
import io.cordwood.cli.program.CommandException;
import io.cordwood.cli.program.ExclusiveFlags;
import io.cordwood.cli.program.FlagList;
import io.cordwood.cli.program.Programs;
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

/**
 * {@code cordwood read}: asks a node for the records after a position, and writes them as they
 * come, the oldest first.
 *
 * <pre>
 *   GET /read ──► node ──► Answer ──► [TerminalSafeOutput] ──► standard output
 *                             └─────► trailers: positions ──► standard error
 * </pre>
 */
public final class ReadCommand implements Command {
  AskedNodes nodes = new AskedNodes();
  @Nullable String from;
  @Nullable Long limit;
  TopicFlag topics = new TopicFlag();
  boolean settled;
  @Nullable Duration lateWindow;
  Form form = new Form();

  /** The output for each record. */
  static final class Form implements ExclusiveFlags {
    boolean text;
    boolean json;

    @Override
    public void list(FlagList list) {
      list.flag("--text").help("The records alone, without their ULIDs.").on(value -> text = value);
      list.flag("--json")
          .help("An object a line: ulid, time, topic, record; the last has the positions.")
          .on(value -> json = value);
    }
  }

  boolean printPosition;

  RawFlag raw = new RawFlag();

  @Override
  public void list(FlagList list) {
    list.description("Print the records after a position, the oldest first, each with its own.");
    list.footer(
        "",
        "A position is a record's ULID. It stands before the record and a space; a record of"
            + " several",
        "lines has it before each of them. Give the last one again to read on.",
        "",
        "Exit code 0 if a record was found, 1 if none, 2 on error or if records may be missing.",
        "",
        "  cordwood read --limit 1000 --print-position",
        "  cordwood read --limit 1000 --from-ulid 01JD8T3ZQ0M5V7XKQW2N8R4E6B");
    list.addAll(nodes);
    list.flag("--from-ulid")
        .label("ULID")
        .help("Records after this one. Default: from the first on.")
        .value(String.class, from, value -> from = value);
    list.flag("--limit")
        .label("N")
        .help("At most N records, the oldest. Default: all.")
        .value(Long.class, limit, value -> limit = value);
    list.addAll(topics);
    list.flag("--settled")
        .help("Only records that no other one can come before any more, unless it is late.")
        .on(value -> settled = value);
    list.flag("--late-window")
        .label("DURATION")
        .help("What counts as late: a record this long after its ULID's time. Default: 10s.")
        .duration(lateWindow, value -> lateWindow = value);
    list.addAll(form);
    list.flag("--print-position")
        .help("On standard error, at the end: 'next' and 'settled', to read on from.")
        .on(value -> printPosition = value);
    list.addAll(raw);
  }

  /** Runs this command as a program of its own. */
  public static void main(String[] args) {
    Programs.mainOfShort("read", new ReadCommand(), args);
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
