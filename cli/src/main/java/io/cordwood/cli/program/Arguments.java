package io.cordwood.cli.program;

import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/** The words of a command line that are no flags. */
final class Arguments {
  private Arguments() {}

  /**
   * Looks for {@code -5}, which people mean as grep's or tail's flag, and picocli takes for an
   * argument, since it may be a number. After {@code --} it is one.
   *
   * @throws ParameterException if there is one; the message says what may have been meant
   */
  static void check(ParseResult line) {
    List<String> arguments =
        line.matchedPositionals().stream()
            .flatMap(each -> each.originalStringValues().stream())
            .toList();
    line.originalArgs().stream()
        .takeWhile(arg -> !arg.equals("--"))
        .filter(arg -> arg.matches("-[0-9].*") && arguments.contains(arg))
        .findFirst()
        .ifPresent(arg -> {
          throw new ParameterException(
              line.commandSpec().commandLine(),
              "unknown option '" + arg + "'" + meant(line.commandSpec(), arg.substring(1)));
        });
  }

  private static String meant(CommandSpec command, String number) {
    return Stream.of("-C", "-n")
        .filter(flag -> command.findOption(flag) != null && !command.findOption(flag).hidden())
        .findFirst()
        .map(flag -> "; did you mean " + flag + " " + number + "?")
        .orElse("");
  }
}
