package io.cordwood.ingest.push;

import io.cordwood.common.segment.Batch;
import io.cordwood.common.segment.Topic;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.ulid.UlidStamper;
import io.cordwood.common.wire.BatchHeader;
import io.cordwood.common.wire.Delimiter;
import io.cordwood.common.wire.Origin;
import io.cordwood.ingest.Intake;
import io.cordwood.ingest.RefusedException;
import io.cordwood.ingest.RejectReason;
import io.cordwood.ingest.SenderRights;
import io.cordwood.ingest.TopicCounters;
import io.cordwood.ingest.mode.LateRecords;
import io.cordwood.ingest.mode.RequestWriter;
import io.cordwood.ingest.mode.StampedBatch;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * The records of one request: makes batches of those of the same origin and time, and hands them
 * over. Up to {@link #MAX_HELD_BYTES} are held first, so that nothing of a request that is no
 * longer is stored before its end; less while the node holds too much. For the request's thread.
 */
public final class PushedRecords implements AutoCloseable {
  /** The time of a record that has none of its own: that of its arrival. */
  public static final long ARRIVAL = Long.MIN_VALUE;

  /** So much is held before anything is handed over. */
  static final int MAX_HELD_BYTES = 1 << 20;

  /** As much as a store puts into one block. */
  private static final int BATCH_BYTES = 320 << 10;

  /** A batch without records takes as much on the heap. */
  private static final int ORIGIN_BYTES = 1 << 10;

  private static final int FIRST_BYTES = 512;

  /** A write ends with the batch that makes it as long. */
  private static final int WRITE_BYTES = 1 << 20;

  private final Intake intake;
  private final SenderRights rights;
  private final RequestWriter writer;
  private final Duration longest;
  private final UlidStamper stamper;
  private final LateRecords late;
  private final BatchStamps stamps;
  private final Map<Kind, Pending> open = new HashMap<>();
  private final Map<TopicCounters, Queue<Pending>> full = new LinkedHashMap<>();
  private int heldBytes;

  /** So much was taken for open batches, since the key was set or all of them were closed. */
  private int openBytes;

  private long unassignedBytes;
  private long records;

  /**
   * @param writer closed by the caller
   * @param longest that the disk may take nothing
   */
  PushedRecords(Intake intake, SenderRights rights, RequestWriter writer, Duration longest) {
    this.intake = intake;
    this.rights = rights;
    this.writer = writer;
    this.longest = longest;
    this.stamper = new UlidStamper(intake.clock());
    this.stamps = new BatchStamps();
    this.late = new LateRecords(intake.clock(), intake.metrics().registry);
  }

  /** Records that may stand in one batch. */
  private record Kind(Origin origin, Delimiter delimiter) {}

  /** The records of one kind and time that are to be the next batch of it. */
  private static final class Pending {
    private final Kind kind;
    private final long millis;
    private final TopicCounters counters;
    private final BatchStamps.Place place;
    private byte[] bytes = new byte[FIRST_BYTES];
    private int size;
    private int records;
    private int wireBytes;

    Pending(Kind kind, long millis, TopicCounters counters, BatchStamps.Place place) {
      this.kind = kind;
      this.millis = millis;
      this.counters = counters;
      this.place = place;
    }

    /** Returns how much larger its array is for that. */
    int add(byte[] from, int start, int length) {
      int before = bytes.length;
      if (size + length + 1 > before) {
        bytes = Arrays.copyOf(bytes, Math.max(size + length + 1, 2 * before));
      }
      System.arraycopy(from, start, bytes, size, length);
      size += length;
      bytes[size++] = kind.delimiter.value();
      records++;
      return bytes.length - before;
    }

    int heldBytes() {
      return ORIGIN_BYTES + bytes.length;
    }
  }

  /** Counts bytes of the request, whose records are not known yet. */
  public void read(long bytes) {
    intake.metrics().ledger.read(bytes);
    unassignedBytes += bytes;
  }

  /**
   * From now on, records that have times of their own and are sent again with the same key become
   * the same batches again, which are stored once. Records of before are in no batch with them.
   *
   * @param key of what is sent again as a whole
   */
  public void keyed(byte[] key) {
    key(key);
  }

  /** From now on, what is sent again is stored again. */
  public void unkeyed() {
    if (stamps.areKeyed()) {
      key(null);
    }
  }

  private void key(byte @Nullable [] key) {
    closeOpen();
    stamps.keyed(key);
  }

  /**
   * Adds a line, whose time is that of its arrival.
   *
   * @see #add(Origin, Delimiter, long, byte[], int, int, int)
   */
  void add(Origin origin, byte[] bytes, int from, int to, int wireBytes) throws RefusedException {
    add(origin, Delimiter.LF, ARRIVAL, bytes, from, to, wireBytes);
  }

  /**
   * Adds a record; one that is longer than a record may be becomes several.
   *
   * @param delimiter that the bytes do not have in them
   * @param millis its time, not farther from now than batches may be; or {@link #ARRIVAL}
   * @param bytes copied
   * @param wireBytes of the request that it was, as far as that many were read
   * @throws RefusedException if its sender may not send it, or the disk takes nothing
   */
  public void add(
      Origin origin,
      Delimiter delimiter,
      long millis,
      byte[] bytes,
      int from,
      int to,
      int wireBytes)
      throws RefusedException {
    if (to - from > BatchHeader.MAX_RECORD_BYTES) {
      countSplit();
    }
    var kind = new Kind(origin, delimiter);
    int at = from;
    int unpaid = (int) Math.min(wireBytes, unassignedBytes);
    do {
      int length = Math.min(to - at, BatchHeader.MAX_RECORD_BYTES);
      int paid = at + length < to ? Math.min(length, unpaid) : unpaid;
      addPiece(kind, millis, bytes, at, length, paid);
      unpaid -= paid;
      at += length;
    } while (at < to);
  }

  private void addPiece(Kind kind, long millis, byte[] bytes, int from, int length, int wireBytes)
      throws RefusedException {
    Pending pending = pending(kind, millis);
    boolean isFull = pending.size > 0 && pending.size + length + 1 > BATCH_BYTES;
    if (isFull || pending.millis != millis) {
      open.remove(kind);
      close(pending);
      pending = pending(kind, millis);
    }
    hold(pending.add(bytes, from, length));
    pending.wireBytes += wireBytes;
    unassignedBytes -= wireBytes;
    records++;
    stamps.added();
    boolean isMuch = heldBytes > MAX_HELD_BYTES || intake.held().isTooMuch(heldBytes);
    // Where batches end that have a key depends on nothing but what came with it.
    if (stamps.areKeyed() ? openBytes > MAX_HELD_BYTES : isMuch) {
      closeOpen();
    }
    if (isMuch) {
      handOverClosed();
    }
  }

  private Pending pending(Kind kind, long millis) throws RefusedException {
    Pending known = open.get(kind);
    if (known != null) {
      return known;
    }
    var topic = new Topic(kind.origin.topic());
    rights.check(topic);
    rights.check(kind.origin.labels());
    var made = new Pending(kind, millis, intake.metrics().ledger.open(topic), stamps.place());
    open.put(kind, made);
    hold(ORIGIN_BYTES + FIRST_BYTES);
    return made;
  }

  private void hold(int change) {
    heldBytes += change;
    openBytes += Math.max(0, change);
    intake.held().add(change);
  }

  /** Counts a record that becomes several. */
  void countSplit() {
    intake.metrics().splitLines.increment();
  }

  /** Counts a blank line, which is no record. */
  public void countBlank(Origin origin, int wireBytes) throws RefusedException {
    intake.metrics().blankLines.increment();
    intake
        .metrics()
        .ledger
        .open(new Topic(origin.topic()))
        .turnedDown(RejectReason.BLANK, 0, wireBytes);
    unassignedBytes -= wireBytes;
  }

  /** Counts an event that is refused, so that no record is made of it; the others go on. */
  public void countRefused(RejectReason reason, int wireBytes) {
    long bytes = Math.min(wireBytes, unassignedBytes);
    intake.metrics().ledger.withoutTopic().turnedDown(reason, 1, bytes);
    unassignedBytes -= bytes;
  }

  /** Records that were added. */
  public long records() {
    return records;
  }

  /**
   * Hands the rest over, and waits until all is as safe as the mode promises. What was read and is
   * no record by then counts as {@link RejectReason#ENVELOPE}. More may be added after it.
   *
   * @throws RefusedException if that is not so: what came first may be stored nevertheless
   */
  public void finish() throws RefusedException {
    intake.metrics().ledger.withoutTopic().turnedDown(RejectReason.ENVELOPE, 0, unassignedBytes);
    unassignedBytes = 0;
    handOver();
    writer.awaitSafe(longest);
  }

  private void close(Pending pending) {
    full.computeIfAbsent(pending.counters, _ -> new ArrayDeque<>()).add(pending);
  }

  private void closeOpen() {
    open.values().forEach(this::close);
    open.clear();
    openBytes = 0;
  }

  private void handOver() throws RefusedException {
    closeOpen();
    handOverClosed();
  }

  private void handOverClosed() throws RefusedException {
    int closedBytes =
        full.values().stream().flatMap(Queue::stream).mapToInt(Pending::heldBytes).sum();
    for (Queue<Pending> ofTopic : full.values()) {
      while (!ofTopic.isEmpty()) {
        writer.append(nextWrite(ofTopic), longest);
        late.written();
      }
    }
    full.clear();
    hold(-closedBytes);
  }

  /** Makes one write of several batches: most are small, if each record has a time of its own. */
  private StampedBatch nextWrite(Queue<Pending> ofTopic) {
    var buffers = new ArrayList<ByteBuffer>();
    TopicCounters counters = ofTopic.element().counters;
    int batchBytes = 0;
    int ofWrite = 0;
    int wireBytes = 0;
    while (!ofTopic.isEmpty() && batchBytes < WRITE_BYTES) {
      Pending next = ofTopic.remove();
      ByteBuffer payload = ByteBuffer.wrap(next.bytes, 0, next.size);
      ByteBuffer head = head(next, payload);
      buffers.add(head);
      buffers.add(payload);
      batchBytes += head.remaining() + payload.remaining();
      ofWrite += next.records;
      wireBytes += next.wireBytes;
    }
    counters.received(ofWrite, wireBytes);
    ByteBuffer joined = ByteBuffer.allocate(batchBytes);
    buffers.forEach(joined::put);
    return new StampedBatch(new ByteBuffer[] {joined.flip()}, counters, ofWrite, wireBytes);
  }

  private ByteBuffer head(Pending pending, ByteBuffer payload) {
    Ulid first =
        pending.millis == ARRIVAL
            ? stamper.stamp(pending.records)
            : stamps.stamp(pending.place, pending.millis, pending.records, payload);
    late.add(first.millis(), pending.records);
    rights.received(pending.kind.origin.topic(), pending.records, pending.wireBytes);
    Kind kind = pending.kind;
    return Batch.head(kind.origin, kind.delimiter, first, pending.records, payload);
  }

  /** Counts what was not handed over as rejected. */
  @Override
  public void close() {
    open.values().forEach(this::close);
    full.forEach((counters, ofTopic) ->
        ofTopic.forEach(
            each -> counters.turnedDown(RejectReason.UPLOAD, each.records, each.wireBytes)));
    intake.metrics().ledger.withoutTopic().turnedDown(RejectReason.UPLOAD, 0, unassignedBytes);
    hold(-heldBytes);
  }
}
