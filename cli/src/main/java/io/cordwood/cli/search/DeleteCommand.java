package io.cordwood.cli.search;

import io.cordwood.cli.client.AskedNodes;
import io.cordwood.cli.program.Command;
import io.cordwood.cli.program.CommandException;
import io.cordwood.cli.program.FlagList;
import io.cordwood.cli.program.Programs;
import io.cordwood.cli.question.QueryString;
import io.cordwood.cli.question.RangeFlags;
import io.cordwood.cli.question.TopicFlag;
import io.cordwood.cli.question.WhereFlag;
import io.cordwood.cli.terminal.StandardOutput;
import io.cordwood.common.http.ApiParams;
import io.cordwood.common.http.ApiPaths;
import io.cordwood.common.http.client.CliClient.Answer;
import java.io.Console;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/** {@code cordwood delete}: deletes records of a cluster, once their number is confirmed. */
public final class DeleteCommand implements Command {
  private static final String NAME = "cordwood delete";

  private AskedNodes nodes = new AskedNodes();
  private TopicFlag topics = new TopicFlag();
  private RangeFlags range = new RangeFlags();
  private WhereFlag where = new WhereFlag();
  private boolean yes;
  private boolean list;

  @Override
  public void list(FlagList flags) {
    flags.description(
        "Delete records of a cluster, for good: nobody finds them any more at once, and nodes take",
        "them out of their files.");
    flags.footer(
        "",
        "It takes --topic, and both --from and --to, or --around: there are no defaults. First it",
        "says how many records there are; it deletes them if you answer with that number. What"
            + " comes",
        "later and is of that topic and time is deleted, too, unless --where is given. No command",
        "brings back what is deleted; --list tells which topics and times were, and who asked.",
        "",
        "Exit code 0 if they are deleted, 1 if there are none or you do not want it, 2 on error.",
        "",
        "  cordwood delete --topic shop --from 2026-11-01 --to 2026-11-02T12:00",
        "  cordwood delete --topic shop --from 3d --to 2d --where 'user=anna'",
        "  cordwood delete --list             which are carried out at a node, or why not yet");
    flags.addAll(nodes);
    flags.addAll(topics);
    flags.addAll(range);
    flags.addAll(where);
    flags.flag("--yes").help("Delete what was counted, without asking.").on(value -> yes = value);
    flags
        .flag("--list")
        .help("Delete nothing; show what is deleted, and whether the node has carried it out.")
        .on(value -> list = value);
  }

  @Override
  public Integer call() throws Exception {
    if (list) {
      try (Answer answer = nodes.ask(NAME, ApiPaths.DELETIONS, "")) {
        print(answer);
      }
      return Programs.SUCCESS;
    }
    String query = query();
    long count;
    try (Answer answer = delete(query)) {
      count = count(answer);
      print(answer);
    }
    if (count == 0 || !(yes || isConfirmed(count))) {
      return Programs.NONE;
    }
    try (Answer answer = delete(query + "&" + ApiParams.COUNT + "=" + count)) {
      print(answer);
    }
    return Programs.SUCCESS;
  }

  private String query() {
    RangeFlags.Range times = range.range();
    if (topics.texts().isEmpty()) {
      throw new CommandException("expected --topic, found none");
    }
    if (times.from() == null || times.to() == null) {
      throw new CommandException(
          "expected --from and --to, or --around, found "
              + (times.from() == null ? "no --from" : "no --to"));
    }
    var query = new QueryString();
    times.addTo(query);
    topics.addTo(query);
    where.addTo(query);
    return query.toString();
  }

  private Answer delete(String query) throws IOException {
    return nodes.ask(NAME, (client, node) -> client.postForm(node.uri(ApiPaths.DELETE), query));
  }

  private static long count(Answer answer) throws IOException {
    String text = String.valueOf(answer.header("cordwood-matches"));
    if (!text.matches("[0-9]{1,18}")) {
      throw new IOException("expected a number of records, found " + text);
    }
    return Long.parseLong(text);
  }

  @SuppressWarnings("SystemConsoleNull") // its contract still allows null
  private static boolean isConfirmed(long count) {
    Console console = System.console();
    if (console == null || !console.isTerminal()) {
      throw new CommandException(
          "nothing is deleted: expected --yes, or a terminal to ask at, found neither");
    }
    String answer = console.readLine("Type %d to delete them: ", count);
    return answer != null && answer.strip().equals(Long.toString(count));
  }

  private static void print(Answer answer) throws IOException {
    try (InputStream body = answer.body()) {
      StandardOutput.print(new String(body.readAllBytes(), StandardCharsets.UTF_8));
    }
  }
}
