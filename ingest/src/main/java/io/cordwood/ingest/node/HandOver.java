package io.cordwood.ingest.node;

import io.cordwood.ingest.segment.SegmentLeases;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The end of a node: stores that are there get the time to consume what it holds. */
final class HandOver {
  private static final Logger log = LoggerFactory.getLogger(HandOver.class);

  /** A store that has not asked for so long is not there. */
  private static final Duration SILENCE = Duration.ofSeconds(1);

  private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  private HandOver() {}

  /** Blocks until all is consumed, no store is there, or the time is up. */
  public static void await(SegmentLeases segments, Duration longest) {
    long start = System.nanoTime();
    while (segments.held() > 0
        && System.nanoTime() - start < longest.toNanos()
        && segments.claimedWithin(SILENCE)) {
      LockSupport.parkNanos(POLL_NANOS);
    }
    int kept = segments.held();
    if (kept == 0) {
      log.info("all segments are handed over");
    } else {
      log.info("{} segments are kept on the disk, for the next start to serve", kept);
    }
  }
}
