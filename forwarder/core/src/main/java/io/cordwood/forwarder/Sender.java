package io.cordwood.forwarder;

import java.io.IOException;
import java.net.SocketAddress;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * The forwarder's one thread: connects to a target, moves batches from the window to it and
 * acknowledgements back, and goes on to the next target when that fails. In bulk mode it connects
 * when there is an upload, and to the same target again after each that is acknowledged. It waits
 * in its selector only, with a deadline if something has one. Nobody interrupts it and nobody waits
 * for it: it is told to stop by a flag.
 */
final class Sender implements Runnable {
  private final SendBuffer buffer;
  private final Selector selector;
  private final ForwarderListener listener;
  private final Connector connector;
  private final Backoff backoff;
  private final List<Target> targets;
  private final ForwarderOptions options;
  private volatile boolean stopped;
  private int nextTarget;

  Sender(
      ForwarderOptions options,
      SendBuffer buffer,
      Selector selector,
      NameResolver resolver,
      ForwarderListener listener) {
    this.options = options;
    this.buffer = buffer;
    this.selector = selector;
    this.listener = listener;
    this.targets = new ArrayList<>(options.targets());
    Collections.shuffle(targets);
    this.backoff = new Backoff(targets.size(), options.minBackoff(), options.maxBackoff());
    long timeoutMillis = options.connectTimeout().toMillis();
    this.connector = new Connector(selector, resolver, timeoutMillis, options.tls(), () -> stopped);
  }

  /** Ends the thread soon. What it has not sent stays where it is. */
  void stop() {
    stopped = true;
    selector.wakeup();
  }

  @Override
  public void run() {
    try (selector) {
      while (awaitUpload()) {
        pause(attempt(targets.get(nextTarget)));
      }
    } catch (IOException e) {
      // Only the selector itself can fail here; the window is given up below.
      tell(l -> l.connectFailed(targets.get(0), "selector: " + e, Duration.ZERO));
    } finally {
      buffer.abandon();
    }
  }

  private Duration attempt(Target target) {
    Connector.Connected connected;
    try {
      connected = connector.connect(target);
    } catch (IOException | RuntimeException e) {
      Duration pause = failed();
      tell(l -> l.connectFailed(target, reason(e), pause));
      return pause;
    }
    return serve(connected);
  }

  private Duration serve(Connector.Connected connected) {
    SocketAddress peer =
        ((SocketChannel) connected.key().channel()).socket().getRemoteSocketAddress();
    long began = System.nanoTime();
    buffer.connected();
    tell(l -> l.connected(peer));
    Connection connection = new Connection(connected, peer, buffer, options, began + ageNanos());
    try (connection) {
      move(connection);
      backoff.reset();
      if (options.uploadBytes() == 0) {
        nextTarget = (nextTarget + 1) % targets.size();
      }
      return Duration.ZERO;
    } catch (IOException | RuntimeException e) {
      long healthyNanos = options.maxBackoff().toNanos();
      if (connection.hasAcknowledged() || System.nanoTime() - began > healthyNanos) {
        backoff.reset();
      }
      long records = buffer.takeBack();
      tell(l -> l.disconnected(peer, reason(e), records));
      return failed();
    }
  }

  /** For how long a connection may be used, a fifth more or less than was asked for. */
  private long ageNanos() {
    long nanos = options.maxConnectionAge().toNanos();
    double share = ThreadLocalRandom.current().nextDouble(0.8, 1.2);
    return nanos == 0 ? Long.MAX_VALUE >> 1 : (long) (nanos * share);
  }

  /** Goes on to the next target; for how long to pause before. */
  private Duration failed() {
    nextTarget = (nextTarget + 1) % targets.size();
    return backoff.pause();
  }

  /** An I/O error's message says enough; of any other fault its class is worth knowing. */
  private static String reason(Exception e) {
    String message = e instanceof IOException ? e.getMessage() : null;
    return message == null ? e.toString() : message;
  }

  private void move(Connection connection) throws IOException {
    while (!stopped) {
      boolean waitsForRecords = connection.write();
      if (connection.isDone()) {
        return;
      }
      long lingerNanos = waitsForRecords ? buffer.lingerNanos() : Long.MAX_VALUE;
      select(Math.min(connection.ackLeftNanos(), lingerNanos));
      connection.read();
    }
  }

  /** Waits until a connection is worth making; false when the thread is to end instead. */
  private boolean awaitUpload() throws IOException {
    for (long left = buffer.idleNanos(); left > 0 && !stopped; left = buffer.idleNanos()) {
      select(left);
    }
    return !stopped;
  }

  /** Waits for the socket, a wake-up, or the time to pass; at least until the next millisecond. */
  private void select(long mostNanos) throws IOException {
    tellDrops();
    long nanos = Math.min(mostNanos, buffer.tellLeftNanos());
    if (nanos == Long.MAX_VALUE) {
      selector.select();
    } else {
      selector.select(TimeUnit.NANOSECONDS.toMillis(nanos) + 1);
    }
    selector.selectedKeys().clear();
  }

  private void tellDrops() {
    ForwarderCounters counters = buffer.dropsToTell();
    if (counters != null) {
      tell(l -> l.dropped(counters));
    }
    SpoolExchange spool = buffer.spool();
    String complaint = spool == null ? null : spool.toTell();
    if (complaint != null) {
      tell(l -> l.spoolFailed(complaint));
    }
  }

  private void pause(Duration pause) throws IOException {
    selector.selectNow(); // lets the closed channel go
    long deadline = System.nanoTime() + pause.toNanos();
    for (long left = pause.toNanos(); left > 0 && !stopped; left = deadline - System.nanoTime()) {
      select(left);
    }
  }

  private void tell(Consumer<ForwarderListener> event) {
    try {
      event.accept(listener);
    } catch (RuntimeException e) {
      // A listener's fault must not end the forwarding, and there is nobody else to tell.
    }
  }
}
