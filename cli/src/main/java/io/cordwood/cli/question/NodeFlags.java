package io.cordwood.cli.question;

import io.cordwood.cli.program.CommandException;
import io.cordwood.common.ulid.Ulid;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Which of a node's records grep looks at, and what it says of the search. */
public final class NodeFlags {
  @Mixin RangeFlags range = new RangeFlags();

  @Mixin TopicFlag topics = new TopicFlag();

  @Option(names = "--stats", description = "Statistics on standard error, at the end.")
  boolean stats;

  /** Whether the node is to say what the search has cost. */
  public boolean stats() {
    return stats;
  }

  /** Whether something is asked for that a node alone can answer. */
  public boolean areGiven() {
    return range.areGiven() || topics.isGiven() || stats;
  }

  public ZoneFlag zone() {
    return range.zone();
  }

  public TopicFlag topics() {
    return topics;
  }

  /** The ULID after which a stream begins. */
  public Ulid positionToFollow() {
    return range.positionToFollow();
  }

  /**
   * Adds the times and the topics.
   *
   * @throws CommandException if a time is none, or they are in the wrong order
   */
  public void addTo(QueryString query) {
    range.range().addTo(query);
    topics.addTo(query);
  }
}
