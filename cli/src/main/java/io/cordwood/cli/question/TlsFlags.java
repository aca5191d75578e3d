package io.cordwood.cli.question;

import io.cordwood.cli.program.CommandException;
import io.cordwood.cli.program.Failures;
import io.cordwood.cli.program.FlagList;
import io.cordwood.cli.program.Flags;
import io.cordwood.common.tls.ClientTls;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Whom a command trusts that asks a node at {@code https}, and who it says it is. */
public final class TlsFlags implements Flags {
  @Nullable Path authorities;
  @Nullable Path certificate;
  @Nullable Path key;

  @Override
  public void list(FlagList list) {
    list.flag("--tls-ca")
        .label("FILE")
        .help(
            "For nodes at https: the authorities that sign their certificates, in PEM. "
                + "Default: those that the JVM trusts.")
        .value(Path.class, authorities, value -> authorities = value);
    list.flag("--tls-cert")
        .label("FILE")
        .help("Certificate in PEM to show to nodes at https. Default: none.")
        .value(Path.class, certificate, value -> certificate = value);
    list.flag("--tls-key")
        .label("FILE")
        .help("Its key, in PEM (PKCS#8). Default: none.")
        .value(Path.class, key, value -> key = value);
  }

  /**
   * The requested TLS; empty for what the JVM trusts.
   *
   * @throws CommandException if a file cannot be used
   */
  public Optional<ClientTls> tls() {
    if ((certificate == null) != (key == null)) {
      throw new CommandException("expected --tls-cert and --tls-key together, found one of them");
    }
    try {
      if (certificate != null && key != null) {
        return Optional.of(ClientTls.of(Optional.ofNullable(authorities), certificate, key));
      }
      return authorities == null ? Optional.empty() : Optional.of(ClientTls.trusting(authorities));
    } catch (IOException e) {
      throw new CommandException("TLS: " + Failures.explain(e), e);
    }
  }
}
