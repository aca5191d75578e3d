package io.cordwood.ingest;

import java.net.InetAddress;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * How many senders are connected, over all ports and from each address, and how many may be. Safe
 * for all threads.
 */
public final class OpenConnections {
  private final int max;
  private final int maxPerAddress;
  private final AtomicInteger count = new AtomicInteger();
  private final Map<InetAddress, Integer> byAddress = new ConcurrentHashMap<>();

  public OpenConnections(int max, int maxPerAddress) {
    this.max = max;
    this.maxPerAddress = maxPerAddress;
  }

  /** Counts one more; if that would be too many, it does not, and says so. */
  public Optional<String> open(InetAddress address) {
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
