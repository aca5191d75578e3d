package io.cordwood.ingest;

import io.cordwood.common.run.RateLimit;
import java.util.concurrent.TimeUnit;

/**
 * How fast one sender may be read: no faster than it, the node and its token may send. Bytes that
 * are not read stay with the sender. For the sender's thread.
 */
public final class ReadPace {
  /** Shorter pauses are not worth one; they add up to one that is. */
  private static final long WORTH_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  private final IngestMetrics metrics;
  private final RateLimit nodeRate;
  private final RateLimit ownRate;
  private final SenderRights rights;
  private boolean isForToken;
  private boolean isForNode;

  public ReadPace(Intake intake, SenderRights rights) {
    this.rights = rights;
    this.metrics = intake.metrics();
    this.nodeRate = intake.rate();
    this.ownRate =
        new RateLimit(intake.options().quotas().maxConnectionBytesPerSecond(), System::nanoTime);
  }

  /** How long nothing is to be read after some bytes; 0 if that is not worth a pause. */
  public long nanosToPause(int bytes) {
    long own = ownRate.nanosToWait(bytes);
    long node = nodeRate.nanosToWait(bytes);
    long token = rights.nanosToWait(bytes);
    long longest = Math.max(token, Math.max(own, node));
    isForToken = longest == token;
    isForNode = node > own;
    return longest < WORTH_NANOS ? 0 : longest;
  }

  /** Counts that the sender has to wait, by the reason of the last pause. */
  public void countPause() {
    if (isForToken) {
      rights.throttled();
    } else {
      (isForNode ? metrics.pausesForRate : metrics.pausesForConnectionRate).increment();
    }
  }
}
