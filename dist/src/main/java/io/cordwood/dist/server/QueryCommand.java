package io.cordwood.dist.server;

import io.cordwood.cli.program.FlagList;
import io.cordwood.cli.program.Programs;

/** {@code cordwood query}; {@link Node} shows what it is made of. */
final class QueryCommand extends NodeCommand {
  @Override
  public void list(FlagList list) {
    super.list(list);
    list.description(
        "Answer queries for the whole cluster, and hold no records: --peer says where.");
    list.footer("", "Runs until SIGTERM or SIGINT (Ctrl-C), and then ends in order.");
  }

  private static final String NAME = "query";

  /** Runs this command as a program of its own. */
  public static void main(String[] args) {
    Programs.main(NAME, new QueryCommand(), args);
  }

  @Override
  void check() {
    server.check();
  }

  @Override
  int run() throws Exception {
    return Node.run(NAME, server, null, null, this::logFlags);
  }
}
