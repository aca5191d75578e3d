package io.cordwood.cli.question;

import io.cordwood.cli.program.CommandException;
import io.cordwood.common.tls.ClientTls;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Whom a command trusts that asks a node at {@code https}, and who it says it is. */
public final class TlsFlags {
  @Option(
      names = "--tls-ca",
      paramLabel = "FILE",
      description =
          "For nodes at https: the authorities that sign their certificates, in PEM. "
              + "Default: those that the JVM trusts.")
  @Nullable Path authorities;

  @Option(
      names = "--tls-cert",
      paramLabel = "FILE",
      description = "Certificate in PEM to show to nodes at https. Default: none.")
  @Nullable Path certificate;

  @Option(
      names = "--tls-key",
      paramLabel = "FILE",
      description = "Its key, in PEM (PKCS#8). Default: none.")
  @Nullable Path key;

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
      throw new CommandException("TLS: " + e.getMessage(), e);
    }
  }
}
