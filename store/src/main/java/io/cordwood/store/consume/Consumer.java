package io.cordwood.store.consume;

import io.cordwood.store.Backoff;
import io.cordwood.store.replicate.ReplicationException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves records from the ingest nodes into store segments, over and over:
 *
 * <pre>
 *            nothing came            durable here and on RF - 1 other stores
 *            +--------+
 *            v        |
 *   +----- gather ----+---> replicate --------------------> commit ---+
 *   |        ^                  | any error                           |
 *   |        +----- fail <------+                                     |
 *   +------------------------------------------- next <---------------+
 * </pre>
 *
 * <p>Replicating is: write one file, force it, send the same bytes to other stores until RF - 1 of
 * them have it, and only then give it its name and show it here. In this order a failure leaves the
 * fewest copies that are of no use: the own file goes, what some peer has kept is all that is
 * double once the records are consumed again.
 *
 * <p>Each stage may die at any point: what is not committed is handed out again when its lease
 * ends, so records come at least once, and what came twice is dropped by its ULIDs.
 *
 * <p>One platform thread each, never interrupted. Consumers take turns at gathering, so that one
 * pulls while others compress, and little input does not become many small segments.
 */
public final class Consumer implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(Consumer.class);

  /** After which a gather ends although there is more to be had at once. */
  private static final Duration MAX_GATHER = Duration.ofSeconds(10);

  /** How long an ingest node that has a segment needs at most to say so. */
  private static final Duration ROUND_TRIP = Duration.ofMillis(20);

  /** How long a gather waits for its first segment; then idle spool files go. */
  private static final Duration IDLE = Duration.ofSeconds(3);

  /** How often it is looked again whether gathering is of any use. */
  private static final Duration GATE_CHECK = Duration.ofMillis(500);

  private static final int REMEMBERED_FAILURES = 1000;

  private final Consuming shared;
  private final String name;
  private final ByteBuffer large = GatheredBatches.newLargeBuffer();
  private final Spools spools;
  private final Backoff backoff = new Backoff(Duration.ofMillis(100), Duration.ofSeconds(5));
  private final Map<String, Boolean> failedBefore = new LinkedHashMap<>();
  private @Nullable Gather held;

  private enum Stage {
    GATHER,
    REPLICATE,
    COMMIT,
    FAIL
  }

  public Consumer(Consuming shared, String name) {
    this.shared = shared;
    this.name = name;
    this.spools =
        new Spools(shared.log().folder().filesystem(), shared.log().folder().gather(), name);
  }

  @Override
  public void run() {
    try {
      Stage stage = Stage.GATHER;
      while (stage != Stage.GATHER || !shared.stopping().isStopping()) {
        stage = next(stage);
      }
    } catch (InterruptedException e) {
      LOG.error("{}: interrupted, consumes no more; nobody should interrupt it", name, e);
    } finally {
      release();
      spools.close();
    }
  }

  private Stage next(Stage stage) throws InterruptedException {
    try {
      return switch (stage) {
        case GATHER -> gather();
        case REPLICATE -> replicate();
        case COMMIT -> commit();
        case FAIL -> fail();
      };
    } catch (RuntimeException e) {
      // What was claimed is handed out again when its leases end.
      shared.metrics().failed("consume");
      LOG.error("{}: {} failed, begins anew", name, stage, e);
      release();
      pause();
      return Stage.GATHER;
    }
  }

  private Stage gather() throws InterruptedException {
    var gather = newGather();
    while (!shared.turn().tryLock(IDLE.toMillis(), TimeUnit.MILLISECONDS)) {
      spools.reuse();
    }
    try {
      collect(gather);
      shared.gatherEnded();
    } finally {
      shared.claims().pause();
      shared.turn().unlock();
    }
    if (gather.isEmpty()) {
      return Stage.GATHER;
    }
    shared.metrics().gathered(gather.age());
    return shared.stopping().isStopping() ? Stage.FAIL : Stage.REPLICATE;
  }

  private Gather newGather() {
    release();
    var gather = new Gather(shared.log(), shared.client(), shared.damaged(), spools, large);
    held = gather;
    return gather;
  }

  private void collect(Gather gather) throws InterruptedException {
    long enough = shared.gate().gatherBytes();
    while (!shared.stopping().isStopping() && !gather.isFull(enough) && !isOver(gather)) {
      if (isIdle(gather) && !shared.gate().isOpen()) {
        shared.claims().refuse();
        boolean _ = shared.stopping().await(GATE_CHECK);
      } else if (pullOneMore(gather)) {
        take(gather, Duration.ZERO);
      } else if (gather.pulls().running() > 0) {
        take(gather, ROUND_TRIP);
      } else if (gather.isEmpty()) {
        spools.reuse();
      } else {
        return;
      }
    }
    while (gather.pulls().running() > 0) {
      take(gather, IDLE);
    }
  }

  /** Begins with the next claim, if there is room for it and one comes in time; whether it did. */
  private boolean pullOneMore(Gather gather) throws InterruptedException {
    if (!gather.pulls().hasRoom()) {
      return false;
    }
    Optional<Claim> claim = shared.claims().next(patience(gather));
    claim.ifPresent(gather.pulls()::start);
    return claim.isPresent();
  }

  private static boolean isIdle(Gather gather) {
    return gather.isEmpty() && gather.pulls().running() == 0;
  }

  private static boolean isOver(Gather gather) {
    return !gather.isEmpty() && (gather.isOld() || gather.age().compareTo(MAX_GATHER) > 0);
  }

  /** Takes over what was pulled, if anything is being pulled and some of it ends in time. */
  private void take(Gather gather, Duration longest) throws InterruptedException {
    if (gather.pulls().running() == 0) {
      return;
    }
    Pulls.Ended ended = gather.pulls().await(longest);
    if (ended == null) {
      return;
    }
    Exception failure = ended.failure();
    if (failure == null) {
      failure = add(gather, ended);
    }
    if (failure != null) {
      spools.giveBack(ended.slot());
      failed(ended.claim(), failure);
    }
  }

  private @Nullable Exception add(Gather gather, Pulls.Ended ended) {
    try {
      gather.add(ended.claim(), ended.slot());
      failedBefore.remove(ended.claim().id().toString());
      shared.claims().worked(ended.claim().node());
      backoff.reset();
      return null;
    } catch (IOException | RuntimeException e) {
      return e;
    }
  }

  /**
   * How long to wait for another claim: if something is held, until the last gather is old enough;
   * not at all while something is being pulled.
   */
  private Duration patience(Gather gather) {
    if (gather.pulls().running() > 0) {
      return Duration.ZERO;
    }
    if (gather.isEmpty()) {
      return IDLE;
    }
    Duration left = shared.options().gathering().age().minus(shared.sinceLastGather());
    return left.compareTo(ROUND_TRIP) > 0 ? left : ROUND_TRIP;
  }

  private void failed(Claim claim, Exception e) {
    shared.metrics().failed("read");
    if (!shared.stopping().isStopping()) {
      LOG.warn("{}: not pulled, others go on: {}", claim, e.toString());
    }
    giveBackOrLeave(claim);
    shared.claims().troubled(claim.node());
  }

  /**
   * A segment that fails again under its name is left to its lease, so that an ingest node which
   * hands out the oldest first gets to the ones behind it.
   */
  private void giveBackOrLeave(Claim claim) {
    if (failedBefore.putIfAbsent(claim.id().toString(), true) == null) {
      shared.settlement().giveBackLater(List.of(claim));
    } else {
      LOG.warn("{}: failed again, left to its lease", claim);
    }
    if (failedBefore.size() > REMEMBERED_FAILURES) {
      failedBefore.remove(failedBefore.keySet().iterator().next());
    }
  }

  private Stage replicate() throws InterruptedException {
    Gather gather = held();
    long started = System.nanoTime();
    try {
      gather.write();
      long written = System.nanoTime();
      gather.replicate(shared.replicator());
      long replicated = System.nanoTime();
      gather.publish();
      shared.metrics().written(Duration.ofNanos(written - started), gather.age());
      shared.metrics().replicated(Duration.ofNanos(replicated - written));
      backoff.reset();
      return Stage.COMMIT;
    } catch (ReplicationException e) {
      shared.metrics().failed("replicate");
      LOG.warn("{}: not replicated, will be tried again: {}", name, e.getMessage());
      return Stage.FAIL;
    } catch (IOException | RuntimeException e) {
      shared.metrics().failed("store");
      LOG.error("{}: {} not stored, will be tried again", name, gather.claims(), e);
      return Stage.FAIL;
    }
  }

  private Stage commit() {
    Gather gather = held();
    shared.settlement().commit(gather.claims());
    shared.metrics().consumed(gather.totals());
    release();
    return Stage.GATHER;
  }

  private Stage fail() throws InterruptedException {
    shared.settlement().giveBack(held().claims());
    release();
    pause();
    return Stage.GATHER;
  }

  private void pause() throws InterruptedException {
    boolean _ = shared.stopping().await(backoff.next());
  }

  private Gather held() {
    return Objects.requireNonNull(held);
  }

  private void release() {
    if (held != null) {
      held.close();
      held = null;
    }
  }
}
