package io.cordwood.cli.manual;

import io.cordwood.cli.program.Command;
import io.cordwood.cli.program.CommandException;
import io.cordwood.cli.program.FlagList;
import io.cordwood.cli.program.Programs;
import io.cordwood.cli.terminal.StandardOutput;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;

/** {@code cordwood man}: a page of the manual, made of a command's flags. */
public final class ManCommand implements Command {
  private final Supplier<CommandLine> whole;

  private List<String> names = new ArrayList<>();

  private @Nullable Path folder;

  @Override
  public void list(FlagList list) {
    list.description("Print a page of the manual, for man.");
    list.footer(
        "", "  cordwood man grep | man -l -", "  cordwood man --dir /usr/local/share/man/man1");
    list.argument("0..*", "0..2")
        .label("COMMAND")
        .help("Such as grep, or segment cat. Default: the page of all commands.")
        .list(String.class, names, value -> names = value);
    list.flag("--dir")
        .label("DIR")
        .help("Write the pages of all commands into this folder, such as cordwood-grep.1.")
        .value(Path.class, folder, value -> folder = value);
  }

  /**
   * @param whole makes the command that has all others in it
   */
  public ManCommand(Supplier<CommandLine> whole) {
    this.whole = whole;
  }

  @Override
  public Integer call() throws IOException {
    if (folder != null) {
      writeAll(folder);
      return Programs.SUCCESS;
    }
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

  private void writeAll(Path target) throws IOException {
    if (!names.isEmpty()) {
      throw new CommandException("expected --dir or a command, found both");
    }
    Files.createDirectories(target);
    CommandLine line = whole.get();
    Files.writeString(target.resolve("cordwood.1"), ManPage.of(line));
    for (var command : line.getSubcommands().entrySet()) {
      Path page = target.resolve("cordwood-" + command.getKey() + ".1");
      Files.writeString(page, ManPage.of(command.getValue()));
    }
  }
}
