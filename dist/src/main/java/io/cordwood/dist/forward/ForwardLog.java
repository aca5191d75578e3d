package io.cordwood.dist.forward;

import io.cordwood.forwarder.ForwarderListener;
import io.cordwood.forwarder.Target;
import java.net.SocketAddress;
import java.time.Duration;

/**
 * Says on standard error what happens to a forwarder's connections: each loss and each way back,
 * and of the tries in between the first one for each target.
 */
final class ForwardLog implements ForwarderListener {
  private final boolean quiet;
  private final java.util.Set<Target> failing = new java.util.HashSet<>();
  private boolean lost;

  ForwardLog(boolean quiet) {
    this.quiet = quiet;
  }

  @Override
  public void connected(SocketAddress peer) {
    if (lost || !failing.isEmpty()) {
      say("connected to " + peer);
    }
    failing.clear();
    lost = false;
  }

  @Override
  public void disconnected(SocketAddress peer, String reason, long recordsToResend) {
    lost = true;
    say("lost " + peer + ": " + reason + "; " + recordsToResend + " lines to send again");
  }

  @Override
  public void connectFailed(Target target, String reason, Duration pause) {
    if (failing.add(target)) {
      say(reason + "; trying on");
    }
  }

  /** What is neither of a connection. */
  void tell(String line) {
    say(line);
  }

  private void say(String line) {
    if (!quiet) {
      System.err.println("cordwood forward: " + line);
    }
  }
}
