package io.cordwood.store.consume;

import io.cordwood.common.run.Backoff;
import io.cordwood.common.run.MachineErrors;
import io.cordwood.common.wire.CorruptException;
import io.cordwood.store.StopFlag;
import io.cordwood.store.StoreMetrics;
import io.cordwood.store.claim.Claim;
import io.cordwood.store.claim.ClaimPool;
import io.cordwood.store.replicate.ReplicationException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
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
final class Consumer implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(Consumer.class);

  private final String name;
  private final Gathers gathers;
  private final SegmentPuller puller;
  private final HelperPool helpers;
  private final ClaimPool claims;
  private final SuspectSegments suspects;
  private final StoreMetrics metrics;
  private final StopFlag stop;
  private final Backoff backoff = new Backoff(Duration.ofMillis(100), Duration.ofSeconds(5));
  private @Nullable PulledSegments held;
  private boolean unstorable;

  private enum Stage {
    GATHER,
    REPLICATE,
    COMMIT,
    FAIL
  }

  Consumer(
      String name,
      Gathers gathers,
      SegmentPuller puller,
      HelperPool helpers,
      ClaimPool claims,
      SuspectSegments suspects,
      StoreMetrics metrics,
      StopFlag stop) {
    this.name = name;
    this.gathers = gathers;
    this.puller = puller;
    this.helpers = helpers;
    this.claims = claims;
    this.suspects = suspects;
    this.metrics = metrics;
    this.stop = stop;
  }

  @Override
  public void run() {
    try {
      Stage stage = Stage.GATHER;
      while (stage != Stage.GATHER || !stop.isStopping()) {
        stage = next(stage);
      }
    } catch (InterruptedException e) {
      LOG.error("{}: interrupted, consumes no more; nobody should interrupt it", name, e);
    } finally {
      release();
      gathers.close();
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
    } catch (RuntimeException | Error e) {
      MachineErrors.rethrow(e);
      // What was claimed is handed out again when its leases end.
      metrics.failed("consume");
      LOG.error("{}: {} failed, begins anew", name, stage, e);
      release();
      pause();
      return Stage.GATHER;
    }
  }

  private Stage gather() throws InterruptedException {
    release();
    PulledSegments pulled = gathers.next();
    held = pulled;
    puller.fill(pulled);
    if (pulled.isEmpty()) {
      return Stage.GATHER;
    }
    metrics.gathered(pulled.age());
    return stop.isStopping() ? Stage.FAIL : Stage.REPLICATE;
  }

  private Stage replicate() throws InterruptedException {
    PulledSegments pulled = held();
    unstorable = false;
    long started = System.nanoTime();
    try {
      write(pulled);
      long written = System.nanoTime();
      pulled.replicate();
      long replicated = System.nanoTime();
      pulled.publish();
      metrics.written(Duration.ofNanos(written - started), pulled.age());
      metrics.replicated(Duration.ofNanos(replicated - written));
      backoff.reset();
      return Stage.COMMIT;
    } catch (ReplicationException e) {
      metrics.failed("replicate");
      LOG.warn("{}: not replicated, will be tried again: {}", name, e.getMessage());
      return Stage.FAIL;
    } catch (CorruptException | RuntimeException | Error e) {
      MachineErrors.rethrow(e);
      metrics.failed("store");
      LOG.error("{}: {} not stored, will be tried again", name, pulled.claims(), e);
      suspect(pulled.claims());
      return Stage.FAIL;
    } catch (IOException e) { // an error of the disk, which is no segment's fault
      metrics.failed("store");
      LOG.error("{}: {} not stored, will be tried again: {}", name, pulled.claims(), e.toString());
      return Stage.FAIL;
    }
  }

  /** Bytes that were written and do not read may be a segment's fault. */
  private void suspect(List<Claim> failed) {
    unstorable = failed.size() == 1;
    if (unstorable) {
      suspects.remove(failed); // Beside others, its guilty batches may be told.
    } else {
      suspects.add(failed);
    }
  }

  private void write(PulledSegments pulled) throws IOException {
    helpers.begin();
    try {
      pulled.write(helpers);
    } finally {
      helpers.end();
    }
  }

  private Stage commit() {
    PulledSegments pulled = held();
    pulled.closeOwnSegments();
    suspects.remove(pulled.claims());
    claims.commit(pulled.claims());
    metrics.consumed(pulled.totals());
    release();
    return Stage.GATHER;
  }

  private Stage fail() throws InterruptedException {
    List<Claim> taken = held().claims();
    if (stop.isStopping()) {
      claims.giveBackAtEnd(taken);
    } else if (unstorable) {
      unstorable = false;
      claims.giveBackUnstorable(taken.getFirst());
    } else {
      claims.giveBack(taken);
    }
    release();
    pause();
    return Stage.GATHER;
  }

  private void pause() throws InterruptedException {
    boolean _ = stop.await(backoff.next());
  }

  private PulledSegments held() {
    return Objects.requireNonNull(held);
  }

  private void release() {
    if (held != null) {
      held.close();
      held = null;
    }
  }
}
