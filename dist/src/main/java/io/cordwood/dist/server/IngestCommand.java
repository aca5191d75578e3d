package io.cordwood.dist.server;

import io.cordwood.cli.program.FlagList;
import io.cordwood.cli.program.Programs;
import java.util.Optional;

/** {@code cordwood ingest}; {@link Node} shows what it is made of. */
final class IngestCommand extends NodeCommand {
  private static final String NAME = "ingest";

  final IngestFlags ingest = new IngestFlags();

  @Override
  public void list(FlagList list) {
    super.list(list);
    list.description("Take records from senders, and keep them until a store node has them.");
    list.footer("", "Runs until SIGTERM or SIGINT (Ctrl-C), and then ends in order.");
    list.addAll(ingest);
  }

  /** Runs this command as a program of its own. */
  public static void main(String[] args) {
    Programs.main(NAME, new IngestCommand(), args);
  }

  @Override
  void check() {
    server.check();
    var _ = ingest.options(server.data, server.bind, Optional.empty());
  }

  @Override
  int run() throws Exception {
    return Node.run(NAME, server, ingest, null, this::logFlags);
  }
}
