package io.cordwood.cli.search;

import io.cordwood.cli.client.AskedNodes;
import io.cordwood.cli.program.Command;
import io.cordwood.cli.program.FlagList;
import io.cordwood.cli.program.Programs;
import io.cordwood.cli.question.QueryString;
import io.cordwood.common.http.ApiParams;
import io.cordwood.common.http.ApiPaths;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/** {@code cordwood topics}: the topics that a cluster holds. */
public final class TopicsCommand implements Command {
  AskedNodes nodes = new AskedNodes();
  NodeFlags nodeFlags = new NodeFlags();
  TableForm form = new TableForm();

  @Override
  public void list(FlagList list) {
    list.description("Print the topics that there are, by name, with what is held of each.");
    list.footer(
        "",
        "Each line: topic, records, bytes before compression, first and last time. They come from",
        "the indexes, copies included: what is on two stores counts twice.",
        "",
        "Exit code 0 if there is one, 1 if none, 2 on error or if some may be missing.",
        "",
        "  cordwood topics | cut -d ' ' -f 1",
        "  cordwood topics --topic 'svc-*' --since 1d");
    list.addAll(nodes);
    list.addAll(nodeFlags);
    list.addAll(form);
  }

  /** Runs this command as a program of its own. */
  public static void main(String[] args) {
    Programs.mainOfShort("topics", new TopicsCommand(), args);
  }

  @Override
  public Integer call() throws Exception {
    var query = new QueryString().addIfThere(ApiParams.FORMAT, form.format());
    return new TableSearch("topics", ApiPaths.TOPICS, nodes, nodeFlags).run(query, this::print);
  }

  private void print(InputStream table, OutputStream out) throws IOException {
    form.print(table, out, nodeFlags.zone(), "topic records bytes first last", " ");
  }
}
