package io.cordwood.store.repair;

import io.cordwood.common.ulid.UlidRange;
import io.cordwood.store.KnownPeers;
import io.cordwood.store.StorePeer;
import java.io.IOException;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds out of which segments that were set aside as damaged nothing is missing any more: all
 * stores that may hold what was lost with them answer, and all that any of them holds of that time
 * has its copies. Until then the store says that it lacks it.
 *
 * <p>With one copy of each record nothing tells whether anything came back. One thread.
 */
final class DamageCheck {
  private static final Logger LOG = LoggerFactory.getLogger(DamageCheck.class);

  private final RepairContext shared;
  private final KnownPeers peers;
  private final ProvenCopies proven;
  private final Restored restored;

  /** Notes that nothing of a segment is missing any more. */
  @FunctionalInterface
  interface Restored {
    Object note(String name) throws IOException;
  }

  DamageCheck(RepairContext shared, KnownPeers peers, ProvenCopies proven, Restored restored) {
    this.shared = shared;
    this.peers = peers;
    this.proven = proven;
    this.restored = restored;
  }

  /** Looks at all that are set aside; one that cannot be looked at is next time. */
  void run(ComparedSlices all) {
    if (all.copies() < 2 || all.peers().size() < all.copies() - 1) {
      return;
    }
    proven
        .lacks()
        .setAside()
        .forEach((name, range) -> {
          if (isEverybodyThere(range, all)) {
            look(name, range, all);
          }
        });
  }

  /**
   * Whether everybody answers who may hold what this store held of a range: its partners if all of
   * it had its copies, and else any store.
   */
  private boolean isEverybodyThere(UlidRange range, ComparedSlices all) {
    Optional<Set<String>> known = peers.allStores().get();
    if (known.isEmpty()) {
      return false;
    }
    Set<String> needed = new HashSet<>(known.get());
    needed.remove(peers.nodeId());
    if (proven.from().millis() <= range.from().millis()) {
      proven.partners().ids().ifPresent(needed::retainAll);
    }
    return all.peers().stream()
        .map(StorePeer::nodeId)
        .collect(Collectors.toSet())
        .containsAll(needed);
  }

  private void look(String name, UlidRange range, ComparedSlices all) {
    try {
      shared
          .own()
          .with(
              range,
              held -> {
                if (all.copyCheck().run(shared.holdings(), held)) {
                  Object last = restored.note(name);
                  LOG.info("{}: all that was lost with it has its copies again", last);
                }
              });
    } catch (IOException e) {
      if (!shared.stop().isStopping()) {
        shared.metrics().repairFailed("damage");
        LOG.warn("{}: not known whether all is back, will be looked at again: {}", name, e);
      }
    }
  }
}
