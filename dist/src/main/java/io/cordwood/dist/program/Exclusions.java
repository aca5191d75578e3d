package io.cordwood.dist.program;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/**
 * Which flags of a command line exclude each other: those of a {@link OneOf}. Picocli's own groups
 * refuse a flag that is given twice, too.
 */
final class Exclusions {
  private Exclusions() {}

  /** The flags that exclude one; empty if it is in no {@link OneOf}. */
  static Stream<OptionSpec> of(OptionSpec option) {
    return holder(option) instanceof OneOf holder
        ? option.command().options().stream()
            .filter(other -> !other.equals(option) && holder.equals(holder(other)))
        : Stream.empty();
  }

  private static @Nullable Object holder(OptionSpec option) {
    try {
      return option.scope().get();
    } catch (Exception e) {
      throw new IllegalStateException("expected the object that holds " + option, e);
    }
  }

  /**
   * Looks at what was given on the command line; what the environment sets does not count.
   *
   * @throws ParameterException if two flags exclude each other
   */
  static void check(ParseResult line) {
    for (OptionSpec option : line.matchedOptions()) {
      List<OptionSpec> others = of(option).filter(line::hasMatchedOption).toList();
      if (!others.isEmpty()) {
        String names =
            Stream.concat(Stream.of(option), others.stream())
                .map(each -> each.names()[0])
                .collect(Collectors.joining(" or "));
        throw new ParameterException(
            line.commandSpec().commandLine(),
            "expected " + names + ", found " + (others.size() == 1 ? "both" : "all"));
      }
    }
  }
}
