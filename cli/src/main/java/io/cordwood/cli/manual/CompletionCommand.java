package io.cordwood.cli.manual;

import io.cordwood.cli.program.Programs;
import io.cordwood.cli.terminal.StandardOutput;
import java.io.IOException;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code cordwood completion}: a script for a shell, made of the commands' flags. */
@Command(
    sortOptions = false,
    description = "Print what makes a shell complete commands and flags of 'cordwood'.",
    footer = {
      "",
      "In ~/.bashrc, or in ~/.zshrc with zsh for bash:",
      "  eval \"$(cordwood completion bash)\"",
      "Or once, for new shells:",
      "  cordwood completion bash >~/.local/share/bash-completion/completions/cordwood",
      "  cordwood completion fish >~/.config/fish/completions/cordwood.fish"
    })
public final class CompletionCommand implements Callable<Integer> {
  enum Shell {
    BASH,
    ZSH,
    FISH;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private final Supplier<CommandLine> whole;

  @Parameters(paramLabel = "SHELL", description = "${COMPLETION-CANDIDATES}.")
  private @Nullable Shell shell;

  /**
   * @param whole makes the command that has all others in it
   */
  public CompletionCommand(Supplier<CommandLine> whole) {
    this.whole = whole;
  }

  @Override
  public Integer call() throws IOException {
    StandardOutput.print(script(Objects.requireNonNull(shell), whole.get()));
    return Programs.SUCCESS;
  }

  static String script(Shell shell, CommandLine whole) {
    return switch (shell) {
      case BASH -> BashCompletion.script(whole);
      case ZSH ->
          "autoload -Uz compinit bashcompinit && compinit && bashcompinit\n"
              + BashCompletion.script(whole);
      case FISH -> FishCompletion.script(whole);
    };
  }
}
