package io.cordwood.forwarder;

import io.cordwood.common.wire.BatchHeader;
import io.cordwood.common.wire.BatchScanner;
import io.cordwood.common.wire.Delimiter;
import io.cordwood.common.wire.Origin;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Consecutive records in the form in which they are sent and stored, as {@link BatchHeader} draws
 * it.
 *
 * <p>The record at position i has the first ULID plus i, so a batch that is sent again, to any
 * node, makes no duplicates: its bytes never change once it is stamped. One that its maker has
 * prepared may be several batches on the wire, which are one here.
 *
 * <p>While open it is guarded by the queue's lock; once stamped it changes no more, but for the
 * header and checksum, which the sender thread writes before it sends it first.
 */
final class OutgoingBatch {
  private final byte[] origin;
  private final Delimiter delimiter;
  private final int payloadAt;
  private final Moment opened;
  private final long number;

  private byte[] bytes;
  private int start;
  private int end;
  private int records;
  private long ulidHigh;
  private long ulidLow;

  /** The batches of a prepared one; empty for one that is filled here. */
  private List<PreparedPart> parts = List.of();

  private boolean stamped;
  private boolean headed;
  private boolean begun;
  private @Nullable PreparedBatch made;
  private @Nullable SpoolFile spooledIn;

  /**
   * @param number of the batch within its sender, growing by one
   * @param bytes with room for the first piece, owned by the batch from now on
   * @param origin as {@link Origin#bytes()} gives it
   */
  OutgoingBatch(long number, byte[] bytes, byte[] origin, Delimiter delimiter, Moment opened) {
    this.number = number;
    this.bytes = bytes;
    this.origin = origin;
    this.delimiter = delimiter;
    this.opened = opened;
    this.payloadAt = BatchHeader.BYTES + origin.length;
    this.end = payloadAt;
  }

  /** One that its maker has filled and stamped. */
  static OutgoingBatch of(PreparedBatch made, long number, Moment moment) {
    var batch = new OutgoingBatch(number, made.bytes(), made.originBytes(), Delimiter.LF, moment);
    batch.parts = made.parts();
    batch.end = batch.partsEnd();
    batch.records = made.records();
    batch.made = made;
    batch.stamped = true;
    return batch;
  }

  /** One that was spooled. It has no number, since it is older than all that have one. */
  static OutgoingBatch spooled(BatchScanner.Intact found, SpoolFile file) {
    BatchHeader header = found.header();
    byte[] whole = new byte[header.batchBytes()];
    found.bytes().get(0, whole);
    int payloadAt = BatchHeader.BYTES + header.originBytes();
    byte[] origin = Arrays.copyOfRange(whole, BatchHeader.BYTES, payloadAt);
    var opened = new Moment(0, System.nanoTime());
    OutgoingBatch batch = new OutgoingBatch(0, whole, origin, header.delimiter(), opened);
    batch.end = whole.length;
    batch.records = header.records();
    batch.stamp(header.high(), header.low());
    batch.headed = true;
    batch.spooledIn = file;
    return batch;
  }

  /** The file of the spool that has it too; null for those that are in memory alone. */
  @Nullable SpoolFile spooledIn() {
    return spooledIn;
  }

  /** The latest time of a record, once it is stamped. */
  long latestMillis() {
    long latest = ulidHigh >>> 16;
    for (PreparedPart part : parts) {
      latest = Math.max(latest, part.high() >>> 16);
    }
    return latest;
  }

  long ulidHigh() {
    return ulidHigh;
  }

  long ulidLow() {
    return ulidLow;
  }

  /** A moment on the wall clock, which may jump, and on one that does not. */
  record Moment(long millis, long nanos) {}

  boolean takes(RecordSlice slice) {
    return slice.delimiter() == null || slice.delimiter() == delimiter;
  }

  /** There must be room. */
  void add(RecordSlice slice) {
    System.arraycopy(slice.bytes(), slice.offset(), bytes, end, slice.length());
    end += slice.length();
    if (!slice.ended()) {
      bytes[end++] = delimiter.value();
    }
    records += slice.records();
  }

  /** As its maker has it; null for batches made here, whose array is used again. */
  @Nullable PreparedBatch made() {
    return made;
  }

  String topic() {
    return Origin.topicIn(origin);
  }

  Origin origin() {
    return Origin.decode(origin);
  }

  /** Whether it is sent with labels. */
  boolean hasLabels() {
    return start == 0 && topic().length() < origin.length;
  }

  /**
   * Is sent as one without labels from now on, to whichever node: with and without them it would be
   * two batches.
   */
  void leaveLabelsOut() {
    start = origin.length - topic().length();
    headed = false;
    int left = 0;
    List<PreparedPart> moved = new ArrayList<>(parts.size());
    for (PreparedPart part : parts) {
      int at = part.at() - left;
      System.arraycopy(bytes, part.at(), bytes, at, part.payloadBytes());
      moved.add(part.movedTo(at));
      left += start;
    }
    parts = moved;
    end = parts.isEmpty() ? end : partsEnd();
  }

  private int partsEnd() {
    return parts.get(parts.size() - 1).end();
  }

  void grow(int capacity) {
    bytes = Arrays.copyOf(bytes, capacity);
  }

  /** Gives its first record a ULID; all others follow that one. */
  void stamp(long high, long low) {
    ulidHigh = high;
    ulidLow = low;
    long next = low;
    List<PreparedPart> anew = new ArrayList<>(parts.size());
    for (PreparedPart part : parts) {
      anew.add(part.stamped(high, next));
      next += part.records();
    }
    parts = anew;
    stamped = true;
    headed = false;
  }

  boolean isStamped() {
    return stamped;
  }

  /** Whether sending has begun: what was sent is never stamped anew. */
  boolean hasBegun() {
    return begun;
  }

  /** The whole batch, to be read by the sender thread; each call gives the same bytes. */
  ByteBuffer wire() {
    if (!headed) {
      byte[] sent = Arrays.copyOf(origin, origin.length - start);
      if (made == null) {
        writeHeader(
            sent,
            new PreparedPart(payloadAt, delimiter, payloadBytes(), records, ulidHigh, ulidLow));
      }
      parts.forEach(part -> writeHeader(sent, part));
      headed = true;
    }
    return ByteBuffer.wrap(bytes, start, end - start);
  }

  private void writeHeader(byte[] sent, PreparedPart part) {
    int length = BatchHeader.BYTES + sent.length;
    ByteBuffer payload = ByteBuffer.wrap(bytes, part.at(), part.payloadBytes());
    ByteBuffer head = ByteBuffer.wrap(bytes, part.at() - length, length).slice();
    BatchHeader.write(
        head, sent, part.delimiter(), part.high(), part.low(), part.records(), payload);
  }

  /** Marks that sending begins, and says whether it had begun before. */
  boolean begin() {
    boolean before = begun;
    begun = true;
    return before;
  }

  int payloadBytes() {
    return end - payloadAt;
  }

  /** Room without growing. */
  int roomBytes() {
    return bytes.length - end;
  }

  byte[] bytes() {
    return bytes;
  }

  int sizeBytes() {
    return end;
  }

  int records() {
    return records;
  }

  /** How many records are in whole parts of a prepared batch before a position in the array. */
  int recordsBefore(int position) {
    int before = 0;
    for (PreparedPart part : parts) {
      before += part.end() <= position ? part.records() : 0;
    }
    return before;
  }

  long number() {
    return number;
  }

  /** When its first record came. */
  Moment opened() {
    return opened;
  }

  long openedNanos() {
    return opened.nanos();
  }
}
