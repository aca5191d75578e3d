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
import java.util.Arrays;
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
  private Described described;
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
    this.described = Described.by(NodeInfoCodec.encode(self));
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

  /** A description in the words in which gossip carries it. */
  public static final class Described {
    private final byte[] bytes;
    private final NodeInfo withoutLoad;

    private Described(byte[] bytes, NodeInfo withoutLoad) {
      this.bytes = bytes;
      this.withoutLoad = withoutLoad;
    }

    private static Described by(byte[] bytes) {
      try {
        return new Described(bytes, withoutLoad(NodeInfoCodec.decode(bytes)));
      } catch (GossipFormatException e) {
        throw new IllegalStateException(e);
      }
    }

    /** Its length. */
    public int bytes() {
      return bytes.length;
    }

    /** Whether another one has the same words. */
    public boolean isAs(Described other) {
      return Arrays.equals(bytes, other.bytes);
    }

    private ByteBuffer sent() {
      return ByteBuffer.wrap(bytes);
    }
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
    described = Described.by(NodeInfoCodec.encode(now));
  }

  /** Looks whether its load is to be published, as it does each few seconds. */
  public void load(NodeLoad load) {
    if (!self.load().lasting().equals(load.lasting())) {
      version++;
    }
    self = self.withLoad(load);
    publication.publish(
        self,
        1 + state.peers().size(),
        bytes -> {
          described = Described.by(bytes);
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
  public Described described() {
    return described;
  }

  /** Another node came; once that is written down, it is told who is remembered. */
  public void added(SimMembership other, Described described) {
    changed();
    state.seeds().reached(other.address());
    state.peers().onEvent(MembershipEvent.createAdded(other.member, described.sent(), 0));
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
  public void updated(SimMembership other, Described before, Described described) {
    if (!before.withoutLoad.equals(described.withoutLoad)) {
      changed();
    }
    state
        .peers()
        .onEvent(MembershipEvent.createUpdated(other.member, before.sent(), described.sent(), 0));
  }

  /** Another node was not heard for long. */
  public void removed(SimMembership other, Described described) {
    changed();
    state.peers().onEvent(MembershipEvent.createRemoved(other.member, described.sent(), 0));
    changes.add(state.peers().size(), _ -> {});
  }

  /**
   * Looks around, as it does each few seconds.
   *
   * @param answers whether a call of somebody whom it does not see is answered at an address
   */
  public void look(Predicate<String> answers) {
    Set<String> seen = state.peers().addresses();
    List<String> seeds = state.seeds().addresses();
    seeds.stream().filter(seen::contains).forEach(state.seeds()::reached);
    state.seeds().meet(seen);
    for (String seed : seeds) {
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

  /** Without its load; what it says of copies is none. */
  private static NodeInfo withoutLoad(NodeInfo node) {
    return node.withLoad(node.load().lasting());
  }

  /** Why no other node would miss this one; empty if that is not so. */
  public Optional<String> stranger() {
    return state.stranger(ownAddresses);
  }
}
