package io.cordwood.common.cluster;

import io.cordwood.common.file.Filesystem;
import io.cordwood.common.net.HostPort;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.scalecube.cluster.transport.api.MessageCodec;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * This node's part in the gossip: tells the others about itself and knows who is there.
 *
 * <p>What it says is a belief, seconds old, and may be wrong: a wrong belief may cost extra copies
 * but never a record. Members that leave or go silent are dropped, and come back by themselves when
 * they can be reached again. Any thread may call any method; only {@link #start} (for the listener)
 * and {@link #close} (to say goodbye) wait for anything.
 */
public final class Cluster implements AutoCloseable {
  private final ClusterOptions options;
  private final GossipTransport transport;
  private final MembershipState state;
  private final Membership membership;

  private Cluster(
      ClusterOptions options,
      GossipTransport transport,
      MembershipState state,
      Membership membership) {
    this.options = options;
    this.transport = transport;
    this.state = state;
    this.membership = membership;
  }

  /**
   * Listens, and begins to look for the seeds in the background; without any it is a cluster of
   * one, which others may join.
   *
   * @throws IOException if the address cannot be listened on; the message names it
   */
  public static Cluster start(NodeInfo self, ClusterOptions options, MeterRegistry registry)
      throws IOException {
    Counter cut = registry.counter("cordwood.cluster.tables.cut");
    return start(
        self,
        options,
        registry,
        reported -> new GossipCodec(reported::alive, cut::increment),
        HostPort::resolve);
  }

  static Cluster start(
      NodeInfo self,
      ClusterOptions options,
      MeterRegistry registry,
      Function<ReportedAddresses, MessageCodec> codecs,
      Resolver resolver)
      throws IOException {
    GossipMetrics metrics = GossipMetrics.in(registry);
    MembershipState state = MembershipState.of(self, options, metrics, InstantSource.system());
    MessageCodec codec = codecs.apply(state.reported());
    GossipTransport transport =
        new GossipTransport(
            options.bind(),
            codec,
            resolver,
            new Handshake(options.clusterName(), options.keys()),
            options.tls(),
            metrics);
    Membership membership =
        new Membership(self, options, transport, codec, state, Surroundings.real(resolver));
    Cluster cluster = new Cluster(options, transport, state, membership);
    cluster.watch(registry);
    try {
      membership.start();
      return cluster;
    } catch (IOException e) {
      cluster.close();
      throw e;
    }
  }

  private void watch(MeterRegistry registry) {
    for (Role role : Role.values()) {
      Gauge.builder("cordwood.cluster.members", this, c -> c.members(role).size())
          .tag("role", role.name().toLowerCase(Locale.ROOT))
          .register(registry);
    }
    registry.gauge("cordwood.cluster.departed", state.departed(), gone -> gone.all().size());
    FunctionCounter.builder("cordwood.cluster.forgotten", state.memory(), Memory::forgotten)
        .register(registry);
    registry.gauge(
        "cordwood.cluster.twins", state.duplicates(), duplicates -> duplicates.found().size());
    registry.gauge("cordwood.cluster.seeds.unreachable", state.seeds(), Seeds::unreachable);
  }

  /** The port that it listens on. */
  public int port() {
    return transport.port();
  }

  /** This node, with the load it was last given. */
  public NodeInfo self() {
    return membership.self();
  }

  /**
   * The nodes that have this role, one for each node id, this one included if it has it, in the
   * order of arrival.
   */
  public List<NodeInfo> members(Role role) {
    return Stream.concat(Stream.of(self()), state.peers().described().stream())
        .filter(node -> node.has(role))
        .toList();
  }

  /**
   * The members of a role, including all that share a node id, as after a data folder was copied,
   * or an address, as after a disk was replaced, until the old node is dropped. The former are one
   * node for counting copies, and several for reaching all records; of the latter only the new one
   * can be reached.
   */
  public List<NodeInfo> membersAndTwins(Role role) {
    return membersAndTwins().stream().filter(node -> node.has(role)).toList();
  }

  /** All members, of whatever role, this one included, as {@link #membersAndTwins(Role)}. */
  public List<NodeInfo> membersAndTwins() {
    return state.membersAndTwins(self());
  }

  /** Members, departed nodes and doubt, of one moment. */
  public KnownMembers known() {
    return state.known(self(), this::doubt);
  }

  /**
   * The nodes that were members and are gone: remembered until they come back, those that take no
   * records for a day at most. A node that starts again takes all for gone that it knew, until it
   * meets them.
   */
  public List<DepartedNode> departed() {
    return state.departed().all();
  }

  /** Why there may be nodes that this one does not know, for people; empty if nothing says so. */
  public Optional<String> doubt() {
    return membership.doubt();
  }

  /**
   * Waits until this node has tried to reach all whom it was told of, knows those whom it reached,
   * and is known to one of them; no longer than so.
   */
  public void awaitFirstLook(Duration longest) throws InterruptedException {
    membership.awaitFirstLook(longest);
  }

  /**
   * Why no other node would miss this one if it went away; empty if one knows of it, or did when it
   * was last here, and if there is none. Until then it must not acknowledge anything.
   */
  public Optional<String> stranger() {
    return membership.stranger();
  }

  /**
   * A departed node is gone for good, and whatever it held is given up; others learn of it.
   *
   * @return whether it is one of the departed ones
   */
  public boolean forget(String nodeId) {
    return membership.forget(nodeId);
  }

  /** Whoever is not known is not missed, though this node may not remember all. */
  public void forgetUnknown() {
    membership.forgetUnknown();
  }

  /** Makes the file of members for a node that was never part of a cluster. */
  public static void beginMembers(Path file, Filesystem disk) throws IOException {
    MembersFile.begin(file, disk);
  }

  /** Whether no node has used the file of members since it was made. */
  public static boolean isBegun(Path members) throws IOException {
    return MembersFile.isBegun(members);
  }

  /** The contents of a file of members that comes from a backup: some may have joined since. */
  public static String restoredMembers(String text) {
    return MembersFile.restored(text);
  }

  /** Takes this node's new load, to be published at the next interval; never waits. */
  public void load(NodeLoad load) {
    membership.load(load);
  }

  /**
   * This node, which is about to leave, holds nothing any more that its role was about: who
   * remembers it after {@link #close} does not miss that. Never waits.
   */
  public void giveUp(Role role) {
    membership.giveUp(role);
  }

  /** All that this node believes, for people to look at. */
  public ClusterView view() {
    return new ClusterView(
        options.clusterName(),
        new ClusterView.Self(self(), membership.advertised().toString(), options.keys().ids()),
        state.seeds().view(),
        membership.isJoined(),
        state.peers().listed(),
        state.departed().all(),
        state.duplicates().found());
  }

  /** Tells the others, waits some seconds at most for that to spread, and stops listening. */
  @Override
  public void close() {
    membership.close();
  }

  /** The transport of its messages; closing it alone makes this node vanish without a farewell. */
  GossipTransport transport() {
    return transport;
  }
}
