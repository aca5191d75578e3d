package io.cordwood.cli.transfer;

import io.cordwood.cli.program.Programs;
import io.cordwood.forwarder.ForwarderListener;
import io.cordwood.forwarder.Target;
import java.net.SocketAddress;
import java.time.Duration;

/** Says on standard error what keeps lines from being sent, each reason once in a row. */
final class ImportLog implements ForwarderListener {
  private String last = "";
  private boolean ending;

  @Override
  public void connected(SocketAddress peer) {
    if (!last.isEmpty()) {
      tell("connected to " + peer);
      last = "";
    }
  }

  @Override
  public void disconnected(SocketAddress peer, String reason, long recordsToResend) {
    tell(peer + ": " + reason + "; sending " + recordsToResend + " lines again");
  }

  @Override
  public void connectFailed(Target target, String reason, Duration pause) {
    tell(target + ": " + reason + "; trying again");
  }

  /** Ends the process: what has arrived is there once if it is run again. */
  @Override
  public void refusedByAll(String reason, boolean hasWorked) {
    end("no target takes records: " + reason);
  }

  @Override
  public void failed(String reason) {
    end("it cannot go on: " + reason);
  }

  private void end(String line) {
    if (!ending) {
      ending = true;
      System.err.println("cordwood import: " + line);
      new Thread(() -> System.exit(Programs.ERROR), "end").start();
    }
  }

  private void tell(String text) {
    if (!text.equals(last)) {
      System.err.println("cordwood import: " + text);
      last = text;
    }
  }
}
