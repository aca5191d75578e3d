package io.cordwood.dist.server;

import io.cordwood.cli.program.QuickFlags;
import io.cordwood.cli.program.QuickStart;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code cordwood ingest}; {@link Node} shows what it is made of. */
@Command(
    sortOptions = false,
    description = "Take records from senders, and keep them until a store node has them.",
    footer = {"", "Runs until SIGTERM or SIGINT (Ctrl-C), and then ends in order."})
public final class IngestCommand extends NodeCommand {
  private static final String NAME = "ingest";

  @Mixin final IngestFlags ingest = new IngestFlags();

  public IngestCommand() {
    super(NAME);
  }

  /** Runs this command as a program of its own. */
  public static void main(String[] args) {
    QuickStart.main(NAME, IngestCommand::new, args);
  }

  @Override
  public QuickFlags quickFlags() {
    return new QuickIngestCommand(this);
  }

  @Override
  void check() {
    server.check();
    var _ = ingest.options(server.data, server.bind, Optional.empty());
  }

  @Override
  public Integer call() throws Exception {
    return Node.run(NAME, server, ingest, null, this::logFlags);
  }
}
