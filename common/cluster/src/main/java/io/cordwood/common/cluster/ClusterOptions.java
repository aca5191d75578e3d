package io.cordwood.common.cluster;

import io.cordwood.common.net.AdvertisedHost;
import io.cordwood.common.net.HostPort;
import io.cordwood.common.tls.NodeTls;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * How a node takes part in gossip.
 *
 * @param bind where to listen; port 0 means any free one
 * @param advertisedHost the host that peers are told to connect to; null means {@link
 *     AdvertisedHost} chooses
 * @param seeds some or, better, all nodes; a node's own address among them does no harm. Names are
 *     resolved again for every connection
 * @param clusterName nodes with different names refuse each other
 * @param keys nodes without a key in common refuse each other
 * @param membersFile where to keep who is known, for the next start; empty to forget it. Its folder
 *     must be there
 * @param tls with which nodes show each other certificates; empty for none
 */
public record ClusterOptions(
    HostPort bind,
    @Nullable String advertisedHost,
    List<HostPort> seeds,
    String clusterName,
    ClusterKeys keys,
    GossipTiming timing,
    Optional<Path> membersFile,
    Optional<NodeTls> tls) {
  /** Nodes that a node remembers, those that are gone among them. */
  public static final int MOST_REMEMBERED = Memory.MAX_NODES;

  public static final int MAX_SEEDS = 256;
  private static final Pattern NAME =
      Pattern.compile("[A-Za-z0-9]([A-Za-z0-9_-]{0,62}[A-Za-z0-9])?");

  /** Without TLS. */
  public ClusterOptions(
      HostPort bind,
      @Nullable String advertisedHost,
      List<HostPort> seeds,
      String clusterName,
      ClusterKeys keys,
      GossipTiming timing,
      Optional<Path> membersFile) {
    this(bind, advertisedHost, seeds, clusterName, keys, timing, membersFile, Optional.empty());
  }

  /** These options, with TLS or without. */
  public ClusterOptions withTls(Optional<NodeTls> other) {
    return new ClusterOptions(
        bind, advertisedHost, seeds, clusterName, keys, timing, membersFile, other);
  }

  /**
   * @throws IllegalArgumentException if the name is not 1 to 64 letters, digits, hyphens and
   *     underscores, or there are too many seeds
   */
  public ClusterOptions {
    seeds = List.copyOf(seeds);
    if (!NAME.matcher(clusterName).matches()) {
      throw new IllegalArgumentException(
          "expected a cluster name of 1 to 64 letters, digits, '-' and '_', found '"
              + clusterName
              + "'");
    }
    if (seeds.size() > MAX_SEEDS) {
      throw new IllegalArgumentException(
          "expected at most " + MAX_SEEDS + " seeds, found " + seeds.size());
    }
  }

  String effectiveAdvertisedHost() {
    return advertisedHost != null ? advertisedHost : AdvertisedHost.of(bind.host());
  }
}
