package io.cordwood.forwarder;

import io.cordwood.common.wire.BatchHeader;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Batches that the keeper of a spool moves from a {@link RecordQueue} to the disk and back. Guarded
 * by the queue's lock.
 *
 * <p>Of the memory, a part is for what comes from the spool, so that there is a way out however
 * much comes in. Of the rest, at most a half is on the wire at a time, so that there is always
 * something to move. When three quarters of it are taken, what is queued is moved until a half is
 * free.
 */
final class SpoolExchange {
  private static final int ROUND_BYTES = 4 << 20;
  private static final int LARGEST_BATCH_BYTES = BatchHeader.MAX_RECORD_BYTES + 256;
  private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final Batches batches;
  private final Buffers buffers;
  private final DropReports reports;
  private final boolean exists;
  private final boolean dropsOldest;
  private final int loadBytes;
  private final Runnable wakeSender;
  private final List<SpoolFile> acknowledged = new ArrayList<>();
  private final ArrayDeque<String> untold = new ArrayDeque<>();

  private boolean opened;
  private boolean ended;
  private boolean storesAll;
  private boolean full;
  private boolean failing;
  private long retryNanos;
  private long loadedBytes;
  private long recovered;
  private long fileBytes;
  private long damagedBytes;
  private long unreadableFiles;
  private long failures;

  /**
   * @param buffers of what is appended; what comes from the spool has memory of its own
   * @param wakeSender ends the sender's wait, so that it tells
   */
  SpoolExchange(
      ForwarderOptions options,
      Batches batches,
      Buffers buffers,
      DropReports reports,
      Runnable wakeSender) {
    this.batches = batches;
    this.buffers = buffers;
    this.reports = reports;
    this.exists = options.memory().spool() != null;
    this.dropsOldest = options.memory().whenFull() == WhenFull.DROP_OLDEST;
    this.loadBytes = Buffers.spoolBytes(options);
    this.wakeSender = wakeSender;
  }

  /** Whether there is a spool; without one nothing is moved. */
  boolean exists() {
    return exists;
  }

  /**
   * Whether it may be on the wire with all that is there. What the keeper is to move may not: it
   * would be lost if no acknowledgement came.
   */
  boolean maySend(OutgoingBatch batch) {
    if (!exists || batch.spooledIn() != null) {
      return true;
    }
    long sent = batches.sentOwnBytes();
    return !storesAll && (sent == 0 || sent + batch.bytes().length <= buffers.windowBytes() / 2);
  }

  /** A batch from the spool has arrived. */
  void acknowledged(OutgoingBatch batch) {
    loadedBytes -= batch.bytes().length;
    acknowledged.add(Objects.requireNonNull(batch.spooledIn()));
  }

  /** Whether there is something for the keeper. */
  boolean hasWork() {
    return ended
        || !acknowledged.isEmpty()
        || (opened ? isLoadable() || isStorable() : !isPausing());
  }

  private boolean isLoadable() {
    return batches.spooledRecords() > 0
        && loadedBytes + LARGEST_BATCH_BYTES <= loadBytes
        && !storesAll;
  }

  private boolean isStorable() {
    boolean enough = storesAll || buffers.usedBytes() > buffers.windowBytes() / 4 * 3;
    return batches.anyQueued() && enough && !full && !isPausing();
  }

  private boolean isPausing() {
    return failing && retryNanos - System.nanoTime() > 0;
  }

  /** For how long nothing is tried after a failure; {@link Long#MAX_VALUE} if none was. */
  long pauseLeftNanos() {
    return isPausing() ? retryNanos - System.nanoTime() : Long.MAX_VALUE;
  }

  boolean hasEnded() {
    return ended;
  }

  /** Whether it is not known yet what earlier forwarders have left. */
  boolean isOpening() {
    return exists && !opened && !ended && failures == 0;
  }

  /** There is a spool from now on, with what was found in it. */
  void opened(Spool spool) {
    opened = true;
    recovered = spool.unreadRecords();
    batches.spooled(recovered);
    update(spool);
  }

  /** The files of batches that have arrived; each is given once for each batch. */
  List<SpoolFile> takeAcknowledged() {
    List<SpoolFile> taken = List.copyOf(acknowledged);
    acknowledged.clear();
    return taken;
  }

  boolean wantsBatches() {
    return isLoadable() && !ended;
  }

  /** A batch of the spool is in memory too, to be sent; null when there was none left. */
  void loaded(@Nullable OutgoingBatch batch) {
    // Once it has ended, the batch is on the disk, and counted as there.
    if (!ended && batch != null && batches.load(batch)) {
      loadedBytes += batch.bytes().length;
    }
  }

  /**
   * Leaves what an earlier forwarder has spooled of an origin to the next one, so that it holds up
   * nothing else.
   *
   * @param reason for which all targets refuse it
   * @return whether there was something
   */
  boolean leave(RefusedOrigin origin, String reason) {
    List<OutgoingBatch> gone = batches.leave(origin);
    gone.forEach(batch -> loadedBytes -= batch.bytes().length);
    if (!gone.isEmpty()) {
      tell(
          "records of the topic %s are refused, and stay in the spool for the next start: %s"
              .formatted(origin, reason));
    }
    return !gone.isEmpty();
  }

  /** Batches to be written now, oldest first; {@link #stored} must follow. */
  List<OutgoingBatch> takeToStore() {
    List<OutgoingBatch> taken = new ArrayList<>();
    if (!opened || ended || !isStorable()) {
      return taken;
    }
    long bytes = 0;
    long enough = storesAll ? Long.MAX_VALUE : buffers.usedBytes() - buffers.windowBytes() / 2;
    for (OutgoingBatch batch = batches.move(); batch != null; batch = next(bytes, enough)) {
      taken.add(batch);
      bytes += batch.bytes().length;
    }
    return taken;
  }

  private @Nullable OutgoingBatch next(long bytes, long enough) {
    return bytes >= ROUND_BYTES || bytes >= enough ? null : batches.move();
  }

  /**
   * The first of those taken, as many as {@code count} says, are forced to the disk.
   *
   * @param all whether there was room for all
   */
  void stored(int count, boolean all, Spool spool) {
    failing = false;
    for (OutgoingBatch batch : batches.moved(count)) {
      buffers.forget(batch.bytes());
    }
    full = !all;
    reports.room();
    update(spool);
  }

  /** Drops records of the spool. */
  void dropped(DropReason reason, long records) {
    if (records > 0) {
      batches.spooled(-records);
      reports.dropped(reason, records);
    }
  }

  /** Records of the spool cannot be read now, and stay there for the next forwarder. */
  void left(long records) {
    if (records > 0) {
      batches.leave(records);
    }
  }

  /** Takes over what the spool says of itself; a deleted file makes room. */
  void updated(Spool spool) {
    full &= spool.bytes() >= fileBytes;
    update(spool);
  }

  private void update(Spool spool) {
    fileBytes = spool.bytes();
    damagedBytes = spool.damagedBytes();
    unreadableFiles = spool.unreadableFiles();
    spool.takeComplaints().forEach(this::tell);
  }

  /** It failed, and is tried again in a second; until then memory is all there is. */
  void failed(String complaint) {
    failures++;
    failing = true;
    retryNanos = System.nanoTime() + RETRY_NANOS;
    batches.moved(0);
    tell(complaint);
  }

  boolean dropsOldest() {
    return dropsOldest;
  }

  private void tell(String complaint) {
    if (untold.size() < 16) {
      untold.add(complaint);
      wakeSender.run();
    }
  }

  /** The next complaint for the listener; null when there is none. */
  @Nullable String toTell() {
    return untold.poll();
  }

  /** Has the keeper move all that is held in memory alone, until {@link #endToStoreAll}. */
  void beginToStoreAll() {
    storesAll = true;
    failing = false;
    batches.queueAll();
  }

  boolean isStoringAll() {
    boolean mayStore = batches.anyQueued() && !full && !failing;
    return !ended && (batches.anyMoving() || mayStore);
  }

  void endToStoreAll() {
    storesAll = false;
  }

  /** The forwarder has ended; the keeper will. */
  void end() {
    ended = true;
    loadedBytes = 0;
  }

  long loadedBytes() {
    return loadedBytes;
  }

  SpoolCounters counters() {
    return new SpoolCounters(
        recovered,
        batches.spooledRecords() + batches.leftRecords(),
        fileBytes,
        damagedBytes,
        unreadableFiles,
        failures);
  }
}
