package io.cordwood.cli.program;

import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The flags by which commands that send records show a token, and check nodes' certificates. */
public final class SenderCredentials implements Flags {
  @Nullable Path authorities;
  TokenFlag token = new TokenFlag();

  @Override
  public void list(FlagList list) {
    list.flag("--tls-ca")
        .label("FILE")
        .help(
            "For targets with tls://: the authorities that sign the nodes' certificates, in PEM. "
                + "Default: those that the JVM trusts.")
        .value(Path.class, authorities, value -> authorities = value);
    list.addAll(token);
  }

  /**
   * The token, of the file or the environment; empty for none.
   *
   * @throws CommandException if the file cannot be read, or holds no token
   */
  public Optional<String> token() {
    return token.token();
  }

  /** The file that the token is read from; empty if it is none. */
  public Optional<Path> tokenFile() {
    return Optional.ofNullable(token.file);
  }

  /** The file of authorities; empty for those that the JVM trusts. */
  public Optional<Path> authorities() {
    return Optional.ofNullable(authorities);
  }
}
