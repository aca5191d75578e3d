package io.cordwood.forwarder;

/**
 * A batch whose bytes and ULIDs its maker has chosen, so that the maker can make it again after a
 * crash: whoever sends it twice has sent it once. Made for followers of files, which read right
 * into its array; the array is the forwarder's from {@link Forwarder#send(PreparedBatch)} until
 * {@code acknowledged} is run. Not for use by several threads.
 *
 * <p>The maker ensures that the ULIDs of its batches never overlap.
 */
public final class PreparedBatch {
  /** The longest record, without its end. */
  public static final int MAX_RECORD_BYTES = Batch.MAX_RECORD_BYTES;

  private final byte[] bytes;
  private final byte[] topic;
  private final Runnable acknowledged;
  private Delimiter delimiter = Delimiter.LF;
  private int payloadBytes;
  private int records;
  private long high;
  private long low;

  /**
   * @param bytes with room for the header, up to {@link #payloadAt}, and the records after it
   * @param acknowledged is run once, on the forwarder's own thread, when a node has acknowledged
   *     the batch; it must not block
   * @throws IllegalArgumentException when the topic is no topic's name
   */
  public PreparedBatch(String topic, byte[] bytes, Runnable acknowledged) {
    ForwarderOptions.checkTopic(topic);
    this.topic = Batch.topicBytes(topic);
    this.bytes = bytes;
    this.acknowledged = acknowledged;
  }

  /** The position of the records in the array of a batch of this topic. */
  public static int payloadAt(String topic) {
    return Batch.HEADER_BYTES + topic.length();
  }

  /**
   * Takes whole lines, each ended by LF, as they stand in the array. Lines of no bytes are no
   * records, and are left out.
   *
   * @param length of all lines, from {@link #payloadAt}
   * @return how many were left out
   */
  public int takeLines(int length) {
    int at = payloadAt();
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

  public int records() {
    return records;
  }

  /** The array that it was made with. */
  public byte[] bytes() {
    return bytes;
  }

  private int payloadAt() {
    return Batch.HEADER_BYTES + topic.length;
  }

  Batch numbered(long number, Batch.Moment moment) {
    Batch batch = new Batch(number, bytes, topic, delimiter, moment);
    batch.prepare(payloadBytes, records, acknowledged);
    batch.stamp(high, low);
    return batch;
  }
}
