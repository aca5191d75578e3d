package io.cordwood.sim;

import io.cordwood.common.cluster.KnownMembers;
import io.cordwood.common.cluster.NodeInfo;
import io.cordwood.common.cluster.NodeLoad;
import io.cordwood.common.cluster.Role;
import io.cordwood.common.cluster.SimMembership;
import io.cordwood.common.http.KnownParts;
import io.cordwood.common.net.HostPort;
import io.cordwood.query.gather.ClusterNodes;
import io.cordwood.query.wire.KnownNode;
import io.cordwood.query.wire.SharedNodes;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** A node: its disk, and what is in its memory while it runs. */
abstract class SimNode {
  private static final Sim.Life NOT_STARTED = new Sim.Life("nobody");
  private static final Visible NOTHING = new Visible(-1, Map.of());
  private static final int API_PORT = 7650;

  final SimCluster cluster;
  final Sim sim;
  final int number;
  final String id;
  final MemoryDisk disk;
  final SplittableRandom random;

  /** The clock of its machine, which may be wrong. */
  final InstantSource clock;

  private final Role role;
  private final URI uri;
  private final long wrongMillis;
  private Duration step = Duration.ZERO;
  private boolean hasSteadyClock = true;
  private boolean gone;
  private long fullUntil;
  private @Nullable MemoryDisk snapshot;
  private Sim.Life process = NOT_STARTED;
  private long lives;
  private @Nullable SimMembership membership;
  private @Nullable View view;
  private Visible visible = NOTHING;
  private final Map<SimMembership, Seen> seen = new HashMap<>();

  /**
   * The others, for questions.
   *
   * @param shared whom it tells those who know what their questions say
   */
  private record View(
      long version,
      KnownMembers members,
      ClusterNodes nodes,
      List<KnownNode> told,
      Map<KnownParts, List<KnownNode>> shared) {}

  /** Those of {@link #visible}, by role, as of a version. */
  private record Visible(long version, Map<Role, List<SimNode>> nodes) {}

  /** Another node, as this one's gossip has it. */
  static final class Seen {
    final SimMembership member;
    SimMembership.Described described;
    long heardNanos;

    Seen(SimMembership member, SimMembership.Described described, long heardNanos) {
      this.member = member;
      this.described = described;
      this.heardNanos = heardNanos;
    }
  }

  static {
    NOT_STARTED.kill();
  }

  SimNode(SimCluster cluster, Role role) {
    this.cluster = cluster;
    this.sim = cluster.sim;
    this.number = cluster.nodes().size();
    this.id = "%s%02d".formatted(role.name().toLowerCase(Locale.ROOT), number);
    this.role = role;
    this.uri = URI.create("http://" + host() + ":" + API_PORT);
    this.random = sim.random.split();
    double part = 2 * cluster.faults().random(Faults.Kind.CLOCK).nextDouble() - 1;
    this.wrongMillis = (long) (part * cluster.faults().rate(Faults.Kind.CLOCK) * 1000);
    this.clock = () -> sim.instant().plusMillis(wrongMillis).plus(step);
    this.disk = new MemoryDisk(clock);
    disk.isFull(() -> sim.nanos() < fullUntil);
    letForcesFail();
  }

  /** Its disk has no room until then. */
  void fullUntil(long nanos) {
    fullUntil = nanos;
  }

  private void letForcesFail() {
    disk.forceFails(() -> cluster.faults().happens(Faults.Kind.FORCE_ERROR));
  }

  /** Its clock is set, by so much more than right; a right one is, too, once all is well. */
  void setClock(Duration by) {
    step = by;
    hasSteadyClock &= by.isZero();
  }

  /** Whether its clock was never set to a wrong time. */
  boolean hasSteadyClock() {
    return hasSteadyClock;
  }

  /** Whether it never comes back. */
  boolean isGone() {
    return gone;
  }

  void gone() {
    gone = true;
  }

  /** Keeps what is on its disk. */
  void takeSnapshot() {
    snapshot = disk.snapshot();
  }

  boolean hasSnapshot() {
    return snapshot != null;
  }

  /** What was kept is on its disk again, by the way of backups, and forced. It does not run. */
  void putBackDisk() {
    disk.putBack(Objects.requireNonNull(snapshot));
    fullUntil = 0;
    disk.forceFails(() -> false);
    try {
      SimMembership.restored(disk);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    } finally {
      letForcesFail();
    }
  }

  /** How many copies it makes, if it is a store. */
  int copies() {
    return 0;
  }

  Role role() {
    return role;
  }

  Sim.Life process() {
    return process;
  }

  boolean isUp() {
    return !process.isOver();
  }

  private String host() {
    return "10.0.%d.%d".formatted(number / 250, 1 + number % 250);
  }

  /** Where its API is. */
  URI uri() {
    return uri;
  }

  /** What its gossip believes, while it runs. */
  SimMembership membership() {
    return Objects.requireNonNull(membership);
  }

  Map<SimMembership, Seen> seen() {
    return seen;
  }

  /** The nodes as a query that it gathers sees them. */
  ClusterNodes known() {
    return view().nodes;
  }

  /** Whom it tells somebody who asks it that it knows. */
  List<KnownNode> told(Optional<KnownParts> asking) {
    View now = view();
    return asking
        .map(parts ->
            now.shared.computeIfAbsent(
                parts, _ -> SharedNodes.without(parts, now.told, now.nodes.selfKnown())))
        .orElse(now.told);
  }

  /** Made again only when it knows something else. */
  private View view() {
    View before = view;
    if (before != null && membership().isAsAt(before.version)) {
      return before;
    }
    KnownMembers members = membership().known();
    ClusterNodes nodes = cluster.knownBy(this, members);
    var now = new View(membership().version(), members, nodes, nodes.known(), new HashMap<>());
    view = now;
    return now;
  }

  /** Starts; does nothing if it runs. */
  final void start() {
    if (isUp()) {
      return;
    }
    lives++;
    process = new Sim.Life(id + "/" + lives);
    sim.note(process, "starts");
    disk.beforeChange(this::maybeCrash);
    seen.clear();
    view = null;
    visible = NOTHING;
    try {
      begins();
      var self = new NodeInfo(id, Set.of(role), host(), API_PORT, copies(), NodeLoad.NONE);
      List<HostPort> seeds =
          cluster.seeds().stream().map(node -> new HostPort(node.host(), 7659)).toList();
      membership = new SimMembership(self, lives, seeds, disk, surroundings(process));
      started();
    } catch (Sim.Crash e) {
      process.kill();
    } catch (IOException e) {
      sim.note(process, "does not start: " + e.getMessage());
      process.kill();
    }
  }

  private SimMembership.Surroundings surroundings(Sim.Life life) {
    return new SimMembership.Surroundings(
        clock,
        sim::nanos,
        (pause, run) -> sim.after(pause.toNanos(), life, run),
        part -> cluster.costs.said(Costs.Kind.RECOLLECTION, part.length));
  }

  /** Reads its settings. */
  void begins() {}

  private void maybeCrash() {
    if (cluster.faults().happens(Faults.Kind.DISK_CRASH)) {
      sim.note(process, "ends at its disk");
      process.kill();
      throw new Sim.Crash();
    }
  }

  /** Ends, as by SIGKILL, or by a loss of power. */
  final void end(boolean power) {
    if (isUp()) {
      sim.note(process, power ? "loses power" : "is killed");
      process.kill();
    }
    disk.beforeChange(() -> {});
    if (power) {
      disk.losePower(random);
      powerLost();
    }
  }

  /** Begins its work. */
  abstract void started() throws IOException;

  /** The part of its disk that the simulator models loses what was not forced. */
  void powerLost() {}

  /** How it describes its load. */
  NodeLoad load() {
    return NodeLoad.NONE;
  }

  /** The nodes of a role that it sees, in order. */
  List<SimNode> visible(Role wanted) {
    if (visible.version != membership().version()) {
      visible = new Visible(membership().version(), new EnumMap<>(Role.class));
    }
    return visible.nodes.computeIfAbsent(wanted, this::see);
  }

  private List<SimNode> see(Role wanted) {
    return view()
        .members
        .with(wanted)
        .map(node -> cluster.node(node.nodeId()))
        .flatMap(Optional::stream)
        .filter(node -> !node.equals(this))
        .sorted(Comparator.comparingInt(node -> node.number))
        .toList();
  }

  @Override
  public String toString() {
    return id;
  }
}
