package io.cordwood.dist.server;

import io.cordwood.dist.program.Programs;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code cordwood ingest}; {@link Node} shows what it is made of. */
@Command(
    sortOptions = false,
    description = "Take records from senders, and keep them until a store node has them.",
    footer = {"", "Runs until SIGTERM or SIGINT (Ctrl-C), and then ends in order."})
public final class IngestCommand implements Callable<Integer> {
  @Mixin private ServerFlags server = new ServerFlags();

  @Mixin private IngestFlags ingest = new IngestFlags();

  /** Runs this command as a program of its own. */
  public static void main(String[] args) {
    Programs.main("ingest", new IngestCommand(), args);
  }

  @Override
  public Integer call() throws Exception {
    return Node.run("ingest", server, ingest, null);
  }
}
