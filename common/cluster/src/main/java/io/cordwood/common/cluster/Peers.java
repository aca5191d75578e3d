package io.cordwood.common.cluster;

import io.cordwood.common.cluster.NodeInfoCodec.Description;
import io.scalecube.cluster.Member;
import io.scalecube.cluster.membership.MembershipEvent;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The other nodes, as the membership events tell of them.
 *
 * <p>Held by member id, which is new with every start of a node; asked by node id, which outlives a
 * restart. For the seconds in which a restarted node is listed twice, the later start is the one
 * that counts. Written by the one membership thread, read by any.
 */
final class Peers {
  private static final Logger LOG = LoggerFactory.getLogger(Peers.class);

  private final Map<String, Peer> byMemberId = new ConcurrentHashMap<>();
  private final Set<String> ofLaterVersions = new HashSet<>();
  private final AtomicLong arrivals = new AtomicLong();
  private final String selfNodeId;
  private final DepartedNodes departed;
  private final Memory memory;
  private final InstantSource clock;
  private final GossipMetrics metrics;
  private volatile @Nullable Present present;

  /**
   * The members but for what is new with each load: asked for far more often than it changes.
   *
   * @param addresses of all members
   * @param telling in order
   * @param nodeIds this node's included
   * @param all ids of members, as all lists in the order in which they came
   * @param described those of {@link #described}
   * @param places those of {@link #describedWithDuplicates}
   */
  private record Present(
      Set<String> addresses,
      List<String> telling,
      Set<String> nodeIds,
      Optional<String> undescribed,
      List<String> all,
      List<String> described,
      List<String> places) {}

  /**
   * A member.
   *
   * @param since when it came, or said that it leaves
   * @param asOf when it was found to have its roles
   */
  private record Peer(
      String id,
      long arrival,
      String address,
      @Nullable Description said,
      boolean leaving,
      Instant since,
      Instant asOf) {
    @Nullable NodeInfo node() {
      return said == null ? null : said.node();
    }

    boolean tells() {
      return said != null && said.tells();
    }

    /** Whether it differs from what it was in its load alone, for those who ask who is there. */
    boolean isPresentAs(Peer before) {
      NodeInfo node = node();
      NodeInfo then = before.node();
      return address.equals(before.address)
          && leaving == before.leaving
          && tells() == before.tells()
          && node != null
          && then != null
          && node.isAtPlaceOf(then);
    }
  }

  Peers(
      String selfNodeId,
      DepartedNodes departed,
      Memory memory,
      InstantSource clock,
      GossipMetrics metrics) {
    this.selfNodeId = selfNodeId;
    this.departed = departed;
    this.memory = memory;
    this.clock = clock;
    this.metrics = metrics;
  }

  /** Takes in one event; never throws for what a peer sent, never waits for anyone's I/O. */
  synchronized void onEvent(MembershipEvent event) {
    Member member = event.member();
    switch (event.type()) {
      case ADDED -> add(member, decode(member, event.newMetadata()));
      case UPDATED -> update(member, decode(member, event.newMetadata()));
      case LEAVING -> leave(member);
      case REMOVED -> remove(member);
    }
  }

  /** Reads between two events, so that a node that goes is here or among the departed ones. */
  synchronized <T> T between(Supplier<T> reading) {
    return reading.get();
  }

  boolean isEmpty() {
    return byMemberId.isEmpty();
  }

  int size() {
    return byMemberId.size();
  }

  /**
   * The members that can be asked something: described, not leaving, one for each node id and for
   * each address of an API.
   */
  List<NodeInfo> described() {
    return nodes(present().described);
  }

  /** All that were described and are not leaving, one for each start of a node on its disk. */
  List<NodeInfo> describedWithDuplicates() {
    return nodes(present().places);
  }

  /** The members' gossip addresses. */
  Set<String> addresses() {
    return present().addresses;
  }

  /** The address of a member that has not described itself in a way that this node understands. */
  Optional<String> undescribed() {
    return present().undescribed;
  }

  /** Whether a member at this gossip address tells others whom it remembers. */
  boolean tells(String address) {
    return Collections.binarySearch(telling(), address) >= 0;
  }

  /** The gossip addresses of all members that tell, in order. */
  List<String> telling() {
    return present().telling;
  }

  /** Ids of the nodes that are there, this one included. */
  Set<String> nodeIds() {
    return present().nodeIds;
  }

  private Present present() {
    Present known = present;
    return known == null ? lookWhoIsPresent() : known;
  }

  private synchronized Present lookWhoIsPresent() {
    Present known = present;
    if (known == null) {
      Set<String> addresses = new HashSet<>();
      byMemberId.values().forEach(peer -> addresses.add(peer.address));
      Collection<Peer> there = byMemberId.values().stream().filter(it -> !it.leaving).toList();
      Collection<Peer> described = latest(there, NodeInfo::nodeId);
      Set<String> nodeIds = new HashSet<>(Set.of(selfNodeId));
      described.forEach(peer -> nodeIds.add(nodeId(peer)));
      known =
          new Present(
              Collections.unmodifiableSet(addresses),
              there.stream().filter(Peer::tells).map(Peer::address).distinct().sorted().toList(),
              Collections.unmodifiableSet(nodeIds),
              there.stream().filter(peer -> peer.node() == null).map(Peer::address).findFirst(),
              ids(byMemberId.values()),
              ids(
                  latest(described, NodeInfo::apiAddress).stream()
                      .filter(peer -> !selfNodeId.equals(nodeId(peer)))
                      .toList()),
              ids(latest(there, NodeInfo::place)));
      present = known;
    }
    return known;
  }

  private static @Nullable String nodeId(Peer peer) {
    NodeInfo node = peer.node();
    return node == null ? null : node.nodeId();
  }

  private static List<String> ids(Collection<Peer> peers) {
    return peers.stream().sorted(Comparator.comparingLong(Peer::arrival)).map(Peer::id).toList();
  }

  /** The described peers; of those that are equal by this identity, the one that came last. */
  private static Collection<Peer> latest(
      Collection<Peer> peers, Function<NodeInfo, Object> identity) {
    Map<Object, Peer> latest = new HashMap<>();
    for (Peer peer : peers) {
      if (peer.node() != null) {
        latest.merge(identity.apply(peer.node()), peer, (a, b) -> a.arrival > b.arrival ? a : b);
      }
    }
    return latest.values();
  }

  private List<NodeInfo> nodes(List<String> memberIds) {
    List<NodeInfo> nodes = new ArrayList<>(memberIds.size());
    for (String id : memberIds) {
      Peer peer = byMemberId.get(id);
      NodeInfo node = peer == null || peer.leaving ? null : peer.node();
      if (node != null) {
        nodes.add(node);
      }
    }
    return nodes;
  }

  /** Everything that is listed, in the order of arrival. */
  List<ClusterView.Listed> listed() {
    List<String> all = present().all;
    List<ClusterView.Listed> listed = new ArrayList<>(all.size());
    for (String id : all) {
      Peer peer = byMemberId.get(id);
      if (peer != null) {
        listed.add(listed(peer));
      }
    }
    return listed;
  }

  private static ClusterView.Listed listed(Peer peer) {
    ClusterView.State state =
        peer.leaving
            ? ClusterView.State.LEAVING
            : peer.node() == null ? ClusterView.State.UNDESCRIBED : ClusterView.State.ALIVE;
    return new ClusterView.Listed(peer.address, state, peer.since, peer.node());
  }

  private void add(Member member, @Nullable Description said) {
    NodeInfo node = said == null ? null : said.node();
    LOG.info("{} joined: {}", member.address(), node);
    memory.met(member.address());
    Instant now = clock.instant();
    long arrival = arrivals.incrementAndGet();
    byMemberId.put(
        member.id(), new Peer(member.id(), arrival, member.address(), said, false, now, now));
    present = null;
    if (node != null) {
      departed.cameBack(node.nodeId());
    }
  }

  private void update(Member member, @Nullable Description said) {
    Peer old = byMemberId.get(member.id());
    if (said == null || old == null) {
      return;
    }
    var updated =
        new Peer(
            old.id,
            old.arrival,
            member.address(),
            said,
            old.leaving,
            old.since,
            hasRolesOf(old, said) ? old.asOf : clock.instant());
    byMemberId.put(member.id(), updated);
    if (!updated.isPresentAs(old)) {
      present = null;
    }
    if (updated.leaving) {
      depart(updated); // its last words may come after its farewell
    } else {
      departed.cameBack(said.node().nodeId());
    }
  }

  private void leave(Member member) {
    LOG.info("{} is leaving", member.address());
    Peer leaving =
        byMemberId.computeIfPresent(
            member.id(),
            (_, old) ->
                new Peer(
                    old.id, old.arrival, old.address, old.said, true, clock.instant(), old.asOf));
    present = null;
    depart(leaving);
  }

  private static boolean hasRolesOf(Peer old, Description said) {
    NodeInfo before = old.node();
    return before != null && before.roles().equals(said.node().roles());
  }

  private void remove(Member member) {
    LOG.info("{} is gone", member.address());
    Peer gone = byMemberId.remove(member.id());
    present = null;
    depart(gone);
    boolean isUnread = ofLaterVersions.remove(member.id());
    if (isUnread && gone != null && gone.node() == null && !gone.leaving) {
      memory.lostSomebody(gone.address);
    }
  }

  private void depart(@Nullable Peer peer) {
    NodeInfo node = peer == null ? null : peer.node();
    if (peer != null && node != null && !isHere(node.nodeId())) {
      departed.left(node, peer.address, peer.leaving, peer.asOf);
    }
  }

  private boolean isHere(String nodeId) {
    return nodeId.equals(selfNodeId)
        || byMemberId.values().stream()
            .filter(peer -> !peer.leaving)
            .anyMatch(peer -> peer.node() != null && peer.node().nodeId().equals(nodeId));
  }

  private @Nullable Description decode(Member member, @Nullable ByteBuffer metadata) {
    if (metadata == null) {
      return null;
    }
    byte[] bytes = new byte[metadata.remaining()];
    metadata.duplicate().get(bytes);
    try {
      return NodeInfoCodec.describe(bytes);
    } catch (GossipFormatException e) {
      metrics.metadataRefused().refused(member.address(), e);
      if (e.reason() == GossipFormatException.Reason.VERSION) {
        ofLaterVersions.add(member.id());
      }
      return null;
    }
  }
}
