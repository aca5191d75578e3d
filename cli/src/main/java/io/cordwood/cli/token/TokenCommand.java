package io.cordwood.cli.token;

import io.cordwood.cli.program.Programs;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code cordwood token}: makes, lists and removes tokens in the file that nodes read. */
@Command(
    description = {
      "Make, list and remove tokens, in the file that nodes are given as --tokens.",
      "Nodes notice within a second that the file has changed. It has to be the same on all of "
          + "them: copy it beside the old one, and rename it."
    },
    synopsisSubcommandLabel = "add|list|remove",
    subcommands = {TokenAddCommand.class, TokenListCommand.class, TokenRemoveCommand.class})
public final class TokenCommand implements Callable<Integer> {
  @Spec private @Nullable CommandSpec spec;

  /** Runs this command as a program of its own. */
  public static void main(String[] args) {
    Programs.main("token", new TokenCommand(), args);
  }

  @Override
  public Integer call() {
    throw new ParameterException(
        Objects.requireNonNull(spec).commandLine(), "expected add, list or remove, found none");
  }
}
