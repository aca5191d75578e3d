package io.cordwood.cli.search;

import io.cordwood.cli.program.CommandException;
import io.cordwood.cli.program.FlagList;
import io.cordwood.cli.program.Flags;
import io.cordwood.cli.question.QueryString;
import io.cordwood.cli.question.RangeFlags;
import io.cordwood.cli.question.TopicFlag;
import io.cordwood.cli.question.ZoneFlag;
import io.cordwood.common.ulid.Ulid;

/** Which of a node's records grep looks at, and what it says of the search. */
final class NodeFlags implements Flags {
  RangeFlags range = new RangeFlags();
  TopicFlag topics = new TopicFlag();
  boolean stats;

  @Override
  public void list(FlagList list) {
    list.addAll(range);
    list.addAll(topics);
    list.flag("--stats")
        .help("Statistics on standard error, at the end.")
        .on(value -> stats = value);
  }

  /** Whether the node is to say what the search has cost. */
  public boolean stats() {
    return stats;
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
