package io.cordwood.common.http.server;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The open connections of a server, up to a limit, and a few beyond it, for health, for metrics and
 * for the nodes of the cluster: who watches a busy node, or needs its records, must not take it for
 * a dead one. Safe for all threads.
 */
final class Connections {
  /** Connections beyond all others. */
  static final int SPARE = 128;

  /** One of them, as it is ended; for any thread. */
  interface Open {
    /** Ends the connection after the answers that run now. */
    void drain();

    /** Ends the connection and the answers that run. */
    void close();
  }

  private final int limit;
  private final AtomicInteger count;
  private final Set<Open> open = ConcurrentHashMap.newKeySet();
  private volatile boolean closing;

  /**
   * @param count kept at the number of open connections
   */
  Connections(int limit, AtomicInteger count) {
    this.limit = limit;
    this.count = count;
  }

  boolean add(Open connection) {
    open.add(connection);
    if (count.incrementAndGet() > limit + SPARE || closing) {
      remove(connection);
      return false;
    }
    return true;
  }

  int limit() {
    return limit;
  }

  /** Whether there are more than the limit says, so that the last ones are spare. */
  boolean areTooMany() {
    return count.get() > limit;
  }

  void remove(Open connection) {
    if (open.remove(connection)) {
      count.decrementAndGet();
    }
  }

  /** No more connections; those that are open end with the answers they are at. */
  void drain() {
    closing = true;
    open.forEach(Open::drain);
  }

  boolean isClosing() {
    return closing;
  }

  void closeAll() {
    open.forEach(Open::close);
  }
}
