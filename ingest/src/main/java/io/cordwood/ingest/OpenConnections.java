package io.cordwood.ingest;

import java.net.InetAddress;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Whether senders may connect, how many are, over all ports and from each address, and how many may
 * be. Safe for all threads.
 */
public final class OpenConnections {
  private final int max;
  private final int maxPerAddress;
  private final AtomicInteger count = new AtomicInteger();
  private final Map<InetAddress, Integer> byAddress = new ConcurrentHashMap<>();
  private volatile Optional<String> refusal = Optional.empty();

  public OpenConnections(int max, int maxPerAddress) {
    this.max = max;
    this.maxPerAddress = maxPerAddress;
  }

  /** From now on nobody may connect, for this reason; empty if they may. */
  public void refuse(Optional<String> why) {
    refusal = why;
  }

  /** Why nobody may connect now; empty if they may. */
  public Optional<String> refusal() {
    return refusal;
  }

  /** Counts one more; if that would be too many, or nobody may connect, it says so instead. */
  public Optional<String> open(InetAddress address) {
    if (refusal.isPresent()) {
      return refusal;
    }
    if (count.incrementAndGet() > max) {
      count.decrementAndGet();
      return Optional.of("expected at most " + max + " connections, found more");
    }
    if (byAddress.merge(address, 1, Integer::sum) > maxPerAddress) {
      closed(address);
      return Optional.of(
          "expected at most %d connections from %s, found more"
              .formatted(maxPerAddress, address.getHostAddress()));
    }
    return Optional.empty();
  }

  public void closed(InetAddress address) {
    byAddress.computeIfPresent(address, (_, open) -> open == 1 ? null : open - 1);
    count.decrementAndGet();
  }

  public int count() {
    return count.get();
  }
}
