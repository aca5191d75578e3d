package io.cordwood.sim;

import io.cordwood.common.cluster.KnownMembers;
import io.cordwood.common.cluster.Role;
import io.cordwood.common.segment.BatchInfo;
import io.cordwood.dist.server.SimKnownNodes;
import io.cordwood.query.gather.ClusterNodes;
import io.cordwood.sim.Faults.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A cluster in virtual time: faults for a while, then none, and what must hold meanwhile and in the
 * end.
 */
final class SimCluster implements World {
  /** The retention of stores that delete nothing. */
  static final Duration FOR_EVER = Duration.ofDays(10_000);

  private static final long SECOND = Duration.ofSeconds(1).toNanos();
  private static final long BETWEEN_SNAPSHOTS = Duration.ofMinutes(2).toNanos();
  private static final long CALM = Duration.ofMinutes(2).toNanos();
  private static final long HEALING = Duration.ofMinutes(8).toNanos();
  private static final int SEEDS = 3;

  final Sim sim;
  final Ledger ledger = new Ledger();
  final Costs costs = new Costs();
  final Network network;
  final Checks checks;
  private final Shape shape;
  private final Faults faults;
  private final Mistake mistake;
  private final Gossip gossip;
  private final List<SimNode> nodes = new ArrayList<>();
  private final Map<String, SimNode> byId = new HashMap<>();
  private final Senders senders;
  private final Mishaps mishaps;
  private final Duration retention;
  private final boolean stepsStores;
  private int copies;
  private boolean hasLostStores;
  private long complete;
  private long queries;
  private boolean healing;
  private boolean over;
  private boolean claimsWait;

  /**
   * The size of a run.
   *
   * @param copies that there are to be of everything at first
   * @param minutes with faults
   */
  record Shape(int ingest, int stores, int queries, int copies, int minutes) {
    Shape withMinutes(int less) {
      return new Shape(ingest, stores, queries, copies, less);
    }
  }

  /** Something that must hold does not. */
  static final class Violation extends Error {
    private static final long serialVersionUID = 1;

    Violation(String what) {
      super(what);
    }
  }

  SimCluster(Run run) {
    this.sim = new Sim(run.seed());
    this.shape = run.shape();
    this.faults = new Faults(sim.random.split(), run.limits());
    this.mistake = run.mistake();
    this.copies = shape.copies;
    this.network = new Network(sim, faults, costs);
    this.gossip = new Gossip(this);
    this.checks = new Checks(this);
    this.senders = new Senders(this, shape.ingest);
    this.stepsStores = faults.random(Kind.CLOCK_STEP).nextBoolean();
    double minutes = faults.rate(Kind.RETENTION);
    this.retention =
        minutes == 0 ? FOR_EVER : Duration.ofMinutes(6).plusSeconds((long) (minutes * 60));
    Stream.generate(() -> Role.INGEST).limit(shape.ingest).forEach(this::create);
    Stream.generate(() -> Role.STORE).limit(shape.stores).forEach(this::create);
    Stream.generate(() -> Role.QUERY).limit(shape.queries).forEach(this::create);
    this.mishaps = new Mishaps(this);
  }

  private SimNode create(Role role) {
    SimNode node =
        switch (role) {
          case INGEST -> new SimIngest(this);
          case STORE -> new SimStore(this);
          default -> new SimQuery(this);
        };
    nodes.add(node);
    byId.put(node.id, node);
    return node;
  }

  /** A node joins. */
  void add(Role role) {
    create(role).start();
  }

  @Override
  public Sim sim() {
    return sim;
  }

  @Override
  public Faults faults() {
    return faults;
  }

  List<SimNode> nodes() {
    return Collections.unmodifiableList(nodes);
  }

  /** The nodes that are not gone for good. */
  Stream<SimNode> present() {
    return nodes.stream().filter(node -> !node.isGone());
  }

  Optional<SimNode> node(String id) {
    return Optional.ofNullable(byId.get(id));
  }

  /** The nodes that a new one is told of. */
  List<SimNode> seeds() {
    return present().limit(SEEDS).toList();
  }

  /** A node is gone for good. */
  void lost(SimNode node) {
    hasLostStores |= node instanceof SimStore;
    node.gone();
  }

  boolean hasLostStores() {
    return hasLostStores;
  }

  boolean makes(Mistake made) {
    return mistake == made;
  }

  /** Whether claims wait at ingest nodes, as those of nodes do. */
  boolean doClaimsWait() {
    return claimsWait;
  }

  /** Whether no more batches are sent. */
  boolean isOver() {
    return over;
  }

  int copies() {
    return copies;
  }

  /** Stores make so many copies from their next start on. */
  void wantCopies(int wanted) {
    copies = wanted;
  }

  Duration retention() {
    return retention;
  }

  /** Whether clocks that are set are those of stores, or those of ingest nodes. */
  boolean stepsClockOf(SimNode node) {
    return node.role() == (stepsStores ? Role.STORE : Role.INGEST);
  }

  /** Whether batches say when they were taken. */
  boolean areStampsRight() {
    return faults.rate(Kind.CLOCK) == 0 && (stepsStores || faults.rate(Kind.CLOCK_STEP) == 0);
  }

  /** Whether no store's clock is ever set. */
  boolean areStoresRight() {
    return !stepsStores || faults.rate(Kind.CLOCK_STEP) == 0;
  }

  Senders senders() {
    return senders;
  }

  /** Who took a batch. */
  String origin(BatchInfo batch) {
    return ledger.find(batch).map(Ledger.Acknowledged::node).orElse("nobody");
  }

  ClusterNodes knownBy(SimNode node, KnownMembers members) {
    ClusterNodes known = SimKnownNodes.of(members, node.membership().self());
    return mistake == Mistake.FORGET_DEPARTED
        ? new ClusterNodes(
            known.ingest(),
            known.stores(),
            List.of(),
            known.replicationFactor(),
            known.self(),
            known.doubt())
        : known;
  }

  void asked(boolean isComplete) {
    queries++;
    complete += isComplete ? 1 : 0;
  }

  private void begin() {
    nodes.forEach(SimNode::start);
    sim.every(SECOND, WORLD, gossip::round);
    sim.every(SECOND, WORLD, senders::second);
  }

  /** Runs without faults, and measures the minutes after the first ones. */
  void measure(int warm, int minutes) {
    claimsWait = true;
    begin();
    sim.runUntil(warm * 60L * SECOND);
    costs.measure();
    sim.runUntil((warm + minutes) * 60L * SECOND);
  }

  @Override
  public void run() {
    begin();
    if (faults.rate(Kind.OLD_DISK) > 0) {
      sim.every(BETWEEN_SNAPSHOTS, WORLD, () -> present().forEach(SimNode::takeSnapshot));
    }
    sim.runUntil(CALM);
    sim.every(SECOND, WORLD, this::second);
    sim.runUntil(CALM + shape.minutes * 60L * SECOND);
    heal();
    sim.runUntil(sim.nanos() + HEALING);
    over = true;
    sim.runUntil(sim.nanos() + HEALING);
    checks.healed();
  }

  private void second() {
    if (healing) {
      present().forEach(SimNode::start);
    } else {
      mishaps.second();
    }
  }

  private void heal() {
    sim.note(WORLD_NAME, "heals");
    healing = true;
    faults.heal();
    network.heal();
    nodes.forEach(node -> node.setClock(Duration.ZERO));
    nodes.forEach(node -> node.fullUntil(0));
    present().forEach(SimNode::start);
  }

  @Override
  public String costs() {
    return "%d batches, %d calls, %d queries, %d complete, %d events, %d faults %s"
        .formatted(
            ledger.count(), costs.calls(), queries, complete, sim.events(), faults.count(), faults);
  }
}
