package io.cordwood.common.http.server;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** The open connections of a server, up to a limit. Safe for all threads. */
final class Connections {
  private final int limit;
  private final AtomicInteger count;
  private final Set<Connection> open = ConcurrentHashMap.newKeySet();
  private volatile boolean closing;

  /**
   * @param count kept at the number of open connections
   */
  Connections(int limit, AtomicInteger count) {
    this.limit = limit;
    this.count = count;
  }

  boolean add(Connection connection) {
    open.add(connection);
    if (count.incrementAndGet() > limit || closing) {
      remove(connection);
      return false;
    }
    return true;
  }

  void remove(Connection connection) {
    if (open.remove(connection)) {
      count.decrementAndGet();
    }
  }

  /** No more connections; those that are open end with the answers they are at. */
  void drain() {
    closing = true;
    open.forEach(Connection::drain);
  }

  boolean isClosing() {
    return closing;
  }

  void closeAll() {
    open.forEach(Connection::close);
  }
}
