package io.cordwood.sim;

import io.cordwood.common.cluster.Role;
import io.cordwood.common.segment.BatchInfo;
import io.cordwood.dist.server.SimKnownNodes;
import io.cordwood.query.gather.ClusterNodes;
import io.cordwood.query.gather.Verdict;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * A cluster in virtual time: faults for a while, then none, and what must hold meanwhile and in the
 * end.
 */
final class SimCluster {
  private static final long SECOND = Duration.ofSeconds(1).toNanos();
  private static final long HOUR = Duration.ofHours(1).toNanos();
  private static final long CALM = Duration.ofMinutes(2).toNanos();
  private static final long HEALING = Duration.ofMinutes(8).toNanos();

  /** Who does what befalls nodes. */
  static final String WORLD_NAME = "world";

  private static final Sim.Life WORLD = new Sim.Life(WORLD_NAME);

  final Sim sim;
  final Ledger ledger = new Ledger();
  final Network network;
  private final Shape shape;
  private final Faults faults;
  private final Mistake mistake;
  private final Gossip gossip;
  private final List<SimNode> nodes = new ArrayList<>();
  private final Set<SimNode> lost = new HashSet<>();
  private long complete;
  private long queries;
  private boolean healing;
  private boolean over;

  /**
   * The size of a run.
   *
   * @param copies that there are to be of everything
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
    this.network = new Network(sim, faults);
    this.gossip = new Gossip(this);
    for (int i = 0; i < shape.ingest; i++) {
      nodes.add(new SimIngest(this));
    }
    for (int i = 0; i < shape.stores; i++) {
      nodes.add(new SimStore(this, shape.copies));
    }
    for (int i = 0; i < shape.queries; i++) {
      nodes.add(new SimQuery(this));
    }
  }

  Faults faults() {
    return faults;
  }

  List<SimNode> nodes() {
    return Collections.unmodifiableList(nodes);
  }

  Optional<SimNode> node(String id) {
    return nodes.stream().filter(node -> node.id.equals(id)).findFirst();
  }

  boolean makes(Mistake made) {
    return mistake == made;
  }

  /** Whether no more batches are sent. */
  boolean isOver() {
    return over;
  }

  ClusterNodes knownBy(SimNode node) {
    ClusterNodes known = SimKnownNodes.of(node.membership().known(), node.membership().self());
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

  long complete() {
    return complete;
  }

  long queries() {
    return queries;
  }

  /** Runs all of it. */
  void run() {
    nodes.forEach(SimNode::start);
    sim.every(SECOND, WORLD, gossip::round);
    sim.runUntil(CALM);
    sim.every(SECOND, WORLD, this::goWrong);
    sim.runUntil(CALM + shape.minutes * 60L * SECOND);
    heal();
    sim.runUntil(sim.nanos() + HEALING);
    over = true;
    sim.runUntil(sim.nanos() + HEALING);
    checkHealed();
  }

  private void heal() {
    sim.note(WORLD_NAME, "heals");
    healing = true;
    faults.heal();
    network.heal();
    startAll();
  }

  private void startAll() {
    nodes.stream().filter(node -> !lost.contains(node)).forEach(SimNode::start);
  }

  /** Draws the faults of a second. */
  private void goWrong() {
    if (healing) {
      startAll();
      return;
    }
    for (SimNode node : List.copyOf(nodes)) {
      if (lost.contains(node)) {
        continue;
      }
      if (!node.isUp()) {
        if (sim.random.nextInt(60) == 0) {
          node.start();
        }
        continue;
      }
      if (happens(Faults.Kind.KILL)) {
        node.end(false);
      } else if (happens(Faults.Kind.POWER_LOSS)) {
        node.end(true);
      } else if (happens(Faults.Kind.PAUSE)) {
        pause(node);
      } else if (happens(Faults.Kind.CUT)) {
        cut(node);
      }
    }
    if (happens(Faults.Kind.STORE_LOSS)) {
      loseStore();
    }
  }

  private boolean happens(Faults.Kind kind) {
    return faults.happens(kind, (double) SECOND / HOUR);
  }

  private static long sometime(SplittableRandom random) {
    return SECOND * (1 + random.nextLong(random.nextBoolean() ? 30 : 600));
  }

  private void pause(SimNode node) {
    long nanos = sometime(faults.random(Faults.Kind.PAUSE));
    sim.note(node, "pauses for " + nanos / SECOND + " s");
    node.process().pauseUntil(sim.nanos() + nanos);
  }

  /** Cuts a node off from some others, one way or both. */
  private void cut(SimNode node) {
    SplittableRandom random = faults.random(Faults.Kind.CUT);
    long nanos = sometime(random);
    int ways = 1 + random.nextInt(3);
    boolean all = random.nextInt(3) == 0;
    for (SimNode other : nodes) {
      if (!other.equals(node) && (all || random.nextInt(3) == 0)) {
        sim.note(node, "is cut off from " + other + ", " + ways);
        if ((ways & 1) != 0) {
          network.cut(node, other);
        }
        if ((ways & 2) != 0) {
          network.cut(other, node);
        }
        sim.after(
            nanos,
            WORLD,
            () -> {
              network.join(node, other);
              network.join(other, node);
            });
      }
    }
  }

  /** A store is gone with its disk, and another one comes; only while all else has its copies. */
  private void loseStore() {
    List<SimNode> stores =
        nodes.stream().filter(node -> node.role() == Role.STORE && !lost.contains(node)).toList();
    if (shape.copies < 2 || !stores.stream().allMatch(SimNode::isUp) || !allHaveCopies()) {
      return;
    }
    SimNode gone = stores.get(faults.random(Faults.Kind.STORE_LOSS).nextInt(stores.size()));
    sim.note(gone, "is lost with its disk");
    gone.end(false);
    lost.add(gone);
    var next = new SimStore(this, shape.copies);
    nodes.add(next);
    next.start();
  }

  private boolean allHaveCopies() {
    return nodes.stream()
        .filter(node -> !lost.contains(node))
        .filter(SimStore.class::isInstance)
        .flatMap(store -> ((SimStore) store).durable().stream())
        .allMatch(batch -> living(batch) >= shape.copies);
  }

  private long living(BatchInfo batch) {
    return nodes.stream()
        .filter(node -> !lost.contains(node))
        .filter(node -> node instanceof SimStore store && store.durable().contains(batch))
        .count();
  }

  /** A segment may be deleted where it came from only when its copies are forced. */
  void checkCommitted(SimNode node, Collection<BatchInfo> batches) {
    for (BatchInfo batch : batches) {
      if (ledger.copies(batch) < shape.copies) {
        throw new Violation(
            "%s: %s was committed with %d of %d copies"
                .formatted(node, batch.first(), ledger.copies(batch), shape.copies));
      }
    }
  }

  /** A store has after a loss of power what it had said to have. */
  void checkKept(SimStore store) {
    ledger
        .lacking(store.id, store.durable())
        .ifPresent(batch -> {
          throw new Violation("%s: %s was acknowledged there and is gone".formatted(store, batch));
        });
  }

  /** An answer that is called complete has all that was acknowledged before it was asked for. */
  void checkComplete(SimNode node, int before, Set<BatchInfo> found, Verdict verdict) {
    complete++;
    for (Ledger.Acknowledged each : ledger.first(before)) {
      if (!found.contains(each.batch())) {
        throw new Violation(
            "%s: an answer is called complete and lacks %s, which %s acknowledged; it is on %s; %s"
                .formatted(
                    node, each.batch().first(), each.node(), holders(each.batch()), verdict));
      }
    }
  }

  void asked() {
    queries++;
  }

  private List<String> holders(BatchInfo batch) {
    List<String> holders = new ArrayList<>();
    for (SimNode node : nodes) {
      boolean holds =
          switch (node) {
            case SimStore store -> store.durable().contains(batch);
            case SimIngest ingest -> ingest.isUp() && isHeld(ingest, batch);
            default -> false;
          };
      if (holds) {
        holders.add(node + (lost.contains(node) ? " (lost)" : node.isUp() ? "" : " (down)"));
      }
    }
    return holders;
  }

  private static boolean isHeld(SimIngest node, BatchInfo batch) {
    try {
      return node.held().contains(batch);
    } catch (IOException e) {
      return false;
    }
  }

  private void checkHealed() {
    for (Ledger.Acknowledged each : ledger.first(ledger.count())) {
      if (living(each.batch()) < shape.copies) {
        throw new Violation(
            "%s, acknowledged by %s, has %d of %d copies long after all is well; it is on %s"
                .formatted(
                    each.batch().first(),
                    each.node(),
                    living(each.batch()),
                    shape.copies,
                    holders(each.batch())));
      }
    }
    for (SimNode node : nodes) {
      if (node instanceof SimIngest ingest && ingest.backlog() > 0) {
        throw new Violation(node + " holds " + ingest.backlog() + " still");
      }
      if (lost.isEmpty()
          && node instanceof SimQuery query
          && query.last().stream().noneMatch(Verdict::isComplete)) {
        throw new Violation(node + " answers long after all is well: " + query.last());
      }
    }
  }

  /** The costs of the run, in a line. */
  String costs() {
    return "%d batches, %d calls, %d queries, %d complete, %d events, %d faults %s"
        .formatted(
            ledger.count(),
            network.calls(),
            queries,
            complete,
            sim.events(),
            faults.count(),
            faults);
  }
}
