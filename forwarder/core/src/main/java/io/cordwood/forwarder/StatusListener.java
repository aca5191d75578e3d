package io.cordwood.forwarder;

import java.net.SocketAddress;
import java.time.Duration;
import java.util.StringJoiner;
import java.util.concurrent.TimeUnit;

/**
 * Tells an appender's status what happens to its connections, at most one line in 30 s, and of
 * drops. Owned by the forwarder's thread.
 */
final class StatusListener implements ForwarderListener {
  private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(30);

  private final AppenderStatus status;
  private long nextNanos = System.nanoTime();
  private long unsaid;
  private boolean inTrouble;

  StatusListener(AppenderStatus status) {
    this.status = status;
  }

  @Override
  public void connected(SocketAddress peer) {
    if (inTrouble) {
      inTrouble = false;
      status.info("connected to " + peer);
    }
  }

  @Override
  public void disconnected(SocketAddress peer, String reason, long recordsToResend) {
    warn(peer + ": " + reason + "; " + recordsToResend + " records are sent again");
  }

  @Override
  public void connectFailed(Target target, String reason, Duration pause) {
    warn(reason);
  }

  @Override
  public void clockIsOff(Target node, Duration ahead) {
    String side = ahead.isNegative() ? "after" : "ahead of";
    warn(
        "the clock here is %d s %s that of %s; records get the node's time"
            .formatted(ahead.abs().toSeconds(), side, node));
  }

  @Override
  public void labelsLeftOut(Target node) {
    status.warn(node + " knows no labels; records go there without them");
  }

  @Override
  public void spoolFailed(String complaint) {
    warn(complaint);
  }

  private void warn(String message) {
    long now = System.nanoTime();
    if (now - nextNanos < 0) {
      unsaid++;
      return;
    }
    nextNanos = now + PAUSE_NANOS;
    status.warn(unsaid == 0 ? message : message + " (" + unsaid + " like this were not said)");
    unsaid = 0;
    inTrouble = true;
  }

  @Override
  public void failed(String reason) {
    status.error("no more records are taken: " + reason);
  }

  @Override
  public void dropped(ForwarderCounters counters) {
    status.error("records are dropped: " + describe(counters));
  }

  static String describe(ForwarderCounters counters) {
    StringJoiner text = new StringJoiner(", ");
    text.add(counters.appended() + " records appended");
    text.add(counters.acknowledged() + " acknowledged");
    text.add(counters.pending() + " pending");
    if (counters.spool().recovered() > 0) {
      text.add(counters.spool().recovered() + " taken over from the spool");
    }
    if (counters.spool().records() > 0) {
      text.add(counters.spool().records() + " in the spool");
    }
    for (DropReason reason : DropReason.values()) {
      if (counters.dropped(reason) > 0) {
        text.add(counters.dropped(reason) + " dropped (" + reason + ")");
      }
    }
    return text.toString();
  }
}
