package io.cordwood.query.tail;

import io.cordwood.common.ulid.Ulid;
import io.cordwood.query.result.BatchId;
import java.time.Duration;
import java.time.Instant;

/**
 * The position from which a disconnected reader can resume without missing records, except those
 * that arrive later than the window. It follows the times at which records arrive, not the greatest
 * ULID that was sent, which may be of a sender whose clock is ahead. For the stream's own thread.
 */
final class TailPosition {
  private final TailFeeds feeds;
  private final TailBuffer buffer;
  private final long lateMillis;
  private final boolean told;

  /**
   * @param lateWindow by which records may come later than their time
   * @param told whether the reader is told of it; it is that of the beginning otherwise
   */
  TailPosition(TailFeeds feeds, TailBuffer buffer, Duration lateWindow, boolean told) {
    this.feeds = feeds;
    this.buffer = buffer;
    this.lateMillis = lateWindow.toMillis();
    this.told = told;
  }

  /** The position of a reader that has received everything that no longer waits for it. */
  Ulid now() {
    return told ? look() : Ulid.MIN;
  }

  private Ulid look() {
    Ulid seen = before(feeds.seenUntil());
    return buffer
        .first()
        .map(BatchId::first)
        .filter(seen::isAfter)
        .map(Ulid::previous)
        .orElse(seen);
  }

  /** That of a reader of the history, who has got all before a record. */
  Ulid inHistory(Ulid record) {
    Ulid read = before(record.time());
    Ulid seen = now();
    return read.isBefore(seen) ? read : seen;
  }

  private Ulid before(Instant time) {
    return Ulid.lastOf(Math.max(0, time.toEpochMilli() - lateMillis - 1));
  }
}
