package io.cordwood.dist;

import io.cordwood.common.http.ApiParams;
import io.cordwood.common.ulid.Ulid;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Which of a node's records grep looks at, and what it says of the search. */
final class NodeFlags {
  @Option(
      names = {"--from", "--since"},
      paramLabel = "TIME",
      converter = Values.TimeValue.class,
      description = "Records from this time on. Default: from the first on.")
  private @Nullable Instant from;

  @Option(
      names = {"--to", "--until"},
      paramLabel = "TIME",
      converter = Values.TimeValue.class,
      description = "Records up to this time. Default: up to the last.")
  private @Nullable Instant to;

  @Mixin private TopicFlag topics = new TopicFlag();

  @Option(names = "--stats", description = "Statistics on standard error, at the end.")
  private boolean stats;

  boolean stats() {
    return stats;
  }

  /** As of {@link QuickCommand}. */
  boolean take(String flag, String value) {
    return topics.take(flag, value);
  }

  /** Whether something is asked for that a node alone can answer. */
  boolean areGiven() {
    return from != null || to != null || topics.isGiven() || stats;
  }

  TopicFlag topics() {
    return topics;
  }

  /** The ULID behind which a stream begins. */
  Ulid positionToFollow() {
    if (to != null || stats) {
      throw new CommandException("expected --follow without --to and --stats: it has no end");
    }
    return from == null ? Ulid.MIN : Ulid.firstOf(from.toEpochMilli()).previous();
  }

  void addTo(QueryString query) {
    if (from != null && to != null && from.isAfter(to)) {
      throw new CommandException("expected --from before --to, found " + from + " and " + to);
    }
    query.addIfThere(ApiParams.FROM, from).addIfThere(ApiParams.TO, to);
    topics.addTo(query);
  }
}
