package io.cordwood.dist.server;

import io.cordwood.cli.program.FlagList;
import io.cordwood.cli.program.Programs;

/** {@code cordwood store}; {@link Node} shows what it is made of. */
final class StoreCommand extends NodeCommand {
  private static final String NAME = "store";

  final StoreFlags store = new StoreFlags(2);

  @Override
  public void list(FlagList list) {
    super.list(list);
    list.description("Collect records from ingest nodes, keep them, and answer queries.");
    list.footer("", "Runs until SIGTERM or SIGINT (Ctrl-C), and then ends in order.");
    list.addAll(store);
  }

  /** Runs this command as a program of its own. */
  public static void main(String[] args) {
    Programs.main(NAME, new StoreCommand(), args);
  }

  @Override
  void check() {
    server.check();
    var _ = store.options(server.data, server.cold);
  }

  @Override
  int run() throws Exception {
    return Node.run(NAME, server, null, store, this::logFlags);
  }
}
