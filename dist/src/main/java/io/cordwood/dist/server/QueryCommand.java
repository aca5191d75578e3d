package io.cordwood.dist.server;

import io.cordwood.cli.program.QuickFlags;
import io.cordwood.cli.program.QuickStart;
import picocli.CommandLine.Command;

/** {@code cordwood query}; {@link Node} shows what it is made of. */
@Command(
    sortOptions = false,
    description = "Answer queries for the whole cluster, and hold no records: --peer says where.",
    footer = {"", "Runs until SIGTERM or SIGINT (Ctrl-C), and then ends in order."})
public final class QueryCommand extends NodeCommand {
  private static final String NAME = "query";

  public QueryCommand() {
    super(NAME);
  }

  /** Runs this command as a program of its own. */
  public static void main(String[] args) {
    QuickStart.main(NAME, QueryCommand::new, args);
  }

  @Override
  public QuickFlags quickFlags() {
    return new QuickQueryCommand(this);
  }

  @Override
  void check() {
    server.check();
  }

  @Override
  public Integer call() throws Exception {
    return Node.run(NAME, server, null, null, this::logFlags);
  }
}
