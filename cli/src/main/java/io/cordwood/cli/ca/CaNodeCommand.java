package io.cordwood.cli.ca;

import io.cordwood.cli.program.Command;
import io.cordwood.cli.program.FlagList;
import io.cordwood.common.ca.CertificateFolder;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** {@code cordwood ca node}: what a node's {@code --tls-dir} has. */
final class CaNodeCommand implements Command {
  private final IssueFlags issue = new IssueFlags("one that is called as the first name");

  private List<String> names = new ArrayList<>();

  @Override
  public void list(FlagList list) {
    list.description(
        "Make the certificate of one node, in a folder for --tls-dir: ca.pem, node.pem, node.key.",
        "Give all names and addresses by which the node is reached: that of --advertise, and "
            + "localhost if it is asked there.");
    list.sorted();
    list.addAll(issue);
    list.argument("0..*", "1..*")
        .label("NAME")
        .help("Host names and addresses of the node.")
        .list(String.class, names, value -> names = value);
  }

  @Override
  public Integer call() throws IOException {
    return issue.issue(
        "a node's --tls-dir",
        names.getFirst().replaceAll("[:*]", "_"),
        (authority, validity) -> authority.node(names, validity),
        CertificateFolder::writeNode);
  }
}
