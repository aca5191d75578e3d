package io.cordwood.common.cluster;

import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.Set;

/**
 * All that a node believes of the others, each part under the care of its class.
 *
 * @param seeds the peers that it was told of
 */
record MembershipState(
    Peers peers,
    DepartedNodes departed,
    Seeds seeds,
    ReportedAddresses reported,
    DuplicateNodeIds duplicates) {
  /** Rounds after which who was reached or named has come to be known, or is somebody else. */
  private static final int GRACE_ROUNDS = 3;

  static MembershipState of(NodeInfo self, ClusterOptions options, GossipMetrics metrics) {
    InstantSource clock = InstantSource.system();
    DepartedNodes departed = new DepartedNodes(clock);
    Peers peers = new Peers(self.nodeId(), departed, clock, metrics);
    DuplicateNodeIds duplicates = new DuplicateNodeIds(peers, options.timing(), clock);
    Duration grace = options.timing().syncInterval().multipliedBy(GRACE_ROUNDS);
    return new MembershipState(
        peers,
        departed,
        new Seeds(options.seeds(), clock, grace),
        new ReportedAddresses(clock, grace),
        duplicates);
  }

  /**
   * Why there may be nodes that this one does not know, for people; empty if nothing says so.
   *
   * @param own this node's own gossip addresses, former ones too
   */
  Optional<String> doubt(Set<String> own) {
    Set<String> known = peers.addresses();
    known.addAll(own);
    departed.all().forEach(gone -> known.add(gone.gossipAddress()));
    Optional<String> seed = seeds.unmet(known);
    if (seed.isPresent()) {
      return seed;
    }
    Optional<String> undescribed = peers.undescribed();
    if (undescribed.isPresent()) {
      return undescribed.map("the node at %s has not said who it is"::formatted);
    }
    return reported.unmet(known).map("the node at %s was not met yet"::formatted);
  }
}
