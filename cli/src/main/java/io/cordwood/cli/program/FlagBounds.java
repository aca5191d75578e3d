package io.cordwood.cli.program;

import io.cordwood.common.text.Durations;
import io.cordwood.common.text.Sizes;
import java.time.Duration;

/** The bounds of what flags are given. What is beyond them is refused. */
public final class FlagBounds {
  private static final int MAX_PORT = 65_535;

  private FlagBounds() {}

  /** Refuses a bound that lets nothing pass. */
  public static void atLeastOne(String flag, long found) {
    if (found < 1) {
      throw new CommandException(flag + ": expected 1 or more, found " + found);
    }
  }

  public static void number(String flag, long least, long most, long found) {
    if (found < least || found > most) {
      throw refused(flag, Long.toString(least), Long.toString(most), Long.toString(found));
    }
  }

  /**
   * Refuses what is no port.
   *
   * @param least 0 if any free one will do, or else 1
   */
  public static void port(String flag, int least, int found) {
    if (found < least || found > MAX_PORT) {
      throw refused(
          flag, "a port from " + least, Integer.toString(MAX_PORT), Integer.toString(found));
    }
  }

  public static void size(String flag, long least, long most, long found) {
    if (found < least || found > most) {
      throw refused(flag, Sizes.exact(least), Sizes.exact(most), Sizes.exact(found));
    }
  }

  public static void duration(String flag, Duration least, Duration most, Duration found) {
    if (found.compareTo(least) < 0 || found.compareTo(most) > 0) {
      throw refused(flag, Durations.exact(least), Durations.exact(most), Durations.exact(found));
    }
  }

  private static CommandException refused(String flag, String least, String most, String found) {
    return new CommandException(
        "%s: expected %s to %s, found %s".formatted(flag, least, most, found));
  }
}
