package io.cordwood.cli.manual;

import io.cordwood.cli.program.Command;
import io.cordwood.cli.program.FlagList;
import io.cordwood.cli.program.Programs;
import io.cordwood.cli.terminal.StandardOutput;
import java.io.IOException;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;

/** {@code cordwood completion}: a script for a shell, made of the commands' flags. */
public final class CompletionCommand implements Command {
  private final Supplier<CommandLine> whole;

  private @Nullable Shell shell;

  @Override
  public void list(FlagList list) {
    list.description("Print what makes a shell complete commands and flags of 'cordwood'.");
    list.footer(
        "",
        "In ~/.bashrc, or in ~/.zshrc with zsh for bash:",
        "  eval \"$(cordwood completion bash)\"",
        "Or once, for new shells:",
        "  cordwood completion bash >~/.local/share/bash-completion/completions/cordwood",
        "  cordwood completion fish >~/.config/fish/completions/cordwood.fish");
    list.argument("0", "1")
        .label("SHELL")
        .help("${COMPLETION-CANDIDATES}.")
        .value(Shell.class, shell, value -> shell = value);
  }

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
