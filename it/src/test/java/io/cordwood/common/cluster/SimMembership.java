package io.cordwood.common.cluster;

import io.cordwood.common.file.Filesystem;
import io.cordwood.common.file.WholeFile;
import io.cordwood.common.net.HostPort;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.scalecube.cluster.Member;
import io.scalecube.cluster.membership.MembershipEvent;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * All that a simulated node believes of the others: the node's own classes, told by the simulator
 * what the gossip library would tell them.
 */
public final class SimMembership {
  private static final SimpleMeterRegistry REGISTRY = new SimpleMeterRegistry();
  private static final Path FILE = Path.of("/data/members");

  private final MembershipState state;
  private final MembersFile file;
  private final Member member;
  private final Instant startedAt;
  private final Set<String> ownAddresses;
  private NodeInfo self;
  private byte[] described;
  private boolean onDisk = true;

  /**
   * A node that starts.
   *
   * @param disk where it remembers whom it knew
   * @param life tells it from the same node before
   * @param seeds gossip addresses of others
   */
  public SimMembership(
      NodeInfo self, long life, List<HostPort> seeds, Filesystem disk, InstantSource clock)
      throws IOException {
    this.self = self;
    this.described = NodeInfoCodec.encode(self);
    var options =
        new ClusterOptions(
            new HostPort(self.apiHost(), 7659),
            self.apiHost(),
            seeds,
            "sim",
            ClusterKeys.NONE,
            GossipTiming.LAN,
            Optional.of(FILE));
    state = MembershipState.of(self, options, GossipMetrics.in(REGISTRY), clock);
    file = new MembersFile(FILE, disk);
    member = new Member(self.nodeId() + "-" + life, null, address(), "cordwood-sim");
    startedAt = clock.instant();
    ownAddresses = Set.of(address());
    state.seeds().reached(address());
    if (disk.size(FILE).isEmpty()) {
      MembersFile.begin(FILE, disk);
    }
    state.restore(file.read(startedAt), self);
  }

  /** Where its gossip is. */
  public String address() {
    return self.apiHost() + ":7659";
  }

  /** This node, as it describes itself. */
  public NodeInfo self() {
    return self;
  }

  private void describe(NodeInfo now) {
    self = now;
    described = NodeInfoCodec.encode(now);
  }

  /** Describes itself anew. */
  public void load(NodeLoad load) {
    describe(self.withLoad(load));
  }

  /** It holds nothing any more that its role was about, and is about to leave. */
  public void giveUp(Role role) {
    describe(self.without(role));
    state.memory().takesItsLeave();
  }

  /** A backup is put back: what is on the disk may be old. */
  public static void restored(Filesystem disk) throws IOException {
    if (disk.size(FILE).isPresent()) {
      String text = MembersFile.restored(WholeFile.read(disk, FILE));
      WholeFile.writeForced(disk, FILE, text);
    }
  }

  /** This node in the words in which gossip carries it. */
  public byte[] described() {
    return described.clone();
  }

  /** Another node came. */
  public void added(SimMembership other, byte[] described) {
    state.seeds().reached(other.address());
    state.peers().onEvent(MembershipEvent.createAdded(other.member, ByteBuffer.wrap(described), 0));
    remember();
  }

  /** Another node says something else of itself; it is on the disk after the next look. */
  public void updated(SimMembership other, byte[] before, byte[] described) {
    state
        .peers()
        .onEvent(
            MembershipEvent.createUpdated(
                other.member, ByteBuffer.wrap(before), ByteBuffer.wrap(described), 0));
  }

  /** Another node was not heard for long. */
  public void removed(SimMembership other, byte[] described) {
    state
        .peers()
        .onEvent(MembershipEvent.createRemoved(other.member, ByteBuffer.wrap(described), 0));
    remember();
  }

  /**
   * Looks around, as it does each few seconds.
   *
   * @param answers whether a call of somebody whom it does not see is answered at an address
   */
  public void look(Predicate<String> answers) {
    Set<String> seen = state.peers().addresses();
    seen.forEach(state.seeds()::reached);
    state.seeds().meet(seen);
    for (String seed : state.seeds().addresses()) {
      if (!seen.contains(seed) && !ownAddresses.contains(seed)) {
        if (answers.test(seed)) {
          state.seeds().reached(seed);
        } else {
          state.seeds().notReached(seed, new IOException("no answer"));
        }
      }
    }
    look();
  }

  private void look() {
    state.look(ownAddresses);
    remember();
  }

  /**
   * Tells another node whom it remembers, if it is one that listens.
   *
   * @return what was said, by both
   */
  public List<byte[]> tell(SimMembership other, boolean asks) {
    List<byte[]> said = new ArrayList<>();
    tell(other, asks, said);
    return said;
  }

  private void tell(SimMembership other, boolean asks, List<byte[]> said) {
    if (onDisk && state.peers().telling().contains(other.address())) {
      for (Recollection part : state.recollection(asks)) {
        said.add(encoded(part));
        other.hear(this, part, said);
      }
    }
  }

  private static byte[] encoded(Recollection part) {
    var bytes = new ByteArrayOutputStream();
    try (var out = new ObjectOutputStream(bytes)) {
      part.writeExternal(out);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
    return bytes.toByteArray();
  }

  /** Bytes of what it remembers on its disk. */
  public static long remembered(Filesystem disk) throws IOException {
    return disk.size(FILE).orElse(0);
  }

  private void hear(SimMembership from, Recollection part, List<byte[]> said) {
    if (!state.peers().telling().contains(from.address())) {
      return;
    }
    state.heard(from.address(), part);
    look();
    if (part.asks()) {
      tell(from, false, said);
    }
  }

  /** Whether it needs to hear whom others remember. */
  public boolean asks() {
    return state.memory().past() != Past.WHOLE;
  }

  private void remember() {
    var listed = new ClusterView.Listed(address(), ClusterView.State.ALIVE, startedAt, self);
    List<ClusterView.Listed> others = state.peers().listed();
    List<DepartedNode> departed = state.departed().all();
    state.memory().known(state.peers().nodeIds());
    departed.forEach(gone -> state.memory().known(List.of(gone.node().nodeId())));
    onDisk = file.write(state.memory().written(), listed, others, departed, state.seeds().met());
  }

  /** All that it knows. */
  public KnownMembers known() {
    return state.known(self, () -> state.doubt(ownAddresses));
  }

  /** Why no other node would miss this one; empty if that is not so. */
  public Optional<String> stranger() {
    return state.stranger(ownAddresses);
  }
}
