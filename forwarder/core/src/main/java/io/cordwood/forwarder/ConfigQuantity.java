package io.cordwood.forwarder;

import java.time.Duration;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Times and sizes as they stand in configurations: {@code 20ms}, {@code 5s}, {@code 16MiB}. */
final class ConfigQuantity {
  private static final Pattern DURATION = Pattern.compile("(\\d{1,9})\\s*(ms|s|m|h|d)");
  private static final Pattern SIZE =
      Pattern.compile("(\\d{1,10})\\s*([KMGT]?)(i?)B?", Pattern.CASE_INSENSITIVE);
  private static final String UNITS = " KMGT";

  private ConfigQuantity() {}

  /**
   * @param name of the setting, for the error
   */
  static Duration duration(String name, String text) {
    Matcher found = DURATION.matcher(text.strip());
    if (!found.matches()) {
      throw new IllegalArgumentException(
          "expected " + name + " such as 20ms, 5s or 2m, found \"" + text + "\"");
    }
    long amount = Long.parseLong(found.group(1));
    return switch (found.group(2)) {
      case "ms" -> Duration.ofMillis(amount);
      case "s" -> Duration.ofSeconds(amount);
      case "m" -> Duration.ofMinutes(amount);
      case "h" -> Duration.ofHours(amount);
      default -> Duration.ofDays(amount);
    };
  }

  /**
   * In bytes. {@code K M G T} are powers of 1,000, {@code Ki Mi Gi Ti} of 1,024; what is more than
   * a {@code long} holds is its largest value.
   *
   * @param name of the setting, for the error
   */
  static long size(String name, String text) {
    Matcher found = SIZE.matcher(text.strip());
    if (!found.matches()) {
      throw new IllegalArgumentException(
          "expected " + name + " such as 64KiB or 16MiB, found \"" + text + "\"");
    }
    double base = found.group(3).isEmpty() ? 1000 : 1024;
    String unit = found.group(2).toUpperCase(Locale.ROOT);
    double power = unit.isEmpty() ? 0 : UNITS.indexOf(unit);
    return (long) (Long.parseLong(found.group(1)) * Math.pow(base, power));
  }
}
