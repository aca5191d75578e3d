package io.cordwood.ingest.sender;

import io.cordwood.common.net.EventLoops;
import io.cordwood.ingest.IngestMetrics;
import io.cordwood.ingest.Intake;
import io.cordwood.ingest.ReadPace;
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
  private final Channel channel;
  private final IngestMetrics metrics;
  private final ReadPace pace;
  private @Nullable ScheduledFuture<?> rateTimer;
  private boolean blocked;
  private boolean limited = true;

  ReadThrottle(Channel channel, Intake intake, SenderRights rights) {
    this.channel = channel;
    this.metrics = intake.metrics();
    this.pace = new ReadPace(intake, rights);
  }

  /** Counts bytes that were read, and reads no more for as long as they cost. */
  void read(int bytes) {
    metrics.ledger.read(bytes);
    if (!limited) {
      return;
    }
    long pause = pace.nanosToPause(bytes);
    if (pause > 0 && rateTimer == null) {
      pace.countPause();
      rateTimer = channel.eventLoop().schedule(this::rateEnds, pause, TimeUnit.NANOSECONDS);
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
