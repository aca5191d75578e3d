package io.cordwood.cli.program;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/**
 * Which flags of a command line exclude each other: those of a {@link ExclusiveFlags}, and what the
 * command says besides. Picocli's own groups refuse a flag that is given twice, too.
 */
final class Exclusions {
  private Exclusions() {}

  /** The flags that exclude one. */
  static Stream<OptionSpec> of(OptionSpec option) {
    return others(option)
        .filter(other -> areOneOf(option, other) || named(option, other).isPresent());
  }

  private static Stream<OptionSpec> others(OptionSpec option) {
    return option.command().options().stream().filter(other -> !other.equals(option));
  }

  private static boolean areOneOf(OptionSpec option, OptionSpec other) {
    return option.userObject() instanceof ExclusiveFlags group && group.equals(other.userObject());
  }

  /** The command's rule on two flags. */
  private static Optional<Exclusion> named(OptionSpec option, OptionSpec other) {
    List<String> names = Stream.of(option, other).flatMap(each -> Stream.of(each.names())).toList();
    return option.command().userObject() instanceof Command command
        ? command.exclusions().stream().filter(exclusion -> exclusion.isOf(names)).findFirst()
        : Optional.empty();
  }

  /**
   * Looks at what was given on the command line; what the environment sets does not count.
   *
   * @throws ParameterException if two flags exclude each other
   */
  static void check(ParseResult line) {
    for (OptionSpec option : line.matchedOptions()) {
      List<OptionSpec> given = others(option).filter(line::hasMatchedOption).toList();
      List<OptionSpec> all = given.stream().filter(other -> areOneOf(option, other)).toList();
      if (!all.isEmpty()) {
        throw refusal(line, names(option, all), "");
      }
      for (OptionSpec other : given) {
        named(option, other)
            .ifPresent(exclusion -> {
              throw refusal(line, names(option, List.of(other)), ": " + exclusion.why());
            });
      }
    }
  }

  private static List<String> names(OptionSpec option, List<OptionSpec> others) {
    return Stream.concat(Stream.of(option), others.stream()).map(each -> each.names()[0]).toList();
  }

  private static ParameterException refusal(ParseResult line, List<String> names, String why) {
    return new ParameterException(line.commandSpec().commandLine(), refusal(names) + why);
  }

  /** The message if more than one of some flags is given. */
  static String refusal(Collection<String> names) {
    String all = names.stream().collect(Collectors.joining(" or "));
    return "expected " + all + ", found " + (names.size() == 2 ? "both" : "all");
  }
}
