package io.cordwood.store.consume;

import io.cordwood.common.segment.Batch;
import io.cordwood.common.segment.BatchIndex;
import io.cordwood.common.segment.StoreSegment;
import io.cordwood.common.segment.StoreSegmentWriter;
import io.cordwood.common.segment.Topic;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.ulid.UlidRange;
import io.cordwood.common.wire.BatchScanner.Damage;
import io.cordwood.common.wire.CorruptException;
import io.cordwood.common.wire.Delimiter;
import io.cordwood.store.PullTotals;
import io.cordwood.store.claim.Claim;
import io.cordwood.store.claim.IngestClient;
import io.cordwood.store.replicate.ReplicationException;
import io.cordwood.store.replicate.Replicator;
import io.cordwood.store.segment.SegmentBuilder;
import io.cordwood.store.segment.StoreLog;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Ingest segments that are claimed and pulled, on their way into a store segment. Closed, it gives
 * its files back. One thread.
 */
final class PulledSegments implements AutoCloseable {
  /** Batches at which a gather is full; one segment may take it somewhat beyond. */
  static final int MAX_BATCHES = 1 << 18;

  /** Segments at which a gather is full: open files, and a read window each. */
  static final int MAX_SEGMENTS = 128;

  private static final ByteBuffer LINE = ByteBuffer.wrap(new byte[] {'x', '\n'});

  private final StoreLog log;
  private final DamagedBytes damaged;
  private final Replicator replicator;
  private final DownloadFiles files;
  private final SegmentDownloads downloads;
  private final ByteBuffer large;
  private final BatchIndex index = new BatchIndex();
  private final List<Claim> claims = new ArrayList<>();
  private final List<DownloadFiles.Download> pulled = new ArrayList<>();
  private final ArrayDeque<SegmentBuilder.Flushed> written = new ArrayDeque<>();
  private long bytes;
  private long payloadBytes;
  private long records;
  private long duplicateRecords;
  private long damagedBytes;
  private int poisonBatches;
  private boolean complete;

  /**
   * @param files lent, all of them, until this is closed
   * @param large a buffer that can hold a batch's largest payload; lent
   */
  PulledSegments(
      StoreLog log,
      IngestClient client,
      DamagedBytes damaged,
      Replicator replicator,
      DownloadFiles files,
      ByteBuffer large) {
    this.log = log;
    this.damaged = damaged;
    this.replicator = replicator;
    this.files = files;
    this.downloads = new SegmentDownloads(files, client, damaged);
    this.large = large;
  }

  List<Claim> claims() {
    return claims;
  }

  boolean isEmpty() {
    return claims.isEmpty();
  }

  /** Whether it is full when what is being pulled has come. */
  boolean isFull(long targetBytes) {
    return complete
        || payloadBytes + downloads.runningBytes() >= targetBytes
        || index.size() >= MAX_BATCHES
        || index.labelBytes() >= BatchIndex.MAX_LABEL_BYTES
        || claims.size() + downloads.running() >= MAX_SEGMENTS;
  }

  /** No more segments are to be added than are here and being pulled. */
  void complete() {
    complete = true;
  }

  SegmentDownloads pulls() {
    return downloads;
  }

  /** How long ago the first of its segments was claimed. */
  Duration age() {
    long now = System.nanoTime();
    return Duration.ofNanos(claims.stream().mapToLong(c -> now - c.nanos()).max().orElse(0));
  }

  /** Whether so much of a lease is over that it should end, although there is more to be had. */
  boolean isOld() {
    long now = System.nanoTime();
    return claims.stream().anyMatch(c -> now - c.nanos() > c.lease().toNanos() / 2);
  }

  PullTotals totals() {
    return new PullTotals(
        claims.size(), bytes, records, duplicateRecords, damagedBytes, poisonBatches);
  }

  /** While it is empty: its files can be deleted or filled anew. */
  void reuseFiles() {
    files.reuse();
  }

  /** A segment that could not be pulled. */
  void failed(DownloadFiles.Slot slot) {
    files.giveBack(slot);
  }

  /** Adds a segment that was pulled. */
  void add(Claim claim, DownloadFiles.Slot slot, ScannedSegment scanned) {
    index.addAll(scanned.index(), pulled.size());
    bytes += claim.bytes();
    payloadBytes += scanned.payloadBytes();
    records += scanned.records();
    damagedBytes += scanned.damagedBytes();
    pulled.add(slot.spool());
    claims.add(claim);
  }

  /**
   * Writes what is held to new store segments; when this returns, their bytes are durable. Batches
   * that no segment can be written with are set aside.
   *
   * @param beside may do some of the work, see {@link StoreSegmentWriter}
   */
  void write(Executor beside) throws IOException {
    int[] order = index.sorted();
    try {
      write(order, beside);
    } catch (CorruptException | RuntimeException e) {
      discardWritten();
      int[] poison = new PoisonBatches(order, this::tryToWrite, this::tryToWriteAnother).find();
      if (poison.length == 0) {
        throw e;
      }
      Set<Integer> gone = new HashSet<>();
      for (int entry : poison) {
        setAside(entry, e);
        gone.add(entry);
      }
      write(Arrays.stream(order).filter(entry -> !gone.contains(entry)).toArray(), beside);
    }
  }

  private void tryToWrite(int[] order) throws IOException {
    try {
      write(order, StoreSegmentWriter.ALONE);
    } finally {
      discardWritten();
    }
  }

  private void tryToWriteAnother() throws IOException {
    try (SegmentBuilder active = log.newActive(StoreSegmentWriter.ALONE)) {
      active.append(new Batch(Topic.DEFAULT, Delimiter.LF, Ulid.MIN, 1, LINE.duplicate()));
      written.add(active.flush());
    } finally {
      discardWritten();
    }
  }

  /** Keeps a batch beside the store, and says from now on that answers lack it. */
  private void setAside(int entry, Exception cause) throws IOException {
    int file = index.file(entry);
    int head = index.headBytes(entry);
    int length = head + index.bytes(entry);
    long at = index.position(entry) - (long) head;
    Ulid first = index.first(entry);
    var range = UlidRange.of(first, index.records(entry));
    var reason = new CorruptException(at, "no segment can be written with it: " + cause);
    damaged.setAside(claims.get(file), pulled.get(file), range, new Damage(at, length, reason));
    log.lacks().unstorable(range);
    records -= index.records(entry);
    damagedBytes += length;
    poisonBatches++;
  }

  private void write(int[] order, Executor beside) throws IOException {
    var batches = new PulledBatches(pulled, index, order, large);
    Optional<Batch> next = Optional.ofNullable(batches.next());
    while (next.isPresent()) {
      next = writeOne(batches, next.get(), beside);
    }
    duplicateRecords = batches.duplicateRecords();
  }

  /** Writes one segment; gives the batch that it had no room for. */
  private Optional<Batch> writeOne(PulledBatches batches, Batch first, Executor beside)
      throws IOException {
    try (SegmentBuilder active = log.newActive(beside)) {
      active.append(first);
      @Nullable Batch batch = batches.next();
      while (batch != null && !active.isFull()) {
        active.append(batch);
        batch = batches.next();
      }
      written.add(active.flush());
      return Optional.ofNullable(batch);
    }
  }

  /** Sends what was written to other stores; when this returns, it is durable there. */
  void replicate() throws ReplicationException {
    long deadline = Claim.deadlineNanos(claims);
    for (SegmentBuilder.Flushed segment : written) {
      StoreSegment file = segment.segment();
      replicator.replicate(segment.path(), file.fileBytes(), file.isLabelled(), deadline);
    }
  }

  /** Shows what was written; when this returns, it is durable here, its name too. */
  void publish() throws IOException {
    while (!written.isEmpty()) {
      log.publish(written.remove());
    }
  }

  /** Nothing is read any more; to be called before the ingest segments are committed. */
  void closeOwnSegments() {
    files.closeOwn();
  }

  private void discardWritten() {
    for (SegmentBuilder.Flushed segment : written) {
      segment.segment().release();
      SegmentBuilder.discard(log.folder().filesystem(), segment.path(), null);
    }
    written.clear();
  }

  /** Lets go of all, and deletes what was written and not published. */
  @Override
  public void close() {
    discardWritten();
    downloads.join();
    files.reuse();
  }
}
