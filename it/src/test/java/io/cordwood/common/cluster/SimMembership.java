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
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

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
  private final GatheredChanges changes;
  private final Consumer<byte[]> said;
  private final Publication publication;
  private boolean onDisk = true;
  private long version;
  private long calmVersion = -1;
  private @Nullable Set<String> telling;

  /**
   * A node that starts.
   *
   * @param disk where it remembers whom it knew
   * @param life tells it from the same node before
   * @param seeds gossip addresses of others
   * @param surroundings of the process
   */
  public SimMembership(
      NodeInfo self, long life, List<HostPort> seeds, Filesystem disk, Surroundings surroundings)
      throws IOException {
    InstantSource clock = surroundings.clock;
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
    said = surroundings.said;
    publication = new Publication(self, GossipTiming.LAN.loadInterval(), surroundings.nanos);
    changes = new GatheredChanges(pause -> surroundings.later.accept(pause, this::takeIn));
  }

  /**
   * The time of a process, and who counts what it says.
   *
   * @param nanos as of {@link System#nanoTime}
   * @param later runs something after some time
   * @param said is given what it tells of whom it remembers
   */
  public record Surroundings(
      InstantSource clock,
      LongSupplier nanos,
      BiConsumer<Duration, Runnable> later,
      Consumer<byte[]> said) {}

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

  /** Looks whether its load is to be published, as it does each few seconds. */
  public void load(NodeLoad load) {
    NodeInfo before = self;
    self = self.withLoad(load);
    if (saysOtherwise(before, self)) {
      version++;
    }
    publication.publish(
        self,
        1 + state.peers().size(),
        bytes -> {
          described = bytes;
          return Mono.empty();
        });
  }

  /** It holds nothing any more that its role was about, and is about to leave. */
  public void giveUp(Role role) {
    version++;
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

  /** Another node came; once that is written down, it is told who is remembered. */
  public void added(SimMembership other, byte[] described) {
    changed();
    state.seeds().reached(other.address());
    state.peers().onEvent(MembershipEvent.createAdded(other.member, ByteBuffer.wrap(described), 0));
    changes.add(state.peers().size(), _ -> tell(other, asks()));
  }

  private void changed() {
    version++;
    telling = null;
  }

  private void takeIn() {
    List<Consumer<Member>> afterwards = changes.take();
    remember();
    afterwards.forEach(act -> act.accept(member));
  }

  /** Another node says something else of itself; it is on the disk after the next look. */
  public void updated(SimMembership other, byte[] before, byte[] described) {
    if (saysOtherwise(decoded(before), decoded(described))) {
      changed();
    }
    state
        .peers()
        .onEvent(
            MembershipEvent.createUpdated(
                other.member, ByteBuffer.wrap(before), ByteBuffer.wrap(described), 0));
  }

  /** Another node was not heard for long. */
  public void removed(SimMembership other, byte[] described) {
    changed();
    state
        .peers()
        .onEvent(MembershipEvent.createRemoved(other.member, ByteBuffer.wrap(described), 0));
    changes.add(state.peers().size(), _ -> {});
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
    state.look(ownAddresses);
    remember();
  }

  /** Tells another node whom it remembers, if it is one that listens. */
  public void tell(SimMembership other, boolean asks) {
    if (onDisk && tells(other)) {
      for (Recollection part : state.recollection(asks)) {
        said.accept(encoded(part));
        other.hear(this, part);
      }
    }
  }

  /** Whether it tells others, of those that are seen. */
  private boolean tells(SimMembership other) {
    if (telling == null) {
      telling = Set.copyOf(state.peers().telling());
    }
    return telling.contains(other.address());
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

  private void hear(SimMembership from, Recollection part) {
    if (!tells(from)) {
      return;
    }
    state.heard(from.address(), part);
    state.look(ownAddresses);
    changes.add(
        state.peers().size(),
        _ -> {
          if (part.asks()) {
            tell(from, false);
          }
        });
  }

  /** Whether it needs to hear whom others remember. */
  public boolean asks() {
    return state.memory().past() != MemberHistory.WHOLE;
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
    KnownMembers now = state.known(self, () -> state.doubt(ownAddresses));
    calmVersion = now.departed().isEmpty() && now.doubt().isEmpty() ? version : -1;
    return now;
  }

  /**
   * The number of changes of what it knows, but for the load of nodes. Time alone changes nothing
   * while nobody is gone and nothing is doubtful.
   */
  public long version() {
    return version;
  }

  /** Whether it knows the same as when it was last asked for all, at that version. */
  public boolean isAsAt(long then) {
    return then == version && then == calmVersion && state.departed().all().isEmpty();
  }

  private static NodeInfo decoded(byte[] described) {
    try {
      return NodeInfoCodec.decode(described);
    } catch (GossipFormatException e) {
      throw new IllegalStateException(e);
    }
  }

  /** In anything but its load; what it says of copies is none. */
  private static boolean saysOtherwise(NodeInfo before, NodeInfo now) {
    return !withoutLoad(before).equals(withoutLoad(now));
  }

  private static NodeInfo withoutLoad(NodeInfo node) {
    NodeLoad load = node.load();
    return node.withLoad(NodeLoad.NONE.withStored(0, load.replicatedFromMillis(), load.partners()));
  }

  /** Why no other node would miss this one; empty if that is not so. */
  public Optional<String> stranger() {
    return state.stranger(ownAddresses);
  }
}
