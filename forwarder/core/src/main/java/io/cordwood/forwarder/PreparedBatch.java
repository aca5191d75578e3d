package io.cordwood.forwarder;

import io.cordwood.common.wire.BatchHeader;
import io.cordwood.common.wire.Delimiter;
import io.cordwood.common.wire.Origin;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A batch whose bytes and ULIDs its maker has chosen, so that the maker can make it again after a
 * crash: whoever sends it twice has sent it once. Made for followers of files, which read right
 * into its array; the array is the forwarder's from {@link Forwarder#send(PreparedBatch)} until
 * {@code acknowledged} or {@code refused} is run. Not for use by several threads.
 *
 * <p>It may be several batches of one origin, each with its own first ULID, as for records of many
 * times: they lie one after another in the array, and are sent, acknowledged and refused together.
 *
 * <p>The maker ensures that the ULIDs of its batches never overlap.
 */
public final class PreparedBatch {
  /** The longest record, without its end. */
  public static final int MAX_RECORD_BYTES = BatchHeader.MAX_RECORD_BYTES;

  /** The most bytes before the records in an array. */
  public static final int MOST_BEFORE_RECORDS = BatchHeader.BYTES + Origin.MAX_BYTES;

  private final byte[] bytes;
  private final Origin origin;
  private final byte[] originBytes;
  private final Runnable acknowledged;
  private final @Nullable Runnable refused;

  /** The batches before the one that the following fields are of. */
  private final List<PreparedPart> earlier = new ArrayList<>(0);

  private int payloadAt;
  private Delimiter delimiter = Delimiter.LF;
  private int payloadBytes;
  private int records;
  private long high;
  private long low;

  /** One that the forwarder keeps, and tries again, if a node refuses it. */
  public PreparedBatch(Origin origin, byte[] bytes, Runnable acknowledged) {
    this(origin, bytes, acknowledged, null);
  }

  /**
   * @param bytes with room for the header, up to {@link #payloadAt}, and the records after it
   * @param acknowledged is run once, on the forwarder's own thread, when a node has acknowledged
   *     the batch; it must not block
   * @param refused is run instead, with the same limits or by {@link Forwarder#send}, when a node
   *     refuses the topic, or these labels: then the batch is its maker's again, as are all later
   *     ones of the origin, in their order, until {@link Forwarder#admit}. Null for a maker that
   *     does not take it back
   */
  public PreparedBatch(
      Origin origin, byte[] bytes, Runnable acknowledged, @Nullable Runnable refused) {
    this.refused = refused;
    this.origin = origin;
    this.originBytes = origin.bytes();
    this.payloadAt = BatchHeader.BYTES + originBytes.length;
    this.bytes = bytes;
    this.acknowledged = acknowledged;
  }

  /** The position of the records in the array of a batch of this origin. */
  public static int payloadAt(Origin origin) {
    return BatchHeader.BYTES + origin.bytes().length;
  }

  /**
   * Begins one more batch, after the one that has its records and its stamp.
   *
   * @return the position of its records in the array, in place of {@link #payloadAt}
   */
  public int beginNext() {
    PreparedPart before = last();
    earlier.add(before);
    payloadAt = before.end() + BatchHeader.BYTES + originBytes.length;
    take(0, Delimiter.LF);
    records = 0;
    return payloadAt;
  }

  private PreparedPart last() {
    return new PreparedPart(payloadAt, delimiter, payloadBytes, records, high, low);
  }

  /**
   * Takes whole lines, each ended by LF, as they stand in the array. Lines of no bytes are no
   * records, and are left out.
   *
   * @param length of all lines, from {@link #payloadAt}
   * @return how many were left out
   */
  public int takeLines(int length) {
    int at = payloadAt;
    int end = at + length;
    boolean beginsBlank = length > 0 && bytes[at] == '\n';
    records = beginsBlank ? -1 : Lines.countUnlessBlank(bytes, at, end);
    take(length, Delimiter.LF);
    if (records >= 0) {
      return 0;
    }
    int lines = Lines.count(bytes, at, end);
    take(withoutBlankLines(at, end), Delimiter.LF);
    records = Lines.count(bytes, at, at + payloadBytes);
    return lines - records;
  }

  /**
   * Takes lines as {@link #takeLines(int)} does, of which the maker knows how many there are, and
   * that each has bytes.
   */
  public void takeLines(int length, int count) {
    take(length, Delimiter.LF);
    records = count;
  }

  private int withoutBlankLines(int from, int end) {
    int to = from;
    boolean lineBegins = true;
    for (int at = from; at < end; at++) {
      boolean lf = bytes[at] == '\n';
      if (!lf || !lineBegins) {
        bytes[to++] = bytes[at];
      }
      lineBegins = lf;
    }
    return to - from;
  }

  /**
   * Takes records as they stand in the array, each ended by NUL; they hold none.
   *
   * @param length of all, from {@link #payloadAt}
   */
  public void takeRecords(int length, int count) {
    take(length, Delimiter.NUL);
    records = count;
  }

  private void take(int length, Delimiter end) {
    payloadBytes = length;
    delimiter = end;
  }

  /**
   * Gives the first record its ULID; the others follow it. A time of the past is kept, however far;
   * one that is ahead of {@link Forwarder#clock} by half a day is replaced when it is sent.
   */
  public void stamp(long ulidHigh, long ulidLow) {
    high = ulidHigh;
    low = ulidLow;
  }

  /** How many records it has, in all of its batches. */
  public int records() {
    int all = records;
    for (PreparedPart part : earlier) {
      all += part.records();
    }
    return all;
  }

  /** Its batches, in the order in which they lie in the array. */
  public List<PreparedPart> parts() {
    if (earlier.isEmpty()) {
      return List.of(last());
    }
    List<PreparedPart> all = new ArrayList<>(earlier);
    all.add(last());
    return all;
  }

  /** The array that it was made with. */
  public byte[] bytes() {
    return bytes;
  }

  /** To be run when it is acknowledged. */
  Runnable acknowledged() {
    return acknowledged;
  }

  /** To be run when it goes back to its maker; null if it cannot. */
  @Nullable Runnable refused() {
    return refused;
  }

  public Origin origin() {
    return origin;
  }

  byte[] originBytes() {
    return originBytes;
  }
}
