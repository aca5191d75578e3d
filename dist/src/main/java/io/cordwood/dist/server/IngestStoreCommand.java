package io.cordwood.dist.server;

import io.cordwood.cli.program.QuickFlags;
import io.cordwood.cli.program.QuickStart;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code cordwood ingeststore}; {@link Node} shows what it is made of. */
@Command(
    sortOptions = false,
    description = "A whole installation in one process: take records, keep them, answer queries.",
    footer = {"", "Runs until SIGTERM or SIGINT (Ctrl-C), and then ends in order."})
public final class IngestStoreCommand extends NodeCommand {
  private static final String NAME = "ingeststore";

  @Mixin final IngestFlags ingest = new IngestFlags();

  @Mixin final StoreFlags store = new StoreFlags(1);

  public IngestStoreCommand() {
    super(NAME);
  }

  /** Runs this command as a program of its own. */
  public static void main(String[] args) {
    QuickStart.main(NAME, IngestStoreCommand::new, args);
  }

  @Override
  public QuickFlags quickFlags() {
    return new QuickIngestStoreCommand(this);
  }

  @Override
  void check() {
    server.check();
    var _ = ingest.options(server.data, server.bind, Optional.empty());
    var _ = store.options(server.data);
  }

  @Override
  public Integer call() throws Exception {
    return Node.run(NAME, server, ingest, store, this::logFlags);
  }
}
