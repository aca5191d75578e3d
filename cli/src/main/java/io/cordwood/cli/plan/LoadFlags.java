package io.cordwood.cli.plan;

import io.cordwood.cli.program.CommandException;
import io.cordwood.cli.program.Decimals;
import io.cordwood.cli.program.FlagList;
import io.cordwood.cli.program.Flags;
import io.cordwood.cli.program.Values;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The work of the cluster. */
final class LoadFlags implements Flags {
  private Quantities.@Nullable Rate rate;
  private double peak = 1;
  private Duration retention = Duration.ofDays(7);
  private int copies = 1;
  private double growth;
  private Duration outage = Duration.ofHours(1);
  private List<String> asked = new ArrayList<>();

  @Override
  public void list(FlagList list) {
    list.flag("--load")
        .label("AMOUNT")
        .help(
            "Mean of what comes: 1TB/day, 12MB/s, 50000lines/s. Default: what --measured nodes"
                + " get.")
        .value(
            Quantities.Rate.class,
            text -> Values.read(text, Quantities::rate),
            rate,
            value -> rate = value);
    list.flag("--peak")
        .label("TIMES")
        .help("How many times the mean comes when most does. Default: 1.")
        .value(Double.class, Decimals::read, peak, value -> peak = value);
    list.flag("--retention")
        .label("DURATION")
        .help("How long lines are kept. Default: 7d.")
        .duration(retention, value -> retention = value);
    list.flag("--replication-factor")
        .label("N")
        .help("Stores that keep each line. Default: ${DEFAULT-VALUE}.")
        .value(int.class, copies, value -> copies = value);
    list.flag("--ask")
        .label("QUESTION")
        .help(
            "What is asked, over which time up to now, how often: \"rare 24h 2/s\". It is absent"
                + " for a string that is nowhere, rare for one in few lines, common for one in"
                + " every block. May be given several times.")
        .list(String.class, asked, value -> asked = value);
    list.flag("--outage")
        .label("DURATION")
        .help("How long ingest nodes are to hold lines while no store works. Default: 1h.")
        .duration(outage, value -> outage = value);
    list.flag("--growth")
        .label("PERCENT")
        .help("Growth of the load in a month, such as 5. Default: none.")
        .value(
            Double.class,
            text -> Values.read(text, Quantities::percent),
            growth,
            value -> growth = value);
  }

  /** Whether the command line says what comes. */
  boolean isGiven() {
    return rate != null;
  }

  /**
   * The load.
   *
   * @param lineBytes of a line
   * @param measured bytes a second that count if none are given
   * @throws CommandException if it makes no sense
   */
  Load load(double lineBytes, double measured) {
    Quantities.Rate given = rate;
    double bytes = given == null ? measured : given.bytesPerSecond(lineBytes);
    if (!(bytes > 0)) {
      throw new CommandException("--load: expected more than 0 bytes a second, found " + bytes);
    }
    try {
      List<Question> questions = asked.stream().map(LoadFlags::question).toList();
      return new Load(
          bytes,
          peak,
          retention.toMillis() / 1e3,
          copies,
          growth,
          outage.toMillis() / 1e3,
          questions);
    } catch (IllegalArgumentException e) {
      throw new CommandException(String.valueOf(e.getMessage()), e);
    }
  }

  private static Question question(String text) {
    try {
      return Quantities.question(text);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("--ask: " + e.getMessage(), e);
    }
  }
}
