package io.cordwood.cli.watch;

import io.cordwood.cli.alert.Rule.Timing;
import io.cordwood.cli.program.FlagBounds;
import io.cordwood.cli.program.FlagList;
import io.cordwood.cli.program.Flags;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The times of a rule. */
final class TimingFlags implements Flags {
  private static final Duration SHORTEST = Duration.ofSeconds(1);
  private static final Duration LONGEST = Duration.ofDays(366);

  private Duration every = Duration.ofMinutes(1);
  private @Nullable Duration window;
  private Duration delay = Duration.ofSeconds(30);
  private Duration hold = Duration.ZERO;
  private Duration repeat = Duration.ofHours(4);
  private Duration unknownAfter = Duration.ofMinutes(10);

  @Override
  public void list(FlagList list) {
    list.flag("--every")
        .label("DURATION")
        .help("How often to count: windows end at its multiples since 1970, in UTC. Default: 1m.")
        .duration(every, value -> every = value);
    list.flag("--window")
        .label("DURATION")
        .help("How long a window is, at least --every. Default: --every.")
        .duration(window, value -> window = value);
    list.flag("--delay")
        .label("DURATION")
        .help(
            "How long after its end a window is counted, for records that are late. Default: 30s.")
        .duration(delay, value -> delay = value);
    list.flag("--for")
        .label("DURATION")
        .help("Fire only if the condition holds for that long. Default: at once.")
        .duration(hold, value -> hold = value);
    list.flag("--repeat")
        .label("DURATION")
        .help("Send what still fires again after that time. Default: 4h.")
        .duration(repeat, value -> repeat = value);
    list.flag("--cannot-tell-after")
        .label("DURATION")
        .help(
            "Send the alert CordwoodCannotTell when answers were incomplete, or missing, for that"
                + " long. Default: 10m.")
        .duration(unknownAfter, value -> unknownAfter = value);
  }

  Timing timing() {
    Duration counted = window == null ? every : window;
    FlagBounds.duration("--every", SHORTEST, LONGEST, every);
    FlagBounds.duration("--window", every, LONGEST, counted);
    FlagBounds.duration("--delay", Duration.ZERO, LONGEST, delay);
    FlagBounds.duration("--for", Duration.ZERO, LONGEST, hold);
    FlagBounds.duration("--repeat", SHORTEST, LONGEST, repeat);
    FlagBounds.duration("--cannot-tell-after", Duration.ZERO, LONGEST, unknownAfter);
    return new Timing(every, counted, delay, hold, repeat, unknownAfter);
  }
}
