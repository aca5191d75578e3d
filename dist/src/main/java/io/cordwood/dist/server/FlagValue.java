package io.cordwood.dist.server;

import io.cordwood.cli.program.Values;
import io.cordwood.common.text.Durations;
import io.cordwood.common.text.Sizes;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** A flag and its value, wherever that comes from. */
record FlagValue(OptionSpec flag) {
  /** Those of a command whose command line was read; not of its help. */
  public static Stream<FlagValue> allOf(CommandSpec command) {
    return command.options().stream()
        .filter(option -> !option.usageHelp() && !option.versionHelp())
        .map(FlagValue::new);
  }

  /** As it can be given on a command line; empty if it has no value, or no bound. */
  public String text() {
    return text(flag.getValue());
  }

  /** Whether it is what it would be if nothing had set it. */
  boolean isUsual() {
    return text().equals(text(flag.initialValue()));
  }

  private String text(@Nullable Object value) {
    return switch (value) {
      case null -> "";
      case Long bytes when isSize() -> bytes == Long.MAX_VALUE ? "" : Sizes.exact(bytes);
      case Duration time -> Durations.exact(time);
      case List<?> list -> list.stream().map(Objects::toString).collect(Collectors.joining(","));
      default -> value.toString();
    };
  }

  private boolean isSize() {
    return Stream.of(flag.converters()).anyMatch(each -> each instanceof Values.SizeValue);
  }
}
