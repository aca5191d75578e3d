package io.cordwood.common.cluster;

import java.time.Duration;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * All that a node believes of the others, each part under the care of its class.
 *
 * @param seeds the peers that it was told of
 */
record MembershipState(
    Memory memory,
    Peers peers,
    DepartedNodes departed,
    Seeds seeds,
    ReportedAddresses reported,
    DuplicateNodeIds duplicates,
    InstantSource clock) {
  /** Rounds after which who was reached or named has come to be known, or is somebody else. */
  private static final int GRACE_ROUNDS = 3;

  static MembershipState of(
      NodeInfo self, ClusterOptions options, GossipMetrics metrics, InstantSource clock) {
    Memory memory = new Memory();
    DepartedNodes departed = new DepartedNodes(clock, memory);
    Peers peers = new Peers(self.nodeId(), departed, memory, clock, metrics);
    DuplicateNodeIds duplicates = new DuplicateNodeIds(peers, options.timing(), clock);
    Duration grace = options.timing().syncInterval().multipliedBy(GRACE_ROUNDS);
    return new MembershipState(
        memory,
        peers,
        departed,
        new Seeds(options.seeds(), clock, grace),
        new ReportedAddresses(clock, grace),
        duplicates,
        clock);
  }

  /** Takes in what was on the disk when this node started. */
  void restore(SavedMembers remembered, NodeInfo self) {
    memory.restore(remembered, self.nodeId());
    departed.restore(
        remembered.departed().stream()
            .filter(gone -> !gone.node().nodeId().equals(self.nodeId()))
            .toList());
    seeds.restoreMet(remembered.metPeers());
  }

  /** This node and all others, those that share a node id or an address with another too. */
  List<NodeInfo> membersAndTwins(NodeInfo self) {
    Stream<NodeInfo> others =
        peers.describedWithDuplicates().stream().filter(node -> !node.isAtPlaceOf(self));
    return Stream.concat(Stream.of(self), others).toList();
  }

  /**
   * Members, departed nodes and doubt, of one moment.
   *
   * @param doubt asked at that moment
   */
  KnownMembers known(NodeInfo self, Supplier<Optional<String>> doubt) {
    return peers.between(
        () -> new KnownMembers(membersAndTwins(self), departed.all(), doubt.get()));
  }

  /**
   * Why there may be nodes that this one does not know, for people; empty if nothing says so.
   *
   * @param own this node's own gossip addresses, former ones too
   */
  Optional<String> doubt(Set<String> own) {
    return doubtOfThePresent(own).or(() -> memory.doubt(peers.telling()));
  }

  private Optional<String> doubtOfThePresent(Set<String> own) {
    Set<String> known = known(own);
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

  private Set<String> known(Set<String> own) {
    Set<String> known = new HashSet<>(peers.addresses());
    known.addAll(own);
    departed.all().forEach(gone -> known.add(gone.gossipAddress()));
    return known;
  }

  /** Nodes that are all new have nothing to remember. */
  void look(Set<String> own) {
    Set<String> members = peers.addresses();
    if (memory.heardFrom(members)) {
      memory.look(members.size(), peers.telling(), doubtOfThePresent(own).isEmpty());
    }
  }

  /** Takes in what a member remembers. */
  void heard(String address, Recollection part) {
    boolean isRead = true;
    try {
      List<DepartedNode> nodes = part.nodes(clock.instant());
      peers.between(() -> {
        departed.learn(nodes, peers.nodeIds());
        return nodes;
      });
    } catch (GossipFormatException e) {
      isRead = false; // of a later version; its own description is counted
    }
    memory.heard(address, part, isRead);
  }

  /** The nodes that this one tells a member of, in parts. */
  List<Recollection> recollection(boolean asks) {
    return Recollection.of(memory.past(), asks, departed.all(), clock.instant());
  }

  /**
   * Why no other node would miss this one; empty if one knows of it, or did when it was last here,
   * and if there is none. Members of an earlier version cannot tell, and are believed to.
   *
   * @param own this node's own gossip addresses
   */
  Optional<String> stranger(Set<String> own) {
    boolean othersCannotTell = peers.telling().isEmpty() && !peers.described().isEmpty();
    boolean isAlone = peers.isEmpty() && seeds.leadNowhereElse(own);
    return memory.isIntroduced() || othersCannotTell || isAlone
        ? Optional.empty()
        : Optional.of(
            "no other node knows of this one yet"
                + seeds.unmet(known(own)).map(why -> ": " + why).orElse(""));
  }
}
