package io.cordwood.cli.program;

import io.cordwood.common.file.SmallFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The token that a command shows to nodes: that of a file, or that of the variable {@link
 * #VARIABLE}. None is ever taken from the command line, which others on the machine can read.
 */
public final class ClientToken {
  /** Holds a token, and is no flag. */
  public static final String VARIABLE = "CORDWOOD_TOKEN";

  private static final int MAX_BYTES = 1024;

  private ClientToken() {}

  /**
   * The token; empty if none was given.
   *
   * @param file from the command line, which counts more
   * @throws CommandException if it cannot be read, or is none; it is never shown
   */
  public static Optional<String> of(@Nullable Path file, Map<String, String> environment) {
    if (file != null) {
      return Optional.of(checked("--token-file: " + file, read(file)));
    }
    String text = environment.getOrDefault(VARIABLE, "");
    return text.isEmpty() ? Optional.empty() : Optional.of(checked(VARIABLE, text));
  }

  private static String read(Path file) {
    try {
      return SmallFile.readLatin1(file, MAX_BYTES);
    } catch (IOException e) {
      throw new CommandException("--token-file: " + Failures.explain(e), e);
    }
  }

  private static String checked(String where, String text) {
    String token = text.strip();
    if (!token.matches("cw_[A-Za-z0-9_-]{43}")) {
      throw new CommandException(
          where + ": expected a token such as cw_ and 43 characters, found another text");
    }
    return token;
  }
}
