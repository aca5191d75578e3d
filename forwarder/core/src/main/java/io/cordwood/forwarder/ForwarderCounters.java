package io.cordwood.forwarder;

import java.util.Map;

/**
 * The counters of a forwarder, all read at one moment, so that always {@code appended +
 * spool.recovered = acknowledged + pending + spool.records + dropped}.
 *
 * @param appended records that were taken or dropped, counted after cutting, without those of
 *     batches that went back to their makers
 * @param acknowledged records that an ingest node said it has
 * @param pending records that are held: queued, or sent and not acknowledged
 * @param pendingBytes memory taken by them, at most the window
 * @param dropped records given up, by reason; every reason is there
 * @param handling what else was done with records, and to those who appended them
 * @param connections to nodes
 * @param spool of its spool
 */
public record ForwarderCounters(
    long appended,
    long acknowledged,
    long pending,
    long pendingBytes,
    Map<DropReason, Long> dropped,
    Handling handling,
    Connections connections,
    SpoolCounters spool) {

  public ForwarderCounters {
    dropped = Map.copyOf(dropped);
  }

  /**
   * Work done with records between append and acknowledgement.
   *
   * @param cuts by which records over the limit, or with both LF and NUL, became several
   * @param blankLines lines of no bytes or of CR alone, which are not records
   * @param unlabelled records that were sent without their labels, since their node is of a version
   *     that knows none
   * @param resentRecords records of batches that were begun to be sent again
   * @param reports records that the forwarder wrote itself to say what was dropped; they are
   *     counted in {@code appended} too
   * @param blockedNanos for how long threads waited for room, all of them together
   */
  public record Handling(
      long cuts,
      long blankLines,
      long unlabelled,
      long resentRecords,
      long reports,
      long blockedNanos) {}

  /**
   * Connections to nodes, and what nodes said there.
   *
   * @param connects connections made
   * @param disconnects connections lost or left; orderly ends, of the last one, of uploads and for
   *     their age, are not among them
   * @param refusals by nodes, by reason; every reason is there
   * @param moves to a less loaded node that a node told of
   * @param ignoredHints what nodes told of others and was not followed: malformed, too much, too
   *     often, or of nodes that could not be reached or are no less loaded
   */
  public record Connections(
      long connects,
      long disconnects,
      Map<RefusalReason, Long> refusals,
      long moves,
      long ignoredHints) {

    public Connections {
      refusals = Map.copyOf(refusals);
    }
  }

  /** Records dropped for any reason. */
  public long droppedRecords() {
    return dropped.values().stream().mapToLong(Long::longValue).sum();
  }

  public long dropped(DropReason reason) {
    return dropped.getOrDefault(reason, 0L);
  }

  public long refusals(RefusalReason reason) {
    return connections.refusals.getOrDefault(reason, 0L);
  }
}
