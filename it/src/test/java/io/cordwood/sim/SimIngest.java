package io.cordwood.sim;

import io.cordwood.common.cluster.NodeLoad;
import io.cordwood.common.cluster.Role;
import io.cordwood.common.segment.Batch;
import io.cordwood.common.segment.BatchInfo;
import io.cordwood.common.segment.Topic;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.ulid.UlidStamper;
import io.cordwood.common.wire.Delimiter;
import io.cordwood.ingest.segment.PendingSegment;
import io.cordwood.ingest.segment.SimIngestLog;
import io.cordwood.ingest.sender.SimBalance;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.BitSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.SequencedSet;
import org.jspecify.annotations.Nullable;

/** A node that takes batches, and keeps them until stores have them. */
final class SimIngest extends SimNode {
  private static final long FREE_BYTES = 1L << 40;
  private static final Duration LEASE = Duration.ofMinutes(1);
  private static final long BATCH_EVERY = Duration.ofSeconds(8).toNanos();
  private static final long FLUSH_EVERY = Duration.ofSeconds(15).toNanos();

  private static final long BETWEEN_ROUNDS = Duration.ofSeconds(2).toNanos();
  private static final long BETWEEN_LOOKS = Duration.ofSeconds(1).toNanos();
  private static final long FAREWELL = Duration.ofSeconds(5).toNanos();

  /** Claims that wait for a segment, the first to come first. */
  private final SequencedSet<Runnable> waiting = new LinkedHashSet<>();

  private @Nullable SimIngestLog log;
  private boolean lostPower;
  private boolean leaves;

  SimIngest(SimCluster cluster) {
    super(cluster, Role.INGEST);
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
    leaves = false;
    waiting.clear();
    var balance = new SimBalance(random.split(), sim::nanos);
    sim.every(BATCH_EVERY, process(), () -> take(stamper));
    sim.every(FLUSH_EVERY, process(), this::flush);
    sim.every(BETWEEN_ROUNDS, process(), () -> cluster.senders().round(this, balance));
  }

  @Override
  NodeLoad load() {
    int senders = cluster.senders().count(this);
    long bytes = (long) (senders * Senders.BYTES_PER_SECOND);
    return new NodeLoad(senders, bytes, backlog(), FREE_BYTES, 0);
  }

  /** Takes nothing any more, and ends when it holds nothing. */
  void leave() {
    leaves = true;
    sim.every(BETWEEN_LOOKS, process(), this::leaveIfEmpty);
  }

  boolean leaves() {
    return leaves;
  }

  private void leaveIfEmpty() {
    log().flush();
    if (isGone() || (backlog() > 0 && !cluster.makes(Mistake.LEAVE_WITH_BACKLOG))) {
      return;
    }
    sim.note(process(), "leaves");
    membership().giveUp(Role.INGEST);
    cluster.lost(this);
    sim.after(FAREWELL, process(), () -> end(false));
  }

  @Override
  void powerLost() {
    lostPower = true;
  }

  /** A sender sends a batch. */
  private void take(UlidStamper stamper) {
    if (cluster.isOver() || leaves || membership().stranger().isPresent()) {
      return;
    }
    byte[] line = "x\n".getBytes(StandardCharsets.US_ASCII);
    var batch = new Batch(Topic.DEFAULT, Delimiter.LF, stamper.stamp(1), 1, ByteBuffer.wrap(line));
    boolean durable = random.nextBoolean();
    boolean forgets = cluster.makes(Mistake.ACKNOWLEDGE_BATCH_BEFORE_FORCE);
    try {
      log().append(batch, durable && !forgets);
    } catch (IOException e) {
      sim.note(process(), "does not take " + batch.first() + ": " + e.getMessage());
      if (!cluster.makes(Mistake.ACKNOWLEDGE_AFTER_FORCE_ERROR)) {
        return;
      }
    }
    sim.note(process(), "acknowledges " + batch.first());
    cluster.ledger.acknowledged(BatchInfo.of(batch), id, durable, sim.nanos());
  }

  /** The numbers of the batches that it holds. */
  BitSet held() throws IOException {
    var held = new BitSet();
    log().records().forEach(batch -> held.set(cluster.ledger.number(BatchInfo.of(batch))));
    return held;
  }

  private void flush() {
    log().flush();
    if (!waiting.isEmpty()) {
      waiting.removeFirst().run();
    }
  }

  /** Calls back when there may be a segment to claim, or after so long. */
  void awaitSegment(long longestNanos, Runnable done) {
    waiting.add(done);
    sim.after(
        longestNanos,
        process(),
        () -> {
          if (waiting.remove(done)) {
            done.run();
          }
        });
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

  /**
   * Ends a segment.
   *
   * @param copies that there are to be of it
   */
  boolean commit(Ulid segment, int copies) throws IOException {
    List<BatchInfo> batches;
    try {
      batches = log().read(segment).stream().map(BatchInfo::of).toList();
    } catch (IOException e) {
      return log().commit(segment);
    }
    boolean committed = log().commit(segment);
    sim.note(process(), segment + (committed ? " is committed" : " is committed too late"));
    if (committed) {
      cluster.checks.committed(this, batches, copies);
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
