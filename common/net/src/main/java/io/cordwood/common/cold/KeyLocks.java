package io.cordwood.common.cold;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;

/** Locks by key, each there as long as somebody has it or waits for it. For all threads. */
final class KeyLocks<K> {
  private final ConcurrentHashMap<K, Counted> locks = new ConcurrentHashMap<>();

  /** A lock, and how many have it or wait for it; changed within the map's own steps. */
  private static final class Counted {
    private final ReentrantLock lock = new ReentrantLock();
    private int users;
  }

  /** A lock that one has. */
  interface Held extends AutoCloseable {
    @Override
    void close();
  }

  /** Waits for a key's lock. */
  Held lock(K key) {
    Counted its =
        locks.compute(
            key,
            (_, known) -> {
              Counted counted = known == null ? new Counted() : known;
              counted.users++;
              return counted;
            });
    its.lock.lock();
    return () -> {
      its.lock.unlock();
      locks.computeIfPresent(key, (_, known) -> --known.users == 0 ? null : known);
    };
  }
}
