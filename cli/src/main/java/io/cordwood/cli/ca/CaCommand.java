package io.cordwood.cli.ca;

import io.cordwood.cli.program.Command;
import io.cordwood.cli.program.FlagList;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** {@code cordwood ca}: an authority of one's own, and the certificates that it signs. */
public final class CaCommand implements Command {
  private @Nullable CommandSpec spec;

  @Override
  public void list(FlagList list) {
    list.description(
        "Make certificates for TLS: an authority of your own, and what it signs.",
        "Keep the authority's folder where no node is: whoever has ca.key can be any node.");
    list.subcommandLabel("init|node|client");
    list.subcommand("init", new CaInitCommand());
    list.subcommand("node", new CaNodeCommand());
    list.subcommand("client", new CaClientCommand());
    list.footer(
        "",
        "  cordwood ca init",
        "  cordwood ca node log1 log1.example.com 10.0.0.1     writes the folder log1",
        "  cordwood ca client alice                            writes the folder alice",
        "  cordwood ingeststore --tls-dir log1 --bind 0.0.0.0 --advertise log1",
        "  cordwood grep --node https://log1 --tls-ca alice/ca.pem error");
    list.sorted();
    spec = list.command();
  }

  @Override
  public Integer call() {
    throw new ParameterException(
        Objects.requireNonNull(spec).commandLine(), "expected init, node or client, found none");
  }
}
