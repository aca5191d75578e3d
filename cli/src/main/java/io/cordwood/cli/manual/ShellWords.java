package io.cordwood.cli.manual;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** The words of a command line, for completion. */
final class ShellWords {
  private ShellWords() {}

  /** The flags that the help shows, in its order. */
  static List<OptionSpec> flags(CommandLine command) {
    return command.getCommandSpec().options().stream().filter(flag -> !flag.hidden()).toList();
  }

  /** The values of a flag that has few; empty if it has others or none. */
  static List<String> values(OptionSpec flag) {
    Class<?> type = flag.auxiliaryTypes()[0];
    return type.isEnum() && flag.arity().max() > 0
        ? Stream.of(type.getEnumConstants()).map(Object::toString).toList()
        : List.of();
  }

  /** The words that may follow a command, other than flags and files. */
  static List<String> arguments(String name, CommandLine command, CommandLine whole) {
    return switch (name) {
      case "man", "help" -> List.copyOf(whole.getSubcommands().keySet());
      case "completion" -> Stream.of(Shell.values()).map(Object::toString).toList();
      default -> List.copyOf(command.getSubcommands().keySet());
    };
  }

  /** The first line of what a command says of itself. */
  static String description(Map.Entry<String, CommandLine> command) {
    return command.getValue().getCommandSpec().usageMessage().description()[0];
  }
}
