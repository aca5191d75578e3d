package io.cordwood.sim;

import io.cordwood.common.cluster.Role;
import io.cordwood.sim.Faults.Kind;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/** What befalls nodes, drawn each second: their ends and starts, and changes of the cluster. */
final class Mishaps {
  private static final long SECOND = Duration.ofSeconds(1).toNanos();
  private static final long HOUR = Duration.ofHours(1).toNanos();
  private static final int MEAN_SECONDS_DOWN = 60;
  private static final int MOST_COPIES = 3;
  private static final int TENTH = 10;

  private final SimCluster cluster;
  private final Sim sim;
  private final Faults faults;
  private final int nodesAtFirst;
  private boolean copiesChange;

  Mishaps(SimCluster cluster) {
    this.cluster = cluster;
    this.sim = cluster.sim;
    this.faults = cluster.faults();
    this.nodesAtFirst = cluster.nodes().size();
  }

  private boolean happens(Kind kind) {
    return faults.happens(kind, (double) SECOND / HOUR);
  }

  private List<SimNode> present(Role role) {
    return cluster.present().filter(node -> node.role() == role).toList();
  }

  /** A second. */
  void second() {
    for (SimNode node : cluster.present().toList()) {
      if (node.isUp()) {
        befall(node);
      } else if (sim.random.nextInt(MEAN_SECONDS_DOWN) == 0) {
        node.start();
      }
    }
    if (happens(Kind.STORE_LOSS)) {
      loseStore();
    }
    if (happens(Kind.COPIES)) {
      changeCopies();
    }
    if (happens(Kind.GROWTH)) {
      grow();
    }
    if (happens(Kind.SHRINKING)) {
      shrink();
    }
    if (happens(Kind.FLOCK)) {
      cluster.senders().flock(faults.random(Kind.FLOCK));
    }
  }

  private void befall(SimNode node) {
    if (happens(Kind.KILL)) {
      node.end(false);
    } else if (happens(Kind.POWER_LOSS)) {
      node.end(true);
    } else if (happens(Kind.PAUSE)) {
      pause(node);
    } else if (happens(Kind.CUT)) {
      cut(node);
    } else if (cluster.stepsClockOf(node) && happens(Kind.CLOCK_STEP)) {
      stepClock(node);
    } else if (happens(Kind.ROT)) {
      rot(node);
    } else if (happens(Kind.OLD_DISK)) {
      putBackDisk(node);
    } else if (happens(Kind.FULL_DISK)) {
      long nanos = sometime(faults.random(Kind.FULL_DISK));
      sim.note(node, "has no room on its disk for " + nanos / SECOND + " s");
      node.fullUntil(sim.nanos() + nanos);
    }
  }

  private static long sometime(SplittableRandom random) {
    return SECOND * (1 + random.nextLong(random.nextBoolean() ? 30 : 600));
  }

  private void pause(SimNode node) {
    long nanos = sometime(faults.random(Kind.PAUSE));
    sim.note(node, "pauses for " + nanos / SECOND + " s");
    node.process().pauseUntil(sim.nanos() + nanos);
  }

  /** Cuts a node off from some others, one way or both. */
  private void cut(SimNode node) {
    SplittableRandom random = faults.random(Kind.CUT);
    long nanos = sometime(random);
    int ways = 1 + random.nextInt(3);
    boolean all = random.nextInt(3) == 0;
    for (SimNode other : cluster.nodes()) {
      if (!other.equals(node) && (all || random.nextInt(3) == 0)) {
        sim.note(node, "is cut off from " + other + ", " + ways);
        if ((ways & 1) != 0) {
          cluster.network.cut(node, other);
        }
        if ((ways & 2) != 0) {
          cluster.network.cut(other, node);
        }
        sim.after(
            nanos,
            SimCluster.WORLD,
            () -> {
              cluster.network.join(node, other);
              cluster.network.join(other, node);
            });
      }
    }
  }

  private void stepClock(SimNode node) {
    SplittableRandom random = faults.random(Kind.CLOCK_STEP);
    Duration most = random.nextBoolean() ? Duration.ofHours(1) : Duration.ofDays(30);
    Duration step = Duration.ofMillis((long) ((2 * random.nextDouble() - 1) * most.toMillis()));
    sim.note(node, "has its clock set, by " + step);
    node.setClock(step);
  }

  private boolean canLoseAStore() {
    return cluster.copies() > 1
        && !copiesChange
        && present(Role.STORE).stream().allMatch(SimNode::isUp)
        && cluster.checks.allHaveCopies();
  }

  /** Batches of a store rot, of which others have copies. */
  private void rot(SimNode node) {
    if (node instanceof SimStore store && canLoseAStore()) {
      store.rot(faults.random(Kind.ROT));
    }
  }

  /** A node gets the disk that it had a while ago; only if nothing is on the newer one alone. */
  private void putBackDisk(SimNode node) {
    boolean can =
        switch (node) {
          case SimStore _ -> canLoseAStore();
          case SimIngest ingest -> ingest.backlog() == 0;
          default -> true;
        };
    if (can && node.hasSnapshot()) {
      sim.note(node, "gets an old disk");
      node.end(false);
      node.putBackDisk();
    }
  }

  /** A store is gone with its disk, and another one comes; only while all else has its copies. */
  private void loseStore() {
    if (canLoseAStore()) {
      List<SimNode> stores = present(Role.STORE);
      SimNode gone = stores.get(faults.random(Kind.STORE_LOSS).nextInt(stores.size()));
      sim.note(gone, "is lost with its disk");
      gone.end(false);
      cluster.lost(gone);
      cluster.add(Role.STORE);
    }
  }

  /** All stores are started with another number of copies, one after the other. */
  private void changeCopies() {
    if (copiesChange) {
      return;
    }
    SplittableRandom random = faults.random(Kind.COPIES);
    List<SimNode> stores = present(Role.STORE);
    int copies = 1 + random.nextInt(Math.min(MOST_COPIES, stores.size()));
    sim.note(SimCluster.WORLD_NAME, "wants " + copies + " copies");
    copiesChange = true;
    cluster.wantCopies(copies);
    long at = 0;
    for (SimNode store : stores) {
      at += sometime(random) / stores.size();
      sim.after(
          at,
          SimCluster.WORLD,
          () -> {
            store.end(false);
            if (!store.isGone()) {
              store.start();
            }
          });
    }
    sim.after(at + SECOND, SimCluster.WORLD, () -> copiesChange = false);
  }

  private static int tenth(List<SimNode> nodes) {
    return Math.max(1, nodes.size() / TENTH);
  }

  private static Role role(SplittableRandom random) {
    return List.of(Role.INGEST, Role.STORE, Role.QUERY).get(random.nextInt(3));
  }

  private void grow() {
    Role role = role(faults.random(Kind.GROWTH));
    if (cluster.nodes().size() < 2 * nodesAtFirst) {
      Stream.generate(() -> role).limit(tenth(present(role))).forEach(cluster::add);
    }
  }

  /** As the manual says: ingest nodes when they are empty, stores while all has its copies. */
  private void shrink() {
    Role role = role(faults.random(Kind.SHRINKING));
    List<SimNode> nodes = present(role);
    int count = tenth(nodes);
    if (role == Role.STORE) {
      count = Math.min(count, cluster.copies() - 1);
      if (!canLoseAStore() || nodes.size() - count <= cluster.copies()) {
        return;
      }
    }
    if (nodes.size() <= count) {
      return;
    }
    for (SimNode node : nodes.subList(0, count)) {
      sim.note(node, "is taken away");
      if (node instanceof SimIngest ingest && ingest.isUp()) {
        ingest.leave();
      } else if (role != Role.INGEST) {
        node.end(false);
        cluster.lost(node);
      }
    }
  }
}
