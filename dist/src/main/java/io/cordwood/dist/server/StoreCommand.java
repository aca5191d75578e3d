package io.cordwood.dist.server;

import io.cordwood.dist.program.Programs;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code cordwood store}; {@link Node} shows what it is made of. */
@Command(
    sortOptions = false,
    description = "Collect records from ingest nodes, keep them, and answer queries.",
    footer = {"", "Runs until SIGTERM or SIGINT (Ctrl-C), and then ends in order."})
public final class StoreCommand implements Callable<Integer> {
  @Mixin private ServerFlags server = new ServerFlags();

  @Mixin private StoreFlags store = new StoreFlags(2);

  /** Runs this command as a program of its own. */
  public static void main(String[] args) {
    Programs.main("store", new StoreCommand(), args);
  }

  @Override
  public Integer call() throws Exception {
    return Node.run("store", server, null, store);
  }
}
