package io.cordwood.store.keep;

import io.cordwood.common.run.RateLimitedLog;
import io.cordwood.store.StoreMetrics;
import io.cordwood.store.segment.LiveSegment;
import io.cordwood.store.segment.Salvage;
import io.cordwood.store.segment.StoreLog;
import java.io.IOException;
import java.time.Duration;
import org.slf4j.LoggerFactory;

/**
 * Treats segments of which something cannot be read: what is intact goes on in a new segment, the
 * file is set aside, and what is lost is noted, to be fetched from another store.
 *
 * <p>One of which nothing can be read stays where it is until the next start, since then it is
 * rather the disk that is ill. One thread, that of the {@link MaintenanceLoop}.
 */
final class DamageHandler {
  /** A disk that dies does so for each segment. */
  private static final RateLimitedLog LOG =
      new RateLimitedLog(LoggerFactory.getLogger(DamageHandler.class), Duration.ofMinutes(1));

  private final StoreLog log;
  private final StoreMetrics metrics;
  private final Salvage salvage;
  private final LostRanges lost;

  DamageHandler(StoreLog log, StoreMetrics metrics, LostRanges lost) {
    this.log = log;
    this.metrics = metrics;
    this.salvage = new Salvage(log, metrics);
    this.lost = lost;
  }

  /** Whether a segment can be neither used nor salvaged. */
  boolean isLeftOut(LiveSegment segment) {
    return log.suspects().isLeftOut(segment);
  }

  /** Treats what was found to be unreadable, unless it is gone by now. */
  void healSuspects() {
    for (LiveSegment segment : log.suspects().take()) {
      if (log.live().contains(segment) && !isLeftOut(segment)) {
        heal(segment);
      }
    }
  }

  /** Treats a live segment. */
  void heal(LiveSegment segment) {
    try {
      lost.add(LostRange.of(salvage.damaged(segment)));
    } catch (IOException e) {
      LOG.error("cannot be read or salvaged, left out until the next start:", segment.file(), e);
      metrics.unreadable();
      log.suspects().leaveOut(segment);
    }
  }
}
