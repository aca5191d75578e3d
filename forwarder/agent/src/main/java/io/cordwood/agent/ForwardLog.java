package io.cordwood.agent;

import io.cordwood.cli.program.Programs;
import io.cordwood.forwarder.ForwarderListener;
import io.cordwood.forwarder.Target;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Says on standard error what happens to a forwarder's connections: each loss and each way back,
 * and of the tries in between the first one for each target. A node that refuses again and again
 * for the same reason is told of once a minute, and so is a spool. Ends the process when all
 * targets refuse for good, unless it is a service that has worked before: then a node may be
 * mended.
 */
final class ForwardLog implements ForwarderListener {
  private static final long MUTE_NANOS = Duration.ofMinutes(1).toNanos();

  /** Reasons hold what nodes say, so they may be many. */
  private static final int MAX_REASONS = 100;

  private final Consumer<String> out;
  private final LongSupplier nanoTime;
  private final Runnable end;
  private final boolean isService;
  private final Set<Target> failing = new HashSet<>();
  private final Map<String, Repeats> told = new HashMap<>();
  private boolean lost;
  private boolean ending;

  private static final class Repeats {
    private long toldNanos;
    private int since;
  }

  /**
   * @param isService whether it goes on by itself for as long as nobody ends it
   */
  ForwardLog(boolean quiet, boolean isService) {
    this(
        quiet ? _ -> {} : ForwardLog::say,
        System::nanoTime,
        // Whatever the program waits for; what it leaves undone is told as after a signal.
        () -> new Thread(() -> System.exit(Programs.ERROR), "end").start(),
        isService);
  }

  ForwardLog(Consumer<String> out, LongSupplier nanoTime, Runnable end, boolean isService) {
    this.out = out;
    this.nanoTime = nanoTime;
    this.end = end;
    this.isService = isService;
  }

  @Override
  public void connected(SocketAddress peer) {
    if (lost || !failing.isEmpty()) {
      tell("connected to " + peer);
    }
    failing.clear();
    lost = false;
  }

  @Override
  public void disconnected(SocketAddress peer, String reason, long recordsToResend) {
    String line = "lost " + peer + ": " + reason + "; " + recordsToResend + " lines to send again";
    lost |= isTold(peer + reason, line);
  }

  @Override
  public void clockIsOff(Target node, Duration ahead) {
    String side = ahead.isNegative() ? "after" : "ahead of";
    isTold(
        "clock",
        "the clock here is %d s %s that of %s; lines get the node's time"
            .formatted(ahead.abs().toSeconds(), side, node));
  }

  @Override
  public void labelsLeftOut(Target node) {
    tell(node + " knows no labels; lines go there without them");
  }

  @Override
  public void spoolFailed(String complaint) {
    isTold(complaint, complaint);
  }

  /** Tells it unless the same was told less than a minute ago. */
  private boolean isTold(String subject, String line) {
    long now = nanoTime.getAsLong();
    Repeats repeats = told.get(subject);
    if (repeats != null && now - repeats.toldNanos < MUTE_NANOS) {
      repeats.since++;
      return false;
    }
    tell(line + (repeats == null || repeats.since == 0 ? "" : times(repeats.since)));
    if (told.size() >= MAX_REASONS) {
      told.clear();
    }
    Repeats fresh = new Repeats();
    fresh.toldNanos = now;
    told.put(subject, fresh);
    return true;
  }

  @Override
  public void moved(SocketAddress from, SocketAddress to) {
    tell("went from " + from + " to " + to + ", which is less loaded");
  }

  private static String times(int repeats) {
    return "; the same %,d times more in the last minutes".formatted(repeats);
  }

  @Override
  public void connectFailed(Target target, String reason, Duration pause) {
    if (failing.add(target)) {
      tell(reason + "; trying on");
    }
  }

  @Override
  public void topicRefused(SocketAddress peer, String topic, String reason) {
    isTold(
        topic + reason,
        "%s refuses the topic %s: %s; its lines wait, and are tried again"
            .formatted(peer, topic, reason));
  }

  @Override
  public void refusedByAll(String reason, boolean hasWorked) {
    String line = "no target takes records: " + reason;
    if (isService && hasWorked) {
      isTold("all" + reason, line + "; trying on");
    } else {
      end(line);
    }
  }

  @Override
  public void failed(String reason) {
    end("it cannot go on: " + reason);
  }

  private void end(String line) {
    if (!ending) {
      ending = true;
      say(line);
      end.run();
    }
  }

  /** Says something on standard error, also when little is to be said. */
  static void say(String line) {
    System.err.println("cordwood forward: " + line);
  }

  /** Prints a line that is not about a connection. */
  void tell(String line) {
    out.accept(line);
  }
}
