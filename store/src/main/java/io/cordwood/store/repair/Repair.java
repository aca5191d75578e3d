package io.cordwood.store.repair;

import io.cordwood.common.run.Backoff;
import io.cordwood.common.run.MachineErrors;
import io.cordwood.store.KnownPeers;
import io.cordwood.store.StorePeer;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings back what is missing: fetches what damage took from this store, and copies batches that
 * too few stores hold to those that lack them. Nobody coordinates: every store looks at what all
 * hold and does its own part, over and over.
 *
 * <pre>
 *   ask all stores for their slices --> somebody does not answer, for less than the bound: wait
 *        |
 *        v  {@link RepairRound}, for each slice that is settled, younger than all horizons, and
 *        |                 not the same for all stores as when it was last found in order
 *   {@link SliceCheck}: which of my batches have too few holders, me the first of them?
 *        |
 *        v
 *   {@link SliceSender}: send them to stores that lack them
 * </pre>
 *
 * <p>Views differ and change meanwhile: then a batch is copied one time more than needed, or in the
 * next round. One platform thread, never interrupted.
 */
final class Repair implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(Repair.class);

  /** Hints let pass this part of the time from one look to the next, so that many cost little. */
  private static final int HINT_GAP_PART = 10;

  private static final Duration LONGEST_BACKOFF = Duration.ofMinutes(10);

  private final RepairContext shared;
  private final KnownPeers peers;
  private final HintedSlices hinted;
  private final ProvenCopies proven;
  private final DamageCheck damage;
  private final Consumer<List<StorePeer>> refetch;
  private final InstantSource clock;
  private final AwaitedStores awaited;
  private final SliceStates states = new SliceStates();
  private final Backoff backoff;
  private final Duration period;

  /**
   * @param hinted slices to look at before all others
   * @param refetch gets back from these stores what is lost here, before they are compared
   */
  Repair(
      RepairContext shared,
      KnownPeers peers,
      HintedSlices hinted,
      ProvenCopies proven,
      DamageCheck damage,
      Consumer<List<StorePeer>> refetch,
      InstantSource clock) {
    this.shared = shared;
    this.peers = peers;
    this.hinted = hinted;
    this.proven = proven;
    this.damage = damage;
    this.refetch = refetch;
    this.clock = clock;
    var options = shared.options().repair();
    this.awaited = new AwaitedStores(options.repairAfter(), shared.nanoTime());
    this.period = options.repairEvery();
    this.backoff =
        new Backoff(period, LONGEST_BACKOFF.compareTo(period) > 0 ? LONGEST_BACKOFF : period);
  }

  @Override
  public void run() {
    try {
      Duration wait = period;
      while (!awaitNextLook(wait)) {
        wait = step();
      }
    } catch (InterruptedException e) {
      LOG.error("interrupted, repairs no more; nobody should interrupt it", e);
    }
  }

  /** Waits for so long, or until there are hints; whether the store stops. */
  private boolean awaitNextLook(Duration longest) throws InterruptedException {
    Duration gap = longest.dividedBy(HINT_GAP_PART);
    if (!shared.stop().await(gap)) {
      hinted.await(longest.minus(gap));
    }
    return shared.stop().isStopping();
  }

  /** Looks once; how long to wait then. */
  private Duration step() {
    try {
      if (runOnce()) {
        backoff.reset();
        return period;
      }
    } catch (InterruptedIOException e) {
      LOG.debug("ends since the store stops", e);
    } catch (IOException | RuntimeException | Error e) {
      MachineErrors.rethrow(e);
      if (!shared.stop().isStopping()) {
        shared.metrics().repairFailed("round");
        LOG.error("repair failed, will be tried again", e);
      }
    }
    return backoff.next();
  }

  /** Looks once; whether nothing failed. */
  boolean runOnce() throws IOException {
    List<StorePeer> others = peers.otherStores();
    refetch.accept(others);
    int copies = shared.options().replicationFactor();
    if (copies <= 1 && others.isEmpty()) {
      return true;
    }
    var settled = clock.instant().minus(shared.options().repair().repairAfter());
    shared.own().update(settled);
    Map<StorePeer, SliceTable> tables = ask(others);
    boolean waits = awaited.note(ids(others), ids(List.copyOf(tables.keySet())));
    var all = new ComparedSlices(peers.nodeId(), copies, shared.own().table(), tables, settled);
    damage.run(all);
    if (waits || copies <= 1) {
      return true;
    }
    shared.metrics().round();
    boolean done = new RepairRound(shared, all, states, hinted.take()).run();
    proven.note(all, states);
    return done;
  }

  private static List<String> ids(List<StorePeer> peers) {
    return peers.stream().map(StorePeer::nodeId).toList();
  }

  private Map<StorePeer, SliceTable> ask(List<StorePeer> others) {
    Map<StorePeer, SliceTable> tables = new LinkedHashMap<>();
    shared
        .holdings()
        .slices(others, this::failed)
        .forEach((peer, table) -> {
          try {
            checkLength(table);
            tables.put(peer, table);
          } catch (IOException e) {
            failed(peer, e);
          }
        });
    return tables;
  }

  private void failed(StorePeer peer, IOException why) {
    if (!shared.stop().isStopping()) {
      shared.metrics().repairFailed("slices");
      LOG.debug("{} does not tell what it holds: {}", peer, why.toString());
    }
  }

  private void checkLength(SliceTable table) throws IOException {
    long expected = shared.options().repair().slice().toMillis();
    if (table.lengthMillis() != expected) {
      throw new IOException(
          "expected slices of %d ms, found %d".formatted(expected, table.lengthMillis()));
    }
  }
}
