package io.cordwood.common.http.client;

import io.cordwood.common.run.PeriodicTask;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Future;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * For how long a connection to a peer is of use: for a while without calls; while the peer says
 * something, or answers a ping; and until this side has broken off more calls on it than the peer
 * may take. Owned by the connection's event loop.
 */
final class PeerLiveness {
  private static final Logger LOG = LoggerFactory.getLogger(PeerLiveness.class);

  /** Twice this without a byte is a ping, three times the end. */
  private static final Duration LOOK = Duration.ofSeconds(3);

  /** Less than the time for which servers keep a connection without a call. */
  private static final Duration IDLE = Duration.ofSeconds(30);

  /**
   * Nodes take 200 in half a minute for a flood: older ones always, others unless they know by a
   * key or a certificate that a node calls.
   */
  private static final int MAX_RESETS = 100;

  private static final Duration RESETS_WINDOW = Duration.ofSeconds(30);

  private final PeerConnection connection;
  private final EventLoop loop;
  private @Nullable Future<?> looking;
  private @Nullable Future<?> idle;
  private boolean heard;
  private boolean pinged;
  private boolean counted = true;
  private int resets;
  private long resetsSince = System.nanoTime();

  PeerLiveness(PeerConnection connection, EventLoop loop) {
    this.connection = connection;
    this.loop = loop;
  }

  /** The connection is made, without a call. */
  void start() {
    long nanos = LOOK.toNanos();
    Runnable look = PeriodicTask.guarded("look whether a peer answers", LOG, this::look);
    looking = loop.scheduleWithFixedDelay(look, nanos, nanos, TimeUnit.NANOSECONDS);
    callsEnded();
  }

  void callBegan() {
    cancel(idle);
  }

  /** No call runs any more. */
  void callsEnded() {
    cancel(idle);
    idle = loop.schedule(connection::close, IDLE.toNanos(), TimeUnit.NANOSECONDS);
  }

  /** Something has come. */
  void heard() {
    heard = true;
  }

  private void look() {
    if (heard) {
      pinged = false;
    } else if (pinged) {
      connection.silent("it has not answered for " + 2 * LOOK.toSeconds() + " s");
    } else {
      pinged = true;
      connection.ping();
    }
    heard = false;
  }

  /** The peer takes this side for a node. */
  void resetsAreUncounted() {
    counted = false;
  }

  /** A call was broken off by this side; says whether the next one should be made elsewhere. */
  boolean tooManyResets() {
    long now = System.nanoTime();
    if (now - resetsSince > RESETS_WINDOW.toNanos()) {
      resetsSince = now;
      resets = 0;
    }
    resets++;
    return counted && resets >= MAX_RESETS;
  }

  /** The connection has ended. */
  void stop() {
    cancel(looking);
    cancel(idle);
  }

  private static void cancel(@Nullable Future<?> task) {
    if (task != null) {
      task.cancel(false);
    }
  }
}
