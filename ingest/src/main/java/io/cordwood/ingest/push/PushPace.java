package io.cordwood.ingest.push;

import io.cordwood.common.run.RateLimit;
import io.cordwood.ingest.Intake;
import io.cordwood.ingest.SenderRights;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Reads a request no faster than its token, the node and a connection may send: what is not read
 * stays with the sender. For the request's thread.
 */
final class PushPace {
  /** Shorter pauses add up to one that is worth it. */
  private static final long WORTH_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final Intake intake;
  private final SenderRights rights;
  private final RateLimit ownRate;
  private final BooleanSupplier gone;

  /**
   * @param gone whether its client waits for no answer any more
   */
  PushPace(Intake intake, SenderRights rights, BooleanSupplier gone) {
    this.intake = intake;
    this.rights = rights;
    this.gone = gone;
    this.ownRate =
        new RateLimit(intake.options().quotas().maxConnectionBytesPerSecond(), System::nanoTime);
  }

  /** Waits for as long as these bytes cost. */
  void read(int bytes) {
    long own = ownRate.nanosToWait(bytes);
    long node = intake.rate().nanosToWait(bytes);
    long token = rights.nanosToWait(bytes);
    long longer = Math.max(token, Math.max(own, node));
    if (longer < WORTH_NANOS) {
      return;
    }
    if (longer == token) {
      rights.throttled();
    } else {
      var metrics = intake.metrics();
      (node > own ? metrics.pausesForRate : metrics.pausesForConnectionRate).increment();
    }
    long end = System.nanoTime() + longer;
    for (long left = longer; left > 0 && !gone.getAsBoolean(); left = end - System.nanoTime()) {
      LockSupport.parkNanos(this, Math.min(left, LOOK_NANOS));
    }
  }
}
