package io.cordwood.common.segment;

import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.wire.CorruptException;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Reads what a {@link BatchListWriter} wrote, and checks that it is in order and whole. Holds a
 * buffer of 16 KiB. One thread.
 */
public final class BatchListReader {
  private static final int BUFFER_BYTES = 16 << 10;

  private final InputStream source;
  private final ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES).limit(0);
  private @Nullable BatchInfo last;
  private long offset;
  private long count;
  private boolean labelled;
  private boolean begun;
  private boolean ended;

  public BatchListReader(InputStream source) {
    this.source = source;
  }

  /**
   * The next batch, or null after the last.
   *
   * @throws CorruptException if what stands there is no batch list, or not in order
   * @throws EOFException if the list breaks off
   */
  public @Nullable BatchInfo next() throws IOException {
    if (ended) {
      return null;
    }
    fill();
    try {
      return begun ? read() : begin();
    } catch (java.nio.BufferUnderflowException e) {
      throw new EOFException("expected a list of batches, found its beginning only");
    } catch (IllegalArgumentException e) {
      throw new CorruptException(offset, "expected a batch of a list, found " + e.getMessage());
    }
  }

  private @Nullable BatchInfo begin() throws IOException {
    int magic = buffer.getInt();
    int version = buffer.getInt();
    labelled = version == BatchListWriter.VERSION_LABELLED;
    if (magic != BatchListWriter.MAGIC || !(labelled || version == BatchListWriter.VERSION_PLAIN)) {
      throw new CorruptException(
          0,
          "expected a list of batches FD43574C of version 1 or 2, found %08X %08X"
              .formatted(magic, version));
    }
    begun = true;
    return read();
  }

  /** Makes a whole entry stand in the buffer, unless the source ends before. */
  private void fill() throws IOException {
    if (buffer.remaining() >= BatchListWriter.MAX_ENTRY_BYTES + 2 * Integer.BYTES) {
      return;
    }
    offset += buffer.position();
    buffer.compact();
    int read = 0;
    while (read >= 0 && buffer.position() < BatchListWriter.MAX_ENTRY_BYTES + 2 * Integer.BYTES) {
      read = source.read(buffer.array(), buffer.position(), buffer.remaining());
      buffer.position(buffer.position() + Math.max(read, 0));
    }
    buffer.flip();
  }

  private @Nullable BatchInfo read() throws IOException {
    int found = buffer.get();
    if (found == BatchListWriter.END) {
      return end();
    }
    boolean otherLabels = labelled && (found & BatchListWriter.OTHER_LABELS) != 0;
    int kind = otherLabels ? found - BatchListWriter.OTHER_LABELS : found;
    BatchInfo before = last;
    BatchInfo batch;
    if (kind == BatchListWriter.OTHER_TOPIC) {
      batch = batch(topic(), other(0), otherLabels);
    } else if (kind == BatchListWriter.SAME_TOPIC && before != null) {
      batch = batch(before.topic(), other(before.first().millis()), otherLabels);
    } else if (kind == BatchListWriter.SAME_SENDER && before != null) {
      batch = batch(before.topic(), following(before), otherLabels);
    } else {
      throw new IllegalArgumentException("kind " + kind);
    }
    if (before != null && before.compareTo(batch) >= 0) {
      throw new IllegalArgumentException(batch + " after " + before);
    }
    last = batch;
    count++;
    return batch;
  }

  private BatchInfo batch(Topic topic, Ulid first, boolean otherLabels) {
    int records = length();
    int bytes = length();
    long before = last == null ? 0 : last.labelsIdentity();
    return new BatchInfo(topic, first, otherLabels ? buffer.getLong() : before, records, bytes);
  }

  private Ulid other(long since) {
    long millis = since + Varints.get(buffer);
    long sender = (buffer.getShort() & 0xFFFFL) << 32 | (buffer.getInt() & 0xFFFFFFFFL);
    return ulid(millis, sender, Varints.get(buffer));
  }

  private Ulid following(BatchInfo before) {
    long millis = before.first().millis() + Varints.get(buffer);
    long end = BatchListWriter.counter(before.first()) + before.records();
    return ulid(millis, BatchListWriter.sender(before.first()), end + unzigzag());
  }

  private @Nullable BatchInfo end() throws CorruptException {
    long expected = buffer.getLong();
    if (expected != count) {
      throw new CorruptException(
          offset, "expected a list of %d batches, found %d".formatted(expected, count));
    }
    ended = true;
    return null;
  }

  private Topic topic() {
    byte[] name = new byte[buffer.get() & 0xFF];
    buffer.get(name);
    return Topic.of(name);
  }

  private int length() {
    long value = Varints.get(buffer);
    if (value < 1 || value > Integer.MAX_VALUE) {
      throw new IllegalArgumentException("a length of " + value);
    }
    return (int) value;
  }

  private long unzigzag() {
    long value = Varints.get(buffer);
    return value >>> 1 ^ -(value & 1);
  }

  private static Ulid ulid(long millis, long sender, long counter) {
    if (millis < 0 || millis > Ulid.MAX_MILLIS) {
      throw new IllegalArgumentException("a time of " + millis + " ms");
    }
    return new Ulid(millis << 16 | sender >>> 32, sender << 32 | (counter & 0xFFFFFFFFL));
  }
}
