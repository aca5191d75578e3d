package io.cordwood.dist.manual;

import io.cordwood.dist.program.CommandException;
import io.cordwood.dist.program.Programs;
import io.cordwood.dist.terminal.StandardOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code cordwood man}: a page of the manual, made of a command's flags. */
@Command(
    sortOptions = false,
    description = "Print a page of the manual, for man.",
    footer = {
      "",
      "  cordwood man grep | man -l -",
      "  cordwood man grep >/usr/local/share/man/man1/cordwood-grep.1"
    })
public final class ManCommand implements Callable<Integer> {
  private final Supplier<CommandLine> whole;

  @Parameters(
      arity = "0..2",
      paramLabel = "COMMAND",
      description = "Such as grep, or segment cat. Default: the page of all commands.")
  private List<String> names = new ArrayList<>();

  /**
   * @param whole makes the command that has all others in it
   */
  public ManCommand(Supplier<CommandLine> whole) {
    this.whole = whole;
  }

  @Override
  public Integer call() throws IOException {
    CommandLine line = whole.get();
    for (String name : names) {
      line = line.getSubcommands().get(name);
      if (line == null) {
        throw new CommandException("expected a command, found '" + String.join(" ", names) + "'");
      }
    }
    StandardOutput.print(ManPage.of(line));
    return Programs.SUCCESS;
  }
}
