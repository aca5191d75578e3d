package io.cordwood.common.cluster;

import io.cordwood.common.net.HostPort;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The peers that this node was told of, and what keeps it from reaching them: said in the log when
 * that begins and when it ends, and as a warning when it lasts. Any thread may use it.
 */
final class Seeds {
  private static final Logger LOG = LoggerFactory.getLogger(Seeds.class);

  /** As long as the nodes of a cluster that are started together may take on a busy machine. */
  static final Duration PATIENCE = Duration.ofSeconds(30);

  private final Map<String, Seed> seeds = new LinkedHashMap<>();
  private final InstantSource clock;
  private final Duration grace;

  /**
   * The reason why this node does not reach a peer.
   *
   * @param isWarnedOf whether it lasts so long that a warning was written
   */
  private record Trouble(String why, Instant since, boolean isWarnedOf) {}

  /**
   * One of them.
   *
   * @param isMet whether it was one of the nodes known, at some time
   * @param reachedSince null while no call has reached it
   * @param trouble why the last call did not reach it; null if it did, or is still to come
   * @param elsewhere the address that its name stood for when it was last looked up
   */
  private record Seed(
      boolean isMet,
      @Nullable Instant reachedSince,
      @Nullable Trouble trouble,
      @Nullable String elsewhere) {
    static final Seed UNTRIED = new Seed(false, null, null, null);

    boolean isTried() {
      return reachedSince != null || trouble != null;
    }

    boolean isIn(String address, Set<String> known) {
      return known.contains(address) || (elsewhere != null && known.contains(elsewhere));
    }

    boolean isReachedSince(Instant horizon) {
      return reachedSince != null && !reachedSince.isAfter(horizon);
    }

    Seed met() {
      return new Seed(true, reachedSince, trouble, elsewhere);
    }
  }

  /**
   * @param grace how long after it was first reached a seed must have become known as a member; one
   *     that has not is known under another address
   */
  Seeds(List<HostPort> seeds, InstantSource clock, Duration grace) {
    seeds.forEach(seed -> this.seeds.put(seed.toString(), Seed.UNTRIED));
    this.clock = clock;
    this.grace = grace;
  }

  synchronized List<String> addresses() {
    return List.copyOf(seeds.keySet());
  }

  /** Those that were not called yet, or not answered for yet. */
  synchronized List<String> untried() {
    return seeds.entrySet().stream()
        .filter(entry -> !entry.getValue().isTried())
        .map(Map.Entry::getKey)
        .toList();
  }

  synchronized List<ClusterView.Seed> view() {
    return seeds.entrySet().stream()
        .map(entry -> new ClusterView.Seed(entry.getKey(), why(entry.getValue().trouble)))
        .toList();
  }

  private static @Nullable String why(@Nullable Trouble trouble) {
    return trouble == null ? null : trouble.why;
  }

  /**
   * Whether none leads to another node: each is one of these addresses, or is answered at for some
   * time already, and no member has shown itself there.
   */
  synchronized boolean leadNowhereElse(Set<String> own) {
    Instant horizon = clock.instant().minus(grace);
    return seeds.entrySet().stream()
        .allMatch(entry -> {
          Instant reached = entry.getValue().reachedSince;
          return entry.getValue().isIn(entry.getKey(), own)
              || (reached != null && !reached.isAfter(horizon));
        });
  }

  synchronized int unreachable() {
    return (int) seeds.values().stream().filter(seed -> seed.trouble != null).count();
  }

  /**
   * Takes note of the seeds that are met: whether they answer later or not, they are known. One
   * that was reached for so long that it must be a member is one under another address, if there is
   * a member at an address that is no seed's.
   *
   * @param members gossip addresses of living members
   */
  synchronized void meet(Set<String> members) {
    boolean isOtherwiseNamed =
        members.stream()
            .anyMatch(address ->
                seeds.entrySet().stream()
                    .noneMatch(seed -> seed.getValue().isIn(seed.getKey(), Set.of(address))));
    Instant horizon = clock.instant().minus(grace);
    seeds.replaceAll((address, seed) ->
        seed.isIn(address, members) || (isOtherwiseNamed && seed.isReachedSince(horizon))
            ? seed.met()
            : seed);
  }

  /** Those that are met, in order. */
  synchronized List<String> met() {
    return seeds.entrySet().stream()
        .filter(entry -> entry.getValue().isMet)
        .map(Map.Entry::getKey)
        .sorted()
        .toList();
  }

  /** Those that this node met before its last start; it remembers them, as what they are. */
  synchronized void restoreMet(Set<String> addresses) {
    seeds.replaceAll((address, seed) -> addresses.contains(address) ? seed.met() : seed);
  }

  /**
   * A seed that was none of the nodes known yet, and why, for people. One that was and is gone is
   * counted among those.
   *
   * @param known gossip addresses, this node's own and those of departed ones among them
   */
  synchronized Optional<String> unmet(Set<String> known) {
    seeds.replaceAll((address, seed) -> seed.isIn(address, known) ? seed.met() : seed);
    Instant horizon = clock.instant().minus(grace);
    for (Map.Entry<String, Seed> entry : seeds.entrySet()) {
      Seed seed = entry.getValue();
      if (!seed.isMet && !seed.isReachedSince(horizon)) {
        return Optional.of(
            "peer %s was not met yet%s"
                .formatted(entry.getKey(), seed.trouble == null ? "" : ", " + seed.trouble.why));
      }
    }
    return Optional.empty();
  }

  /** Does nothing for an address that is no seed. */
  synchronized void reached(String address) {
    Seed seed = seeds.get(address);
    if (seed != null && (seed.reachedSince == null || seed.trouble != null)) {
      Instant since = seed.reachedSince == null ? clock.instant() : seed.reachedSince;
      seeds.put(address, new Seed(seed.isMet, since, null, seed.elsewhere));
      if (seed.trouble != null) {
        LOG.info("peer {} can be reached", address);
      }
    }
  }

  /** Does nothing for an address that is no seed. */
  synchronized void standsFor(String address, String elsewhere) {
    seeds.computeIfPresent(
        address, (_, seed) -> new Seed(seed.isMet, seed.reachedSince, seed.trouble, elsewhere));
  }

  /** Does nothing for an address that is no seed. */
  synchronized void notReached(String address, Throwable why) {
    Seed seed = seeds.get(address);
    if (seed == null) {
      return;
    }
    String reason = why.getMessage() == null ? why.toString() : why.getMessage();
    Instant now = clock.instant();
    Trouble before = seed.trouble;
    Instant since = before == null ? now : before.since;
    boolean lasts = !now.isBefore(since.plus(PATIENCE));
    if (before == null) {
      LOG.info("peer {} cannot be reached, and is tried again and again: {}", address, reason);
    } else if (lasts && !before.isWarnedOf) {
      LOG.warn("peer {} cannot be reached since {}: {}", address, since, reason);
    }
    Trouble trouble = new Trouble(reason, since, lasts);
    seeds.put(address, new Seed(seed.isMet, null, trouble, seed.elsewhere));
  }
}
