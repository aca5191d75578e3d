package io.cordwood.cli.ca;

import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code cordwood ca}: an authority of one's own, and the certificates that it signs. */
@Command(
    description = {
      "Make certificates for TLS: an authority of your own, and what it signs.",
      "Keep the authority's folder where no node is: whoever has ca.key can be any node."
    },
    synopsisSubcommandLabel = "init|node|client",
    subcommands = {CaInitCommand.class, CaNodeCommand.class, CaClientCommand.class},
    footer = {
      "",
      "  cordwood ca init",
      "  cordwood ca node log1 log1.example.com 10.0.0.1     writes the folder log1",
      "  cordwood ca client alice                            writes the folder alice",
      "  cordwood ingeststore --tls-dir log1 --bind 0.0.0.0 --advertise log1",
      "  cordwood grep --node https://log1 --tls-ca alice/ca.pem error"
    })
public final class CaCommand implements Callable<Integer> {
  @Spec private @Nullable CommandSpec spec;

  @Override
  public Integer call() {
    throw new ParameterException(
        Objects.requireNonNull(spec).commandLine(), "expected init, node or client, found none");
  }
}
