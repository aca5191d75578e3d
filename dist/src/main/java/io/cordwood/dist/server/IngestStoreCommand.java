package io.cordwood.dist.server;

import io.cordwood.cli.program.FlagList;
import io.cordwood.cli.program.Programs;
import java.util.Optional;

/** {@code cordwood ingeststore}; {@link Node} shows what it is made of. */
final class IngestStoreCommand extends NodeCommand {
  private static final String NAME = "ingeststore";

  final IngestFlags ingest = new IngestFlags();
  final StoreFlags store = new StoreFlags(1);

  @Override
  public void list(FlagList list) {
    super.list(list);
    list.description(
        "A whole installation in one process: take records, keep them, answer queries.");
    list.footer("", "Runs until SIGTERM or SIGINT (Ctrl-C), and then ends in order.");
    list.addAll(ingest);
    list.addAll(store);
  }

  /** Runs this command as a program of its own. */
  public static void main(String[] args) {
    Programs.main(NAME, new IngestStoreCommand(), args);
  }

  @Override
  void check() {
    server.check();
    var _ = ingest.options(server.data, server.bind, Optional.empty());
    var _ = store.options(server.data, server.cold);
  }

  @Override
  int run() throws Exception {
    return Node.run(NAME, server, ingest, store, this::logFlags);
  }
}
