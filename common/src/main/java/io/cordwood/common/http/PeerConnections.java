package io.cordwood.common.http;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The connections of a {@link PeerClient}: those at a call, and those kept for the next one. */
final class PeerConnections implements AutoCloseable {
  /** Kept of one peer; more are closed after their calls. */
  private static final int MAX_IDLE_EACH = 16;

  /** Less than the time for which servers keep them. */
  private static final Duration KEPT = Duration.ofSeconds(30);

  private final Map<String, ArrayDeque<Idle>> idle = new HashMap<>();
  private final Set<Http1Connection> busy = new HashSet<>();
  private boolean closed;

  /** A connection without a call. */
  private record Idle(Http1Connection connection, long sinceNanos) {
    boolean isOld(long nowNanos) {
      return nowNanos - sinceNanos > KEPT.toNanos();
    }
  }

  synchronized boolean isClosed() {
    return closed;
  }

  /** Takes in a new connection, for a call. */
  Http1Connection add(Http1Connection connection) throws IOException {
    synchronized (this) {
      if (!closed) {
        busy.add(connection);
        return connection;
      }
    }
    connection.close();
    throw new IOException("closed");
  }

  /** The connection to a peer that was kept last, for a call; null if there is none. */
  synchronized @Nullable Http1Connection takeIdle(String peer) {
    ArrayDeque<Idle> kept = idle.get(peer);
    Idle latest = kept == null ? null : kept.peekLast();
    if (kept == null || latest == null || latest.isOld(System.nanoTime())) {
      return null; // an old one is closed when the next one is kept
    }
    kept.removeLast();
    busy.add(latest.connection);
    return latest.connection;
  }

  /** Keeps a connection whose call is over, if there is room; lets go of those kept for long. */
  void keep(String peer, Http1Connection connection) {
    List<Http1Connection> left = new ArrayList<>();
    synchronized (this) {
      boolean wasBusy = busy.remove(connection);
      long now = System.nanoTime();
      removeOld(now, left);
      ArrayDeque<Idle> kept = idle.computeIfAbsent(peer, _ -> new ArrayDeque<>());
      if (wasBusy && kept.size() < MAX_IDLE_EACH) {
        kept.add(new Idle(connection, now));
      } else {
        left.add(connection);
      }
    }
    left.forEach(Http1Connection::close);
  }

  private void removeOld(long now, List<Http1Connection> removed) {
    for (ArrayDeque<Idle> kept : idle.values()) {
      while (!kept.isEmpty() && kept.getFirst().isOld(now)) {
        removed.add(kept.removeFirst().connection);
      }
    }
    idle.values().removeIf(ArrayDeque::isEmpty);
  }

  /** Closes a connection, whose call is over or broken off. */
  void drop(Http1Connection connection) {
    synchronized (this) {
      busy.remove(connection);
    }
    connection.close();
  }

  /** Breaks off the calls that run; there can be no more. */
  @Override
  public void close() {
    List<Http1Connection> left = new ArrayList<>();
    synchronized (this) {
      closed = true;
      busy.forEach(Http1Connection::abort);
      busy.clear();
      idle.values().forEach(kept -> kept.forEach(each -> left.add(each.connection)));
      idle.clear();
    }
    left.forEach(Http1Connection::close);
  }
}
