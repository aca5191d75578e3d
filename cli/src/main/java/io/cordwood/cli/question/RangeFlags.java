package io.cordwood.cli.question;

import io.cordwood.cli.program.CommandException;
import io.cordwood.cli.program.FlagList;
import io.cordwood.cli.program.Flags;
import io.cordwood.common.http.ApiParams;
import io.cordwood.common.text.TimeWindow;
import io.cordwood.common.ulid.Ulid;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** From when to when records are wanted, and the zone of these times. */
public final class RangeFlags implements Flags {
  /** Both names, since nothing says which of them was typed. */
  private static final String FROM = "--since, --from";

  private static final String TO = "--until, --to";

  @Nullable String from;
  @Nullable String to;
  @Nullable String around;
  ZoneFlag zone = new ZoneFlag();

  @Override
  public void list(FlagList list) {
    list.flag("--from", "--since")
        .label("TIME")
        .help("Records from this time, or ULID, on. Default: from the first on.")
        .value(String.class, from, value -> from = value);
    list.flag("--to", "--until")
        .label("TIME")
        .help("Records up to this time, or ULID. Default: up to the last.")
        .value(String.class, to, value -> to = value);
    list.flag("--around")
        .label("TIME")
        .help("Records from a minute before this time to a minute after it; 14:05±30s: so far.")
        .value(String.class, around, value -> around = value);
    list.addAll(zone);
  }

  public ZoneFlag zone() {
    return zone;
  }

  private Range around(String text) {
    if (from != null || to != null) {
      throw new CommandException("expected --around without --from and --to, found both");
    }
    try {
      TimeWindow around = TimeWindow.parse(text, Instant.now(), zone.ofReading());
      return new Range(around.from().toString(), around.to().toString());
    } catch (IllegalArgumentException e) {
      throw new CommandException("--around: " + e.getMessage(), e);
    }
  }

  /** The ULID after which a stream begins. */
  public Ulid positionToFollow() {
    if (around != null) {
      throw new CommandException("expected --around without --follow, found both");
    }
    return from == null ? Ulid.MIN : positionBefore(from, zone);
  }

  /**
   * The ULID after which a stream begins.
   *
   * @param from a time, or the first ULID
   * @throws CommandException if it is neither
   */
  public static Ulid positionBefore(String from, ZoneFlag zone) {
    Ulid first =
        Ulid.isValid(from)
            ? Ulid.parse(from)
            : Ulid.firstOf(zone.moment(FROM, from).toEpochMilli());
    return first.previous();
  }

  /** A moment as the API takes it; a ULID as it is, and null as it is. */
  private @Nullable Object bound(String flag, @Nullable String text) {
    return text == null || Ulid.isValid(text) ? text : zone.moment(flag, text);
  }

  private static Instant time(Object bound) {
    return bound instanceof Instant moment ? moment : Ulid.parse(bound.toString()).time();
  }

  /**
   * Both ends as the API takes them, null where there is none.
   *
   * @param from first of the range
   * @param to last of it
   */
  public record Range(@Nullable String from, @Nullable String to) {
    /** This range from a record on, which belongs to it. */
    public Range from(Ulid first) {
      return new Range(first.toString(), to);
    }

    /** This range up to a record, which belongs to it. */
    public Range to(Ulid last) {
      return new Range(from, last.toString());
    }

    /** Adds them. */
    public void addTo(QueryString query) {
      query.addIfThere(ApiParams.FROM, from).addIfThere(ApiParams.TO, to);
    }
  }

  /**
   * The range; times that count from now count from this call.
   *
   * @throws CommandException if a time is none, or they are in the wrong order
   */
  public Range range() {
    if (around != null) {
      return around(around);
    }
    Object first = bound(FROM, from);
    Object last = bound(TO, to);
    if (first != null && last != null && time(first).isAfter(time(last))) {
      throw new CommandException("expected --from before --to, found " + first + " and " + last);
    }
    return new Range(
        first == null ? null : first.toString(), last == null ? null : last.toString());
  }
}
