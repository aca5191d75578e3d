package io.cordwood.dist.program;

import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The flags by which commands that send records show a token, and check nodes' certificates. */
public final class SenderCredentials {
  @Option(
      names = "--tls-ca",
      paramLabel = "FILE",
      description =
          "For targets with tls://: the authorities that sign the nodes' certificates, in PEM. "
              + "Default: those that the JVM trusts.")
  private @Nullable Path authorities;

  @Option(
      names = "--token-file",
      paramLabel = "FILE",
      description =
          "File that holds a token, for nodes that ask for one. Default: the token in the variable "
              + "CORDWOOD_TOKEN, if it is set.")
  private @Nullable Path tokenFile;

  /**
   * The token, of the file or the environment; empty for none.
   *
   * @throws CommandException if the file cannot be read, or holds no token
   */
  public Optional<String> token() {
    return ClientToken.of(tokenFile, System.getenv());
  }

  /** The file of authorities; empty for those that the JVM trusts. */
  public Optional<Path> authorities() {
    return Optional.ofNullable(authorities);
  }
}
