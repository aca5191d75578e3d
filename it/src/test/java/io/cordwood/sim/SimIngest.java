package io.cordwood.sim;

import io.cordwood.common.cluster.Role;
import io.cordwood.common.segment.Batch;
import io.cordwood.common.segment.BatchInfo;
import io.cordwood.common.segment.Topic;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.ulid.UlidStamper;
import io.cordwood.common.wire.Delimiter;
import io.cordwood.ingest.segment.PendingSegment;
import io.cordwood.ingest.segment.SimIngestLog;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A node that takes batches, and keeps them until stores have them. */
final class SimIngest extends SimNode {
  private static final Duration LEASE = Duration.ofMinutes(1);
  private static final long BATCH_EVERY = Duration.ofSeconds(8).toNanos();
  private static final long FLUSH_EVERY = Duration.ofSeconds(15).toNanos();

  private @Nullable SimIngestLog log;
  private boolean lostPower;

  SimIngest(SimCluster cluster) {
    super(cluster, Role.INGEST, 0);
  }

  private SimIngestLog log() {
    return Objects.requireNonNull(log);
  }

  @Override
  void started() throws IOException {
    if (cluster.makes(Mistake.DROP_CLAIMED_AT_START)) {
      for (Path file : disk.list(SimIngestLog.FOLDER)) {
        if (file.toString().endsWith(".pending")) {
          disk.delete(file);
        }
      }
    }
    var stamper = new UlidStamper(clock, random::nextLong);
    log = new SimIngestLog(disk, LEASE, sim::nanos, new UlidStamper(clock, random::nextLong));
    if (lostPower) {
      lostPower = false;
      cluster.ledger.excuse(id, held());
    }
    sim.every(BATCH_EVERY, process(), () -> guarded(() -> take(stamper)));
    sim.every(FLUSH_EVERY, process(), () -> guarded(log()::flush));
  }

  @Override
  void powerLost() {
    lostPower = true;
  }

  private interface Step {
    void run() throws IOException;
  }

  private static void guarded(Step step) {
    try {
      step.run();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** A sender sends a batch. */
  private void take(UlidStamper stamper) throws IOException {
    if (cluster.isOver() || membership().stranger().isPresent()) {
      return;
    }
    byte[] line = "x\n".getBytes(StandardCharsets.US_ASCII);
    var batch = new Batch(Topic.DEFAULT, Delimiter.LF, stamper.stamp(1), 1, ByteBuffer.wrap(line));
    boolean durable = random.nextBoolean();
    boolean forgets = cluster.makes(Mistake.ACKNOWLEDGE_BATCH_BEFORE_FORCE);
    log().append(batch, durable && !forgets);
    sim.note(process(), "acknowledges " + batch.first());
    cluster.ledger.acknowledged(BatchInfo.of(batch), id, durable);
  }

  /** The batches that it holds. */
  Set<BatchInfo> held() throws IOException {
    Set<BatchInfo> held = new HashSet<>();
    log().records().forEach(batch -> held.add(BatchInfo.of(batch)));
    return held;
  }

  /** A claimed segment, with its batches. */
  record Claimed(Ulid id, long bytes) {}

  List<Claimed> claim(SimStore store) throws IOException {
    List<PendingSegment> claimed = log().claim(store.id, 4);
    List<Claimed> told =
        claimed.stream().map(segment -> new Claimed(segment.id(), segment.bytes())).toList();
    if (!told.isEmpty()) {
      sim.note(process(), store.id + " claims " + told);
    }
    return told;
  }

  List<BatchInfo> read(Ulid segment) throws IOException {
    List<BatchInfo> batches = log().read(segment).stream().map(BatchInfo::of).toList();
    if (cluster.makes(Mistake.COMMIT_AT_CLAIM)) {
      boolean _ = log().commit(segment);
    }
    return batches;
  }

  boolean commit(Ulid segment) throws IOException {
    List<BatchInfo> batches;
    try {
      batches = log().read(segment).stream().map(BatchInfo::of).toList();
    } catch (IOException e) {
      return log().commit(segment);
    }
    boolean committed = log().commit(segment);
    sim.note(process(), segment + (committed ? " is committed" : " is committed too late"));
    if (committed) {
      cluster.checkCommitted(this, batches);
    }
    return committed;
  }

  boolean giveBack(Ulid segment) throws IOException {
    sim.note(process(), segment + " is given back");
    log().giveBack(segment);
    return true;
  }

  long backlog() {
    return log().backlog();
  }
}
