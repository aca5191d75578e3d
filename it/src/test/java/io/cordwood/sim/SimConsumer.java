package io.cordwood.sim;

import io.cordwood.common.cluster.Role;
import io.cordwood.common.segment.BatchInfo;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.store.replicate.ReplicationException;
import io.cordwood.store.replicate.Replicator;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Moves what ingest nodes hold to a store: claims, pulls, has it replicated, commits. */
final class SimConsumer {
  private static final long IDLE = Duration.ofSeconds(1).toNanos();
  private static final long CLAIM_WAITS = Duration.ofSeconds(10).toNanos();
  private static final Duration SETTLE = Duration.ofSeconds(45);
  private static final int COMMIT_ATTEMPTS = 3;

  private final SimStore store;
  private final Replicator replicator;

  SimConsumer(SimStore store, Replicator replicator) {
    this.store = store;
    this.replicator = replicator;
  }

  /** Does so over and over. */
  void run() {
    if (store.cluster.doClaimsWait()) {
      waitAtEach();
    }
    takeTurns();
  }

  /** As nodes do: at each ingest node a claim waits, whatever becomes of the others. */
  private void waitAtEach() {
    Set<SimNode> asked = new HashSet<>();
    while (true) {
      for (SimNode node : store.visible(Role.INGEST)) {
        if (node instanceof SimIngest ingest && asked.add(node)) {
          store.sim.start("claim at " + node, store.process(), () -> waitAt(ingest));
        }
      }
      store.sim.current().sleep(IDLE);
    }
  }

  private void waitAt(SimIngest node) {
    while (true) {
      if (!consume(node)) {
        store.sim.current().await(done -> node.awaitSegment(CLAIM_WAITS, done));
      }
    }
  }

  /** Each node after the other, so that nothing happens at once while faults are looked for. */
  private void takeTurns() {
    while (true) {
      boolean came = false;
      for (SimNode node : store.visible(Role.INGEST)) {
        came |= node instanceof SimIngest ingest && consume(ingest);
      }
      if (!came) {
        store.sim.current().sleep(IDLE + store.random.nextLong(IDLE));
      }
    }
  }

  private boolean consume(SimIngest node) {
    List<SimIngest.Claimed> claimed;
    long deadline = store.sim.nanos() + SETTLE.toNanos();
    try {
      claimed =
          store.cluster.network.call(
              Costs.Kind.CLAIM, store, node, SimStore.CALL, () -> node.claim(store));
    } catch (IOException e) {
      return false;
    }
    if (claimed.isEmpty()) {
      return false;
    }
    List<BatchInfo> batches = new ArrayList<>();
    try {
      for (SimIngest.Claimed segment : claimed) {
        batches.addAll(
            store.cluster.network.call(
                Costs.Kind.PULL, store, node, SimStore.CALL, () -> node.read(segment.id())));
      }
      if (store.cluster.makes(Mistake.COMMIT_BEFORE_OWN_COPY)) {
        commit(node, claimed);
      }
      replicator.replicate(store.write(List.copyOf(batches)), batches.size(), false, deadline);
      store.keep(batches);
    } catch (ReplicationException e) {
      giveBack(node, claimed);
      store.sim.current().sleep(IDLE);
      return true;
    } catch (IOException e) {
      giveBack(node, claimed);
      return false;
    }
    commit(node, claimed);
    return true;
  }

  private void commit(SimIngest node, List<SimIngest.Claimed> claimed) {
    int copies = store.copies(); // as of now: the call may arrive when the store is another one
    for (SimIngest.Claimed segment : claimed) {
      tell(node, segment.id(), COMMIT_ATTEMPTS, () -> node.commit(segment.id(), copies));
    }
  }

  private void giveBack(SimIngest node, List<SimIngest.Claimed> claimed) {
    for (SimIngest.Claimed segment : claimed) {
      tell(node, segment.id(), 1, () -> node.giveBack(segment.id()));
    }
  }

  private void tell(SimIngest node, Ulid segment, int attempts, Network.Act<Boolean> act) {
    for (int i = 0; i < attempts; i++) {
      try {
        boolean _ = store.cluster.network.call(Costs.Kind.COMMIT, store, node, SimStore.CALL, act);
        return;
      } catch (IOException e) {
        store.sim.note(store.process(), segment + ": " + node.id + " is not told");
      }
    }
  }
}
