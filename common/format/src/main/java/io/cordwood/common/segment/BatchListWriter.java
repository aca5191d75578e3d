package io.cordwood.common.segment;

import io.cordwood.common.ulid.Ulid;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Writes a list of batches without their payloads, as stores tell each other what they hold.
 *
 * <pre>
 *   4       magic    FD 43 57 4C
 *   4       version  1, or 2 if batches may have labels
 *           entries  by topic, then by first ULID, then by labels, each once:
 *             1       kind     1 = sender's bits of the batch before, 2 = others, 3 = another topic and others
 *             1 + T   topic    length and name, if kind is 3
 *             varint  time     milliseconds since the batch before; if kind is 3, since 1970
 *             6       sender   the upper 48 of the 80 unique bits, unless kind is 1
 *             varint  counter  the lower 32; if kind is 1, minus the end of the batch before, zigzag
 *             varint  records
 *             varint  bytes    of the payload
 *             8       labels   version 2: {@link io.cordwood.common.wire.Labels#identity}, if kind has 4 added: if they
 *                              are others than those of the batch before; before the first there are none
 *   1       0        the end
 *   8       entries  their count, big endian
 * </pre>
 *
 * <p>A sender's batches in a row cost some 8 bytes each. One thread.
 */
public final class BatchListWriter {
  static final int MAGIC = 0xFD43574C;
  static final int VERSION_PLAIN = 1;
  static final int VERSION_LABELLED = 2;
  static final int END = 0;
  static final int SAME_SENDER = 1;
  static final int SAME_TOPIC = 2;
  static final int OTHER_TOPIC = 3;
  static final int OTHER_LABELS = 4;

  /** The most bytes that an entry, or the end, can have. */
  static final int MAX_ENTRY_BYTES = 2 + Topic.MAX_BYTES + 10 + 6 + 10 + 5 + 5 + Long.BYTES;

  private static final int BUFFER_BYTES = 16 << 10;

  private final OutputStream target;
  private final int version;
  private final ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES);
  private @Nullable BatchInfo last;
  private long count;

  /**
   * Begins a list.
   *
   * @param labels whether it can have batches with labels; stores of before do not read it then
   */
  public BatchListWriter(OutputStream target, boolean labels) {
    this.target = target;
    this.version = labels ? VERSION_LABELLED : VERSION_PLAIN;
    buffer.putInt(MAGIC).putInt(version);
  }

  /**
   * Adds a batch, which must come after the one before.
   *
   * @throws IllegalArgumentException if it has labels, and the list cannot have them
   */
  public void add(BatchInfo batch) throws IOException {
    boolean otherLabels = batch.labelsIdentity() != (last == null ? 0 : last.labelsIdentity());
    if (otherLabels && version == VERSION_PLAIN) {
      throw new IllegalArgumentException("expected a batch without labels, found " + batch);
    }
    if (buffer.remaining() < MAX_ENTRY_BYTES) {
      flush();
    }
    int more = otherLabels ? OTHER_LABELS : 0;
    BatchInfo before = last;
    if (before == null || !before.topic().equals(batch.topic())) {
      byte[] name = batch.topic().bytes();
      buffer.put((byte) (OTHER_TOPIC + more)).put((byte) name.length).put(name);
      putOther(batch.first(), 0);
    } else if (sender(before.first()) == sender(batch.first())) {
      buffer.put((byte) (SAME_SENDER + more));
      Varints.put(buffer, batch.first().millis() - before.first().millis());
      long end = counter(before.first()) + before.records();
      Varints.put(buffer, zigzag(counter(batch.first()) - end));
    } else {
      buffer.put((byte) (SAME_TOPIC + more));
      putOther(batch.first(), before.first().millis());
    }
    Varints.put(buffer, batch.records());
    Varints.put(buffer, batch.bytes());
    if (otherLabels) {
      buffer.putLong(batch.labelsIdentity());
    }
    last = batch;
    count++;
  }

  private void putOther(Ulid first, long since) {
    Varints.put(buffer, first.millis() - since);
    long sender = sender(first);
    buffer.putShort((short) (sender >>> 32)).putInt((int) sender);
    Varints.put(buffer, counter(first));
  }

  /** Ends the list; the target stays open. */
  public void finish() throws IOException {
    if (buffer.remaining() < MAX_ENTRY_BYTES) {
      flush();
    }
    buffer.put((byte) END).putLong(count);
    flush();
  }

  private void flush() throws IOException {
    target.write(buffer.array(), 0, buffer.position());
    buffer.clear();
  }

  static long sender(Ulid ulid) {
    return (ulid.high() & 0xFFFF) << 32 | ulid.low() >>> 32;
  }

  static long counter(Ulid ulid) {
    return ulid.low() & 0xFFFFFFFFL;
  }

  private static long zigzag(long value) {
    return value << 1 ^ value >> 63;
  }
}
