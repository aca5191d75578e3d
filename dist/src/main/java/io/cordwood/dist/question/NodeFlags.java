package io.cordwood.dist.question;

import io.cordwood.common.http.ApiParams;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.dist.program.CommandException;
import io.cordwood.dist.program.QuickFlags;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Which of a node's records grep looks at, and what it says of the search. */
public final class NodeFlags implements QuickFlags {
  /** Both names, since nothing says which of them was typed. */
  private static final String FROM = "--since, --from";

  private static final String TO = "--until, --to";

  @Option(
      names = {"--from", "--since"},
      paramLabel = "TIME",
      description = "Records from this time, or ULID, on. Default: from the first on.")
  private @Nullable String from;

  @Option(
      names = {"--to", "--until"},
      paramLabel = "TIME",
      description = "Records up to this time, or ULID. Default: up to the last.")
  private @Nullable String to;

  @Mixin private ZoneFlag zone = new ZoneFlag();

  @Mixin private TopicFlag topics = new TopicFlag();

  @Option(names = "--stats", description = "Statistics on standard error, at the end.")
  private boolean stats;

  /** Whether the node is to say what the search has cost. */
  public boolean stats() {
    return stats;
  }

  @Override
  public List<QuickFlags> mixins() {
    return List.of(zone, topics);
  }

  @Override
  public boolean take(String flag) {
    stats |= flag.equals("--stats");
    return flag.equals("--stats");
  }

  @Override
  public boolean take(String flag, String value) {
    switch (flag) {
      case "--from", "--since" -> from = value;
      case "--to", "--until" -> to = value;
      default -> {
        return false;
      }
    }
    return true;
  }

  /** Whether something is asked for that a node alone can answer. */
  public boolean areGiven() {
    return from != null || to != null || topics.isGiven() || stats;
  }

  public ZoneFlag zone() {
    return zone;
  }

  public TopicFlag topics() {
    return topics;
  }

  /** The ULID after which a stream begins. */
  public Ulid positionToFollow() {
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
   * Adds the times and the topics.
   *
   * @throws CommandException if a time is none, or they are in the wrong order
   */
  public void addTo(QueryString query) {
    Object first = bound(FROM, from);
    Object last = bound(TO, to);
    if (first != null && last != null && time(first).isAfter(time(last))) {
      throw new CommandException("expected --from before --to, found " + first + " and " + last);
    }
    query.addIfThere(ApiParams.FROM, first).addIfThere(ApiParams.TO, last);
    topics.addTo(query);
  }
}
