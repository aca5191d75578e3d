package io.cordwood.cli.token;

import io.cordwood.cli.program.Command;
import io.cordwood.cli.program.CommandException;
import io.cordwood.cli.program.FlagList;
import io.cordwood.cli.program.Programs;
import io.cordwood.common.access.Token;
import io.cordwood.common.access.TokenFile;
import java.io.IOException;
import java.util.List;

/** {@code cordwood token remove}: nodes refuse it from then on, on open connections, too. */
final class TokenRemoveCommand implements Command {
  private String name = "";

  private FileFlag file = new FileFlag();

  @Override
  public void list(FlagList list) {
    list.description("Remove a token. Nodes refuse it within a second of the file's change.");
    list.sorted();
    list.argument("0", "1")
        .label("NAME")
        .help("Which one.")
        .value(String.class, name, value -> name = value);
    list.addAll(file);
  }

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
