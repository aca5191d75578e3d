package io.cordwood.common.cluster;

import io.cordwood.common.net.HostPort;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The peers that this node was told of, and what keeps it from reaching them: said in the log when
 * that begins and when it ends. Any thread may use it.
 */
final class Seeds {
  private static final Logger LOG = LoggerFactory.getLogger(Seeds.class);

  private final Map<String, @Nullable String> troubles = new LinkedHashMap<>();

  Seeds(List<HostPort> seeds) {
    seeds.forEach(seed -> troubles.put(seed.toString(), null));
  }

  synchronized List<String> addresses() {
    return List.copyOf(troubles.keySet());
  }

  synchronized List<ClusterView.Seed> view() {
    return troubles.entrySet().stream()
        .map(entry -> new ClusterView.Seed(entry.getKey(), entry.getValue()))
        .toList();
  }

  synchronized int unreachable() {
    return (int) troubles.values().stream().filter(trouble -> trouble != null).count();
  }

  /** Does nothing for an address that is no seed. */
  synchronized void reached(String address) {
    if (troubles.get(address) != null) {
      troubles.put(address, null);
      LOG.info("peer {} can be reached", address);
    }
  }

  /** Does nothing for an address that is no seed. */
  synchronized void notReached(String address, Throwable why) {
    if (!troubles.containsKey(address)) {
      return;
    }
    String trouble = why.getMessage() == null ? why.toString() : why.getMessage();
    if (troubles.put(address, trouble) == null) {
      LOG.warn("peer {} cannot be reached, and is tried again and again: {}", address, trouble);
    }
  }
}
