package io.cordwood.ingest.sender;

import io.cordwood.common.net.EventLoops;
import io.cordwood.common.run.RateLimit;
import io.cordwood.ingest.IngestMetrics;
import io.cordwood.ingest.Intake;
import io.cordwood.ingest.SenderRights;
import io.netty.channel.Channel;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Whether a connection is read: not while the loop's writer takes nothing, and not while the
 * connection or the node has read more than its rate allows. What is not read stays with the
 * sender. For the connection's event loop.
 */
final class ReadThrottle {
  /** Shorter pauses are not worth a timer; they add up to one that is. */
  private static final long WORTH_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  private final Channel channel;
  private final IngestMetrics metrics;
  private final RateLimit nodeRate;
  private final RateLimit ownRate;
  private final SenderRights rights;
  private @Nullable ScheduledFuture<?> rateTimer;
  private boolean blocked;
  private boolean limited = true;

  ReadThrottle(Channel channel, Intake intake, SenderRights rights) {
    this.rights = rights;
    this.channel = channel;
    this.metrics = intake.metrics();
    this.nodeRate = intake.rate();
    this.ownRate =
        new RateLimit(intake.options().quotas().maxConnectionBytesPerSecond(), System::nanoTime);
  }

  /** Counts bytes that were read, and reads no more for as long as they cost. */
  void read(int bytes) {
    metrics.ledger.read(bytes);
    if (!limited) {
      return;
    }
    long own = ownRate.nanosToWait(bytes);
    long node = nodeRate.nanosToWait(bytes);
    long token = rights.nanosToWait(bytes);
    long longer = Math.max(token, Math.max(own, node));
    if (longer >= WORTH_NANOS && rateTimer == null) {
      if (longer == token) {
        rights.throttled();
      } else {
        (node > own ? metrics.pausesForRate : metrics.pausesForConnectionRate).increment();
      }
      rateTimer = channel.eventLoop().schedule(this::rateEnds, longer, TimeUnit.NANOSECONDS);
      apply();
    }
  }

  private void rateEnds() {
    rateTimer = null;
    apply();
  }

  /** Reads nothing until {@link #unblock}. */
  void block() {
    blocked = true;
    apply();
  }

  void unblock() {
    blocked = false;
    apply();
  }

  /** Reads as fast as it can from now on. */
  void unlimited() {
    limited = false;
    if (rateTimer != null) {
      rateTimer.cancel(false);
      rateEnds();
    }
  }

  /** Whether nothing is read now, whatever the sender has sent. */
  boolean isPaused() {
    return blocked || rateTimer != null;
  }

  private void apply() {
    if (isPaused()) {
      channel.config().setAutoRead(false);
    } else if (!channel.config().isAutoRead()) {
      EventLoops.readAgain(channel, () -> !isPaused());
    }
  }
}
