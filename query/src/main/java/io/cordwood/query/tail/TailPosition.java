package io.cordwood.query.tail;

import io.cordwood.common.ulid.Ulid;
import io.cordwood.query.BatchId;
import java.time.Duration;
import java.time.Instant;

/**
 * From where a reader of a stream goes on who gets no more of it: all that he has not got yet lies
 * behind, unless it comes later than the window. So it goes by when records come, not by the
 * greatest ULID that was given, which may be of a sender whose clock is ahead. For the stream's own
 * thread.
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

  /** That of a reader who has got all that did not wait for him any more. */
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
