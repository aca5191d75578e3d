package io.cordwood.query.loki;

import io.cordwood.common.http.server.HttpError;
import io.cordwood.common.http.server.Request;
import io.cordwood.common.ulid.UlidRange;
import io.cordwood.query.match.RefusedException;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads what clients of Loki ask; what cannot be read is answered 400. Parameters that are not
 * known are passed over, as clients expect of Loki.
 *
 * <pre>
 *   query       LogQL
 *   start, end  from when on, and before when; the last hour unless given, or the last since
 *   time        of an instant query; now unless given
 *   limit       the most records; 100 unless given
 *   direction   forward, or backward unless given
 *   step        between two points; a 250th of the time, and 1 s at least, unless given
 * </pre>
 */
final class LokiParams {
  private static final String START = "start";
  private static final String END = "end";
  private static final String STEP = "step";

  private static final long USUAL_LIMIT = 100;
  private static final int USUAL_POINTS = 250;
  private static final Duration USUAL_TIME = Duration.ofHours(1);

  private static final Pattern DURATION = Pattern.compile("([0-9.]+)(ns|us|µs|ms|s|m|h|d|w|y)?");

  private final InstantSource clock;

  LokiParams(InstantSource clock) {
    this.clock = clock;
  }

  /** A time before which records are, and from which on, in nanoseconds. */
  record Times(long start, long end) {
    /** Empty if nothing lies between them. */
    Optional<UlidRange> range() {
      return LokiTime.range(start, end);
    }
  }

  /** Whether the client wants to know what kind each label is of. */
  static boolean categorizes(Request request) {
    return request
        .header("x-loki-response-encoding-flags")
        .filter(flags -> flags.contains(LokiJson.CATEGORIZE))
        .isPresent();
  }

  /** Refuses to leave out records that are near others, which would be answered otherwise. */
  static void checkNoInterval(Request request) {
    if (request.param("interval").map(text -> nanos("interval", text)).orElse(0L) != 0) {
      throw new HttpError(400, "parameter interval: a time between records is not supported");
    }
  }

  long now() {
    return LokiTime.ofInstant(clock.instant());
  }

  Times times(Request request) {
    long end = request.param(END).map(text -> LokiTime.parse(END, text)).orElseGet(this::now);
    long since =
        request.param("since").map(text -> nanos("since", text)).orElse(USUAL_TIME.toNanos());
    long start =
        request
            .param(START)
            .map(text -> LokiTime.parse(START, text))
            .orElseGet(() -> Math.subtractExact(end, since));
    if (start > end) {
      throw new HttpError(400, "parameter end: expected a time after start, found one before it");
    }
    return new Times(start, end);
  }

  long time(Request request) {
    return request.param("time").map(text -> LokiTime.parse("time", text)).orElseGet(this::now);
  }

  static <T> T query(Request request, Function<String, T> parse) {
    String text = request.requiredParam("query");
    return checked("query", () -> parse.apply(text));
  }

  /** The value of a parameter; a query that is none is answered 400. */
  static <T> T checked(String name, Supplier<T> parsed) {
    try {
      return parsed.get();
    } catch (RefusedException e) {
      throw refused(name, e);
    }
  }

  static RuntimeException refused(String name, RefusedException why) {
    String message = "parameter " + name + ": " + why.getMessage();
    return why.isTooMuch()
        ? new LimitException(LimitException.Limit.QUERY, message)
        : new HttpError(400, message);
  }

  /**
   * Reads how many are wanted.
   *
   * @param most that can be held
   */
  static long limit(Request request, long most) {
    return limit(request, "limit", most);
  }

  /** A limit of another name. */
  static long limit(Request request, String name, long most) {
    long limit = request.longParam(name).orElse(USUAL_LIMIT);
    if (limit < 1 || limit > most) {
      String message =
          "parameter %s: expected a number from 1 to %d, found %d".formatted(name, most, limit);
      throw limit < 1
          ? new HttpError(400, message)
          : new LimitException(LimitException.Limit.RECORDS, message);
    }
    return limit;
  }

  static boolean forward(Request request) {
    String direction = request.param("direction").orElse("backward");
    if (direction.equalsIgnoreCase("forward")) {
      return true;
    } else if (direction.equalsIgnoreCase("backward")) {
      return false;
    }
    throw new HttpError(
        400, "parameter direction: expected forward or backward, found \"" + direction + "\"");
  }

  Grid grid(Request request) {
    Times times = times(request);
    long usual =
        Math.max(LokiTime.NANOS_OF_SECOND, (times.end - times.start) / USUAL_POINTS)
            / LokiTime.NANOS_OF_SECOND
            * LokiTime.NANOS_OF_SECOND;
    long step = request.param(STEP).map(text -> nanos(STEP, text)).orElse(usual);
    if (step < LokiTime.NANOS_OF_MILLI) {
      throw new HttpError(400, "parameter step: expected 1ms or more, found less");
    }
    long points = (times.end - times.start) / step + 1;
    if (points > Grid.MAX_POINTS) {
      throw new LimitException(
          LimitException.Limit.POINTS,
          "parameter step: expected one with at most %d points, found %d"
              .formatted(Grid.MAX_POINTS, points));
    }
    return new Grid(times.start, step, (int) points);
  }

  /** Seconds, or a number with a unit. */
  private static long nanos(String name, String text) {
    Matcher parts = DURATION.matcher(text);
    try {
      if (parts.matches()) {
        var number = new BigDecimal(parts.group(1));
        long unit = unit(parts.group(2) == null ? "s" : parts.group(2));
        return number
            .multiply(BigDecimal.valueOf(unit))
            .setScale(0, java.math.RoundingMode.HALF_UP)
            .longValueExact();
      }
    } catch (NumberFormatException | ArithmeticException e) {
      // Said below.
    }
    throw new HttpError(
        400,
        "parameter %s: expected seconds, or a duration such as 15s, found \"%s\""
            .formatted(name, text.substring(0, Math.min(text.length(), 100))));
  }

  private static long unit(String unit) {
    return switch (unit) {
      case "ns" -> 1;
      case "us", "µs" -> 1000;
      case "ms" -> LokiTime.NANOS_OF_MILLI;
      case "m" -> Duration.ofMinutes(1).toNanos();
      case "h" -> Duration.ofHours(1).toNanos();
      case "d" -> Duration.ofDays(1).toNanos();
      case "w" -> Duration.ofDays(7).toNanos();
      case "y" -> Duration.ofDays(365).toNanos();
      default -> LokiTime.NANOS_OF_SECOND;
    };
  }
}
