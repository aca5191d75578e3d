package io.cordwood.ingest.segment;

import io.cordwood.common.ulid.Ulid;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * How often, and at which stores, segments could not be stored, to tell a segment that no store can
 * take from a store that can take none. Not kept over a restart. Guarded by the lock of {@link
 * SegmentLeases}.
 */
final class StoreFailures {
  /** Failures after which a segment is judged. */
  static final int MOST = 10;

  /** With failures at that many stores it is the segment's fault, whatever the others would do. */
  static final int STORES = 3;

  private static final int MAX_STORES = 256;

  private final Map<Ulid, Trials> trials = new HashMap<>();
  private final LinkedHashMap<String, Long> lastCommits = new LinkedHashMap<>();
  private long commits;

  private final class Trials {
    private final long begun = commits;
    private final Set<String> stores = new HashSet<>();
    private int failures;

    boolean areEverywhere() {
      Set<String> working = new HashSet<>();
      lastCommits.forEach((store, commit) -> {
        if (commit > begun) {
          working.add(store);
        }
      });
      return !working.isEmpty() && (stores.size() >= STORES || stores.containsAll(working));
    }
  }

  /**
   * Counts a failure; whether the segment has failed {@link #MOST} times, at {@link #STORES} stores
   * or at each that committed another segment meanwhile, of which there was one. If that is not so,
   * the count begins anew.
   */
  boolean add(Ulid segment, String store) {
    Trials of = trials.computeIfAbsent(segment, _ -> new Trials());
    of.failures++;
    of.stores.add(store);
    if (of.failures < MOST) {
      return false;
    }
    trials.remove(segment);
    return of.areEverywhere();
  }

  /** A store has committed a segment. */
  void committed(Ulid segment, String store) {
    forget(segment);
    lastCommits.putLast(store, ++commits);
    if (lastCommits.size() > MAX_STORES) {
      lastCommits.pollFirstEntry();
    }
  }

  /** A segment that is not here any more, or that a store has after all. */
  void forget(Ulid segment) {
    trials.remove(segment);
  }
}
