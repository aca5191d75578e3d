package io.cordwood.store.repair;

import io.cordwood.common.segment.BatchInfo;
import io.cordwood.common.segment.Fingerprint;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.ulid.UlidRange;
import io.cordwood.store.DiskPace;
import io.cordwood.store.StorePeer;
import io.cordwood.store.repair.SliceCheck.Findings;
import io.cordwood.store.segment.HeldSegments;
import io.cordwood.store.segment.LiveSegment;
import io.cordwood.store.segment.UnreadableSegmentException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One look at what all stores hold, slice by slice, those first that queries missed copies of, then
 * the newest first. What queries missed is copied at once; all else when all slices were looked at,
 * which takes little: what the fewest stores hold first, of that the oldest.
 *
 * <p>Left alone are slices that are not settled, since they may still be on their way; slices at or
 * beyond any store's horizon, so that nothing is brought back that is to go; and slices of which
 * some store does not know yet what it holds. One thread.
 */
final class RepairRound {
  private static final Logger LOG = LoggerFactory.getLogger(RepairRound.class);
  private static final Duration SEND_GRACE = Duration.ofSeconds(30);

  /** After this number the round ends: a store is not well, and each may have taken a time-out. */
  private static final int MAX_FAILURES = 5;

  private static final long SLOWEST_BYTES_PER_MILLI = 256;

  private final RepairContext shared;
  private final Map<StorePeer, SliceTable> tables;
  private final List<StorePeer> peers;
  private final SliceTable own;
  private final Set<String> copiers;
  private final SliceStates states;
  private final Instant settled;
  private final Instant horizon;
  private final CopyTargets targets;
  private final DiskPace pace;
  private final Set<Long> hinted;
  private final DueCopies due = new DueCopies();
  private int failures;
  private boolean nobodyLeft;

  /**
   * @param tables of all other stores that count
   * @param settled records before this time can be compared
   */
  RepairRound(
      RepairContext shared,
      Map<StorePeer, SliceTable> tables,
      SliceStates states,
      Instant settled) {
    this.shared = shared;
    this.tables = tables;
    this.peers = List.copyOf(tables.keySet());
    this.own = shared.fingerprints().table(shared.horizon().get(), shared.ability().isAble());
    this.copiers = copiers();
    this.states = states;
    this.settled = settled;
    this.horizon =
        Stream.concat(tables.values().stream(), Stream.of(own))
            .map(SliceTable::horizon)
            .max(Comparator.naturalOrder())
            .orElseThrow();
    this.targets = new CopyTargets(peers, RandomGenerator.getDefault());
    this.pace = new DiskPace(shared.options().repair().repairBytesPerSecond(), shared.stop());
    this.hinted = new LinkedHashSet<>(shared.hinted().take());
  }

  /** The ids of those that can copy. */
  private Set<String> copiers() {
    var able = new HashSet<String>();
    if (own.copies()) {
      able.add(shared.peers().nodeId());
    }
    tables.forEach((peer, table) -> {
      if (table.copies()) {
        able.add(peer.nodeId());
      }
    });
    return Set.copyOf(able);
  }

  /** Looks at all slices; whether nothing failed, and all that has to be copied was. */
  boolean run() throws InterruptedIOException {
    Set<Long> looked = new HashSet<>();
    for (long slice : inOrder()) {
      if (isInReach(slice)) {
        looked.add(slice);
        if (isKnown(slice) && failures < MAX_FAILURES) {
          look(slice);
        }
      }
    }
    copyDue();
    states.retain(looked);
    shared.metrics().missing(states.missingBytes());
    shared.replicatedFrom().set(replicatedFromMillis());
    notePartners();
    return failures == 0 && !nobodyLeft;
  }

  private long replicatedFromMillis() {
    return new ProvenSlices(
            own,
            slice -> own.start(slice + 1).isAfter(settled),
            this::isKnown,
            slice -> isInReach(slice) && states.isReplicated(slice, view(slice)),
            shared.replicatedFrom().millis())
        .fromMillis();
  }

  /**
   * After what was found is told: it is about fewer stores then. As long as something was not
   * compared, what is told rests on what was found before, with the stores of then.
   */
  private void notePartners() {
    Instant compared = own.start(Math.floorDiv(settled.toEpochMilli(), own.lengthMillis()));
    boolean allKnown =
        Stream.concat(tables.values().stream(), Stream.of(own))
            .allMatch(table -> table.knowsAllBefore(compared));
    if (allKnown) {
      shared
          .partners()
          .compared(peers.stream().map(StorePeer::nodeId).collect(Collectors.toSet()), compared);
    }
  }

  private Set<Long> inOrder() {
    Set<Long> slices = new LinkedHashSet<>(hinted);
    slices.retainAll(own.slices().keySet());
    slices.addAll(own.slices().descendingKeySet());
    return slices;
  }

  /** Whole slices only, and one slice apart from the horizon, which moves on meanwhile. */
  private boolean isInReach(long slice) {
    return !own.start(slice - 1).isBefore(horizon) && !own.start(slice + 1).isAfter(settled);
  }

  private boolean isKnown(long slice) {
    return own.isKnown(slice) && tables.values().stream().allMatch(t -> t.isKnown(slice));
  }

  private void look(long slice) throws InterruptedIOException {
    long view = view(slice);
    if (states.isSettled(slice, view, copiers)) {
      return;
    }
    if (peers.isEmpty()) {
      long missing = own.get(slice).bytes() * (shared.copies() - 1);
      states.put(slice, view, copiers, false, missing, true);
      return;
    }
    if (holdersOfTheSame(slice) >= shared.copies() - 1) {
      states.put(slice, view, copiers, true, 0, true);
      return;
    }
    withSegments(
        slice,
        segments -> {
          shared.metrics().comparedSlice();
          Findings found = check(slice, segments);
          boolean nothingToDo = found.toCopy().isEmpty();
          states.put(slice, view, copiers, found.replicated(), found.missingBytes(), nothingToDo);
          if (hinted.contains(slice)) {
            copyAll(slice, found, segments);
          } else {
            due.add(slice, found);
          }
        });
  }

  /** Other stores that hold exactly what this one does, so that there is nothing to list. */
  private long holdersOfTheSame(long slice) {
    Fingerprint print = own.get(slice);
    return tables.values().stream().filter(table -> table.get(slice).equals(print)).count();
  }

  /** Something that is done with this store's own segments in a slice, which are held meanwhile. */
  private interface SliceWork {
    void run(List<LiveSegment> segments) throws IOException;
  }

  private void withSegments(long slice, SliceWork work) throws InterruptedIOException {
    try (HeldSegments held = shared.log().hold(range(slice))) {
      work.run(shared.fingerprints().readable(held.live()));
    } catch (InterruptedIOException e) {
      throw e;
    } catch (IOException e) {
      failed("compare", own.start(slice) + " not compared", e);
      if (e instanceof UnreadableSegmentException unreadable) {
        shared.log().suspect(unreadable.segment());
      }
    }
  }

  private Findings check(long slice, List<LiveSegment> segments) throws IOException {
    return new SliceCheck(shared.peers().nodeId(), shared.copies(), peers, copiers::contains)
        .run(shared.holdings(), segments, range(slice));
  }

  private UlidRange range(long slice) {
    return new UlidRange(
        Ulid.firstOf(own.start(slice).toEpochMilli()),
        Ulid.lastOf(own.start(slice + 1).toEpochMilli() - 1));
  }

  private void copyDue() throws InterruptedIOException {
    for (DueCopies.Due next : due.inOrder()) {
      if (failures < MAX_FAILURES) {
        withSegments(
            next.slice(),
            segments -> {
              if (next.batches().isEmpty()) {
                copyAll(next.slice(), check(next.slice(), segments), segments);
              } else {
                copy(next.holders(), next.batches(), segments, range(next.slice()));
              }
            });
      }
    }
  }

  private void copyAll(long slice, Findings found, List<LiveSegment> segments) throws IOException {
    for (var group : found.toCopy().entrySet()) {
      copy(group.getKey(), group.getValue(), segments, range(slice));
    }
  }

  /** A number that is another one if any store holds something else of a slice. */
  private long view(long slice) {
    long hash = own.get(slice).hash(shared.copies());
    List<StorePeer> inOrder =
        peers.stream().sorted(Comparator.comparing(StorePeer::nodeId)).toList();
    for (StorePeer peer : inOrder) {
      SliceTable table = tables.getOrDefault(peer, own);
      hash = table.get(slice).hash(hash ^ Fingerprint.hash(peer.nodeId()));
    }
    return hash;
  }

  private void copy(
      BitSet holders, List<BatchInfo> batches, List<LiveSegment> segments, UlidRange range)
      throws IOException {
    int missing = shared.copies() - 1 - holders.cardinality();
    List<StorePeer> chosen = targets.choose(holders, missing);
    if (chosen.isEmpty()) {
      // Those that could take it failed at another slice. Some that others can take may come.
      nobodyLeft = true;
      return;
    }
    var copy =
        new SliceSender(
            shared.log(),
            shared.ability(),
            shared.options().gathering().targetBytes(),
            pace,
            batches,
            segment -> send(segment, chosen));
    long copied = copy.run(segments, range);
    shared.metrics().copied(copied);
    LOG.info("{} batches of {} copied to {}", copied, range.from().time(), chosen);
  }

  /** Sends it to all of them, also if some fail: what one has is a copy more. */
  private void send(TransferSegment segment, List<StorePeer> chosen) throws IOException {
    IOException failure = null;
    for (StorePeer peer : chosen) {
      var longest = SEND_GRACE.plusMillis(segment.fileBytes() / SLOWEST_BYTES_PER_MILLI);
      try {
        shared.replicas().send(peer, segment.path(), longest);
        shared.metrics().copySent(segment.fileBytes());
      } catch (IOException e) {
        targets.failed(peer);
        if (failure != null) {
          e.addSuppressed(failure);
        }
        failure = e;
      }
    }
    if (failure != null) {
      throw failure;
    }
  }

  private void failed(String what, String message, IOException e) {
    failures++;
    if (!shared.stop().isStopping()) {
      shared.metrics().repairFailed(what);
      LOG.warn("{}, will be tried again: {}", message, e.toString());
    }
  }
}
