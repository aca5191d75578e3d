package io.cordwood.ingest;

/**
 * One connection's way to its loop's segment: counts what became of its batches, and remembers
 * where the last one went.
 */
final class ConnectionWriter {
  private final LoopWriter loop;
  private final LoopMembers.Member connection;
  private long lastSegment = -1;
  private long safeRecords;
  private int unsafeBatches;

  ConnectionWriter(LoopWriter loop, LoopMembers.Member connection) {
    this.loop = loop;
    this.connection = connection;
  }

  /** Hands over to the loop's writer; false if that takes nothing now. */
  boolean append(StampedBatch batch) {
    unsafeBatches++;
    if (!loop.append(batch, this)) {
      unsafeBatches--;
      return false;
    }
    lastSegment = loop.segment();
    return true;
  }

  /** For the loop's writer: the oldest batch that was not safe is. */
  void safe(Account account, int records, int wireBytes) {
    unsafeBatches--;
    safeRecords += records;
    account.stored(records, wireBytes);
  }

  /** For the loop's writer: the oldest batch that was not safe never will be. */
  void lost(Account account, int records, int wireBytes) {
    unsafeBatches--;
    account.rejected(RejectReason.CLOSED, records, wireBytes);
  }

  /** Records of this connection that are as safe as the port promises. */
  long safeRecords() {
    return safeRecords;
  }

  /** Whether nothing is on its way any more. */
  boolean allSafe() {
    return unsafeBatches == 0;
  }

  LoopMembers.Member connection() {
    return connection;
  }

  void started() {
    loop.members().add(connection);
  }

  /** Calls back when it is worth another try. */
  void await() {
    loop.members().await(connection);
  }

  /** Flushes soon what this connection left in the active segment. */
  void ended() {
    loop.members().remove(connection);
    loop.flushSoon(lastSegment);
  }
}
