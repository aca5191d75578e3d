package io.cordwood.dist.server;

import io.cordwood.dist.program.Programs;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code cordwood query}; {@link Node} shows what it is made of. */
@Command(
    sortOptions = false,
    description = "Answer queries for the whole cluster, and hold no records: --peer says where.",
    footer = {"", "Runs until SIGTERM or SIGINT (Ctrl-C), and then ends in order."})
public final class QueryCommand implements NodeCommand {
  @Spec private @Nullable CommandSpec spec;

  @Mixin private ServerFlags server = new ServerFlags();

  /** Runs this command as a program of its own. */
  public static void main(String[] args) {
    Programs.main("query", new QueryCommand(), args);
  }

  @Override
  public void check() {
    server.check();
  }

  @Override
  public Integer call() throws Exception {
    CommandSpec own = Objects.requireNonNull(spec);
    return Node.run("query", server, null, null, () -> Configuration.log(own, System.getenv()));
  }
}
