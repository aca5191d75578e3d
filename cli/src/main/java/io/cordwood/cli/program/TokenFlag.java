package io.cordwood.cli.program;

import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The flag by which commands show nodes a token. */
public final class TokenFlag implements Flags {
  @Nullable Path file;

  @Override
  public void list(FlagList list) {
    list.flag("--token-file")
        .label("FILE")
        .help(
            "File that holds a token, for nodes that ask for one. Default: the token in the"
                + " variable CORDWOOD_TOKEN, if it is set.")
        .value(Path.class, file, value -> file = value);
  }

  /**
   * The token, of the file or the environment; empty for none.
   *
   * @throws CommandException if the file cannot be read, or holds no token
   */
  public Optional<String> token() {
    return ClientToken.of(file, System.getenv());
  }
}
