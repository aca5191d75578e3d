package io.cordwood.dist.server;

import io.cordwood.dist.program.Programs;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code cordwood store}; {@link Node} shows what it is made of. */
@Command(
    sortOptions = false,
    description = "Collect records from ingest nodes, keep them, and answer queries.",
    footer = {"", "Runs until SIGTERM or SIGINT (Ctrl-C), and then ends in order."})
public final class StoreCommand implements NodeCommand {
  @Spec private @Nullable CommandSpec spec;

  @Mixin private ServerFlags server = new ServerFlags();

  @Mixin private StoreFlags store = new StoreFlags(2);

  /** Runs this command as a program of its own. */
  public static void main(String[] args) {
    Programs.main("store", new StoreCommand(), args);
  }

  @Override
  public void check() {
    server.check();
    var _ = store.options(server.data);
  }

  @Override
  public Integer call() throws Exception {
    CommandSpec own = Objects.requireNonNull(spec);
    return Node.run("store", server, null, store, () -> Configuration.log(own, System.getenv()));
  }
}
