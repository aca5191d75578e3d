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

  /**
   * @param lateWindow by which records may come later than their time
   */
  TailPosition(TailFeeds feeds, TailBuffer buffer, Duration lateWindow) {
    this.feeds = feeds;
    this.buffer = buffer;
    this.lateMillis = lateWindow.toMillis();
  }

  /** That of a reader who has got all that did not wait for him any more. */
  Ulid now() {
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
