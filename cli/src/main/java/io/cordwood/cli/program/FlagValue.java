package io.cordwood.cli.program;

import io.cordwood.common.text.Sizes;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The value of a flag, wherever it comes from.
 *
 * @param flag its longest name, dashes and all
 * @param isSize whether it is a number of bytes
 */
public record FlagValue(String flag, @Nullable Object value, boolean isSize) {
  /** As it can be given on a command line; empty if it has no value, or no bound. */
  public String text() {
    return switch (value) {
      case null -> "";
      case Long bytes when isSize -> bytes == Long.MAX_VALUE ? "" : Sizes.exact(bytes);
      case Duration time when time.toMillisPart() != 0 -> time.toMillis() + "ms";
      case Duration time -> time.toString().substring(2).toLowerCase(Locale.ROOT);
      case List<?> list -> list.stream().map(Objects::toString).collect(Collectors.joining(","));
      default -> value.toString();
    };
  }
}
