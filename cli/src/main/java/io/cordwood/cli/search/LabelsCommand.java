package io.cordwood.cli.search;

import io.cordwood.cli.client.AskedNodes;
import io.cordwood.cli.program.Command;
import io.cordwood.cli.program.CommandException;
import io.cordwood.cli.program.FlagList;
import io.cordwood.cli.program.Programs;
import io.cordwood.cli.question.QueryString;
import io.cordwood.cli.terminal.StandardOutput;
import io.cordwood.common.http.ApiParams;
import io.cordwood.common.http.ApiPaths;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** {@code cordwood labels}: the labels that batches have, or the values of one. */
public final class LabelsCommand implements Command {
  AskedNodes nodes = new AskedNodes();
  NodeFlags nodeFlags = new NodeFlags();
  TableForm form = new TableForm();
  private List<String> names = new ArrayList<>();
  private @Nullable String typed;

  @Override
  public void list(FlagList list) {
    list.synopsis("cordwood labels [OPTIONS] [NAME]");
    list.description(
        "Print the names of the labels that records have, or the values of NAME, with what is held"
            + " of each.");
    list.footer(
        "",
        "Each line: records, bytes before compression, first and last time, and the name or value.",
        "They come from what segments know of their batches, copies included: what is on two",
        "stores counts twice.",
        "",
        "Exit code 0 if there is one, 1 if none, 2 on error or if some may be missing.",
        "",
        "  cordwood labels",
        "  cordwood labels pod --topic 'svc-*' --since 1h | cut -f 5");
    list.argument("0..1", "0..1")
        .label("NAME")
        .help("The label whose values are printed. Default: the names of all labels.")
        .list(String.class, names, value -> names = value);
    list.addAll(nodes);
    list.addAll(nodeFlags);
    list.flag("--complete")
        .hidden()
        .label("CONDITIONS")
        .value(String.class, typed, value -> typed = value);
    list.addAll(form);
  }

  /** Runs this command as a program of its own. */
  public static void main(String[] args) {
    Programs.mainOfShort("labels", new LabelsCommand(), args);
  }

  @Override
  public Integer call() throws Exception {
    if (typed != null) {
      List<String> found = new LabelCompletion(nodes).of(typed);
      StandardOutput.print(found.stream().map(line -> line + "\n").collect(Collectors.joining()));
      return Programs.SUCCESS;
    }
    if (names.size() > 1) {
      throw new CommandException("expected one NAME, found " + names.size());
    }
    var query = new QueryString().addIfThere(ApiParams.FORMAT, form.format());
    names.forEach(name -> query.add(ApiParams.NAME, name));
    return new TableSearch("labels", ApiPaths.LABELS, nodes, nodeFlags).run(query, this::print);
  }

  private void print(InputStream table, OutputStream out) throws IOException {
    String last = names.isEmpty() ? "name" : "value";
    form.print(table, out, nodeFlags.zone(), "records\tbytes\tfirst\tlast\t" + last, "\t");
  }
}
