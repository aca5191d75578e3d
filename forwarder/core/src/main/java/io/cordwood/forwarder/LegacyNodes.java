package io.cordwood.forwarder;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Nodes of earlier versions, which refuse a connection for one word of its preamble. They are not
 * given that word again for an hour. Owned by the sender thread.
 */
final class LegacyNodes {
  private static final long NANOS = TimeUnit.HOURS.toNanos(1);
  private static final int MAX = 2 * LearnedNodes.MAX;

  private final Map<Target, Long> since = new HashMap<>();

  boolean has(Target target) {
    Long refused = since.get(target);
    return refused != null && System.nanoTime() - refused <= NANOS;
  }

  void add(Target target) {
    if (since.size() > MAX) {
      since.clear();
    }
    since.put(target, System.nanoTime());
  }
}
