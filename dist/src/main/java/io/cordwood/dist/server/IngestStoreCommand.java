package io.cordwood.dist.server;

import io.cordwood.dist.program.Programs;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code cordwood ingeststore}; {@link Node} shows what it is made of. */
@Command(
    sortOptions = false,
    description = "A whole installation in one process: take records, keep them, answer queries.",
    footer = {"", "Runs until SIGTERM or SIGINT (Ctrl-C), and then ends in order."})
public final class IngestStoreCommand implements NodeCommand {
  @Spec private @Nullable CommandSpec spec;

  @Mixin private ServerFlags server = new ServerFlags();

  @Mixin private IngestFlags ingest = new IngestFlags();

  @Mixin private StoreFlags store = new StoreFlags(1);

  /** Runs this command as a program of its own. */
  public static void main(String[] args) {
    Programs.main("ingeststore", new IngestStoreCommand(), args);
  }

  @Override
  public void check() {
    server.check();
    var _ = ingest.options(server.data, server.bind, Optional.empty());
    var _ = store.options(server.data);
  }

  @Override
  public Integer call() throws Exception {
    CommandSpec own = Objects.requireNonNull(spec);
    return Node.run(
        "ingeststore", server, ingest, store, () -> Configuration.log(own, System.getenv()));
  }
}
