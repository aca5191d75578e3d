package io.cordwood.cli.token;

import io.cordwood.cli.program.Command;
import io.cordwood.cli.program.FlagList;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** {@code cordwood token}: makes, lists and removes tokens in the file that nodes read. */
public final class TokenCommand implements Command {
  private @Nullable CommandSpec spec;

  @Override
  public void list(FlagList list) {
    list.description(
        "Make, list and remove tokens, in the file that nodes are given as --tokens.",
        "Nodes notice within a second that the file has changed. It has to be the same on all of "
            + "them: copy it beside the old one, and rename it.");
    list.subcommandLabel("add|list|remove");
    list.subcommand("add", new TokenAddCommand());
    list.subcommand("list", new TokenListCommand());
    list.subcommand("remove", new TokenRemoveCommand());
    list.sorted();
    spec = list.command();
  }

  @Override
  public Integer call() {
    throw new ParameterException(
        Objects.requireNonNull(spec).commandLine(), "expected add, list or remove, found none");
  }
}
