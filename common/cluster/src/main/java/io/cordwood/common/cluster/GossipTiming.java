package io.cordwood.common.cluster;

import java.time.Duration;

/**
 * How often nodes probe, gossip and compare notes, and how long they wait.
 *
 * <p>A silent member is suspected after a failed probe and removed after {@code suspicionFactor ×
 * ceil(log2(members)) × pingInterval}: 10 s for three members of a {@link #LAN}.
 *
 * @param pingInterval one member is probed in each
 * @param pingTimeout after it, others are asked to probe; less than the interval
 * @param gossipInterval news goes out to a few members in each
 * @param syncInterval the whole table is compared with one seed or member in each; what heals a
 *     cluster whose halves lost each other
 * @param syncTimeout how long a starting node waits for its seeds before it goes on alone
 * @param metadataTimeout how long a member may take to say who it is; when it takes longer, the
 *     news is lost until the next comparison
 * @param loadInterval loads are looked at once in each, and published as {@link Publication} says
 */
public record GossipTiming(
    Duration pingInterval,
    Duration pingTimeout,
    Duration gossipInterval,
    Duration syncInterval,
    Duration syncTimeout,
    Duration metadataTimeout,
    Duration loadInterval,
    int suspicionFactor) {

  /** For nodes on one network, busy ones too. */
  public static final GossipTiming LAN =
      new GossipTiming(
          Duration.ofSeconds(1),
          Duration.ofMillis(500),
          Duration.ofMillis(200),
          Duration.ofSeconds(5),
          Duration.ofSeconds(3),
          Duration.ofSeconds(5),
          Duration.ofSeconds(3),
          5);

  /** For nodes that share a machine, a busy one too: three of them drop a silent one after 5 s. */
  public static final GossipTiming LOCAL =
      new GossipTiming(
          Duration.ofMillis(400),
          Duration.ofMillis(300),
          Duration.ofMillis(100),
          Duration.ofSeconds(1),
          Duration.ofSeconds(2),
          Duration.ofSeconds(5),
          Duration.ofMillis(500),
          5);

  /**
   * @throws IllegalArgumentException if an interval is under 1 ms or over an hour, or probes time
   *     out later than the next begins
   */
  public GossipTiming {
    check("ping interval", pingInterval);
    check("ping timeout", pingTimeout);
    check("gossip interval", gossipInterval);
    check("sync interval", syncInterval);
    check("sync timeout", syncTimeout);
    check("metadata timeout", metadataTimeout);
    check("load interval", loadInterval);
    if (pingTimeout.compareTo(pingInterval) >= 0) {
      throw new IllegalArgumentException("the ping timeout must be less than the ping interval");
    }
    if (suspicionFactor < 1) {
      throw new IllegalArgumentException("the suspicion factor must be at least 1");
    }
  }

  /** How long after its last word a member is dropped by the latest, in a cluster of this size. */
  Duration silence(int members) {
    int rounds = Integer.SIZE - Integer.numberOfLeadingZeros(Math.max(1, members));
    return pingInterval.multipliedBy(2L + (long) suspicionFactor * rounds);
  }

  private static void check(String name, Duration value) {
    if (value.toMillis() < 1 || value.compareTo(Duration.ofHours(1)) > 0) {
      throw new IllegalArgumentException(
          "the " + name + " must be from 1 ms to 1 h, found " + value);
    }
  }
}
