package io.cordwood.dist.server;

import io.cordwood.dist.program.Programs;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code cordwood ingest}; {@link Node} shows what it is made of. */
@Command(
    sortOptions = false,
    description = "Take records from senders, and keep them until a store node has them.",
    footer = {"", "Runs until SIGTERM or SIGINT (Ctrl-C), and then ends in order."})
public final class IngestCommand implements NodeCommand {
  @Spec private @Nullable CommandSpec spec;

  @Mixin private ServerFlags server = new ServerFlags();

  @Mixin private IngestFlags ingest = new IngestFlags();

  /** Runs this command as a program of its own. */
  public static void main(String[] args) {
    Programs.main("ingest", new IngestCommand(), args);
  }

  @Override
  public void check() {
    server.check();
    var _ = ingest.options(server.data, server.bind, Optional.empty());
  }

  @Override
  public Integer call() throws Exception {
    CommandSpec own = Objects.requireNonNull(spec);
    return Node.run("ingest", server, ingest, null, () -> Configuration.log(own, System.getenv()));
  }
}
