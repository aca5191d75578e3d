package io.cordwood.common.cluster;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Addresses of living members, as other nodes lately gave them. The gossip library takes one in
 * only when it has said who it is; until then it may hold what nobody is asked for. At most {@link
 * #MAX_ADDRESSES}, the last ones. Any thread may use it.
 */
final class ReportedAddresses {
  static final int MAX_ADDRESSES = 1024;

  private final InstantSource clock;
  private final Duration memory;
  private final Map<String, Instant> heard = new LinkedHashMap<>();

  /**
   * @param memory how long what was said once counts
   */
  ReportedAddresses(InstantSource clock, Duration memory) {
    this.clock = clock;
    this.memory = memory;
  }

  /** Somebody said that members live there. */
  synchronized void alive(Collection<String> addresses) {
    for (String address : addresses) {
      heard.remove(address);
      heard.put(address, clock.instant());
    }
    while (heard.size() > MAX_ADDRESSES) {
      heard.remove(heard.keySet().iterator().next());
    }
  }

  /** A reported address that is not among those known. */
  synchronized Optional<String> unmet(Set<String> known) {
    Instant horizon = clock.instant().minus(memory);
    heard.values().removeIf(at -> at.isBefore(horizon));
    return heard.keySet().stream().filter(address -> !known.contains(address)).findFirst();
  }
}
