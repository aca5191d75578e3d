package io.cordwood.cli.ca;

import io.cordwood.cli.program.Command;
import io.cordwood.cli.program.FlagList;
import io.cordwood.common.ca.CertificateFolder;
import java.io.IOException;

/** {@code cordwood ca client}: what somebody shows to nodes. */
final class CaClientCommand implements Command {
  private final IssueFlags issue = new IssueFlags("one that is called as the client");

  private String name = "";

  @Override
  public void list(FlagList list) {
    list.description("Make a client's certificate, in a folder: ca.pem, client.pem, client.key.");
    list.sorted();
    list.addAll(issue);
    list.argument("0", "1")
        .label("NAME")
        .help("Who the client is.")
        .value(String.class, name, value -> name = value);
  }

  @Override
  public Integer call() throws IOException {
    return issue.issue(
        "a client's certificate",
        name,
        (authority, validity) -> authority.client(name, validity),
        CertificateFolder::writeClient);
  }
}
