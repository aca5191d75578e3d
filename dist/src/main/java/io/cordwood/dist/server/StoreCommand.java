package io.cordwood.dist.server;

import io.cordwood.cli.program.QuickFlags;
import io.cordwood.cli.program.QuickStart;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code cordwood store}; {@link Node} shows what it is made of. */
@Command(
    sortOptions = false,
    description = "Collect records from ingest nodes, keep them, and answer queries.",
    footer = {"", "Runs until SIGTERM or SIGINT (Ctrl-C), and then ends in order."})
public final class StoreCommand extends NodeCommand {
  private static final String NAME = "store";

  @Mixin final StoreFlags store = new StoreFlags(2);

  public StoreCommand() {
    super(NAME);
  }

  /** Runs this command as a program of its own. */
  public static void main(String[] args) {
    QuickStart.main(NAME, StoreCommand::new, args);
  }

  @Override
  public QuickFlags quickFlags() {
    return new QuickStoreCommand(this);
  }

  @Override
  void check() {
    server.check();
    var _ = store.options(server.data);
  }

  @Override
  public Integer call() throws Exception {
    return Node.run(NAME, server, null, store, this::logFlags);
  }
}
