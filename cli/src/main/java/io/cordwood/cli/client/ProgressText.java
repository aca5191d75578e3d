package io.cordwood.cli.client;

import java.util.ArrayDeque;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * Says how far a search has come, how fast it is and when it will be over: {@code 37% of 1.2 TB,
 * 3.41 GB/s, 4 min left, 3 nodes}. How fast is what was done in the last seconds. One thread.
 */
final class ProgressText {
  private static final long WINDOW_NANOS = TimeUnit.SECONDS.toNanos(5);
  private static final double GIGA = 1e9;
  private static final String[] UNITS = {"B", "kB", "MB", "GB", "TB", "PB"};

  private final ArrayDeque<Moment> moments = new ArrayDeque<>();

  private record Moment(long nanos, long bytesDone) {}

  /**
   * @param beganNanos when the search began
   */
  ProgressText(long beganNanos) {
    moments.add(new Moment(beganNanos, 0));
  }

  /**
   * The text to show.
   *
   * @param nowNanos not before that of the last call
   */
  String of(JsonProgress progress, long nowNanos) {
    moments.add(new Moment(nowNanos, progress.bytesDone()));
    while (moments.size() > 2 && nowNanos - moments.element().nanos > WINDOW_NANOS) {
      moments.remove();
    }
    Moment first = moments.element();
    double seconds = Math.max(1, nowNanos - first.nanos) / GIGA;
    double aSecond = Math.max(0, progress.bytesDone() - first.bytesDone) / seconds;
    return "%s of %s, %s GB/s%s, %s"
        .formatted(
            percent(progress),
            bytes(progress.bytes()),
            number(aSecond / GIGA, 2),
            left(progress.bytes() - progress.bytesDone(), aSecond),
            progress.nodes() == 1 ? "1 node" : progress.nodes() + " nodes");
  }

  private static String percent(JsonProgress progress) {
    double part = progress.bytes() == 0 ? 0 : (double) progress.bytesDone() / progress.bytes();
    return (int) (100 * part) + "%";
  }

  private static String bytes(double value) {
    double shown = value;
    int unit = 0;
    for (; shown >= 1000 && unit < UNITS.length - 1; unit++) {
      shown /= 1000;
    }
    return number(shown, unit == 0 ? 0 : 1) + " " + UNITS[unit];
  }

  /** With a number of decimals if it is less than ten. */
  private static String number(double value, int decimals) {
    return String.format(Locale.ROOT, "%." + (value < 10 ? decimals : 0) + "f", value);
  }

  private static String left(long bytes, double aSecond) {
    if (aSecond == 0) {
      return ""; // Nobody can know.
    }
    long seconds = (long) Math.ceil(bytes / aSecond);
    long minutes = (seconds + 59) / 60;
    if (seconds <= 90) {
      return ", " + seconds + " s left";
    }
    return minutes <= 90
        ? ", " + minutes + " min left"
        : ", " + minutes / 60 + " h " + minutes % 60 + " min left";
  }
}
