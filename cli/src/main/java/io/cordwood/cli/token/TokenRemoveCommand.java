package io.cordwood.cli.token;

import io.cordwood.cli.program.CommandException;
import io.cordwood.cli.program.Programs;
import io.cordwood.common.access.Token;
import io.cordwood.common.access.TokenFile;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code cordwood token remove}: nodes refuse it from then on, on open connections, too. */
@Command(
    name = "remove",
    mixinStandardHelpOptions = true,
    description = "Remove a token. Nodes refuse it within a second of the file's change.")
final class TokenRemoveCommand implements Callable<Integer> {
  @Parameters(paramLabel = "NAME", description = "Which one.")
  private String name = "";

  @Mixin private FileFlag file = new FileFlag();

  @Override
  public Integer call() throws IOException {
    without(file.read()); // before anything is written beside a file that is not there
    TokenFile.change(file.file(), this::without);
    return Programs.SUCCESS;
  }

  private List<Token> without(List<Token> before) {
    List<Token> left = before.stream().filter(token -> !token.name().equals(name)).toList();
    if (left.size() == before.size()) {
      throw new CommandException(
          "expected a token of %s, found no %s".formatted(file.file(), name));
    }
    return left;
  }
}
