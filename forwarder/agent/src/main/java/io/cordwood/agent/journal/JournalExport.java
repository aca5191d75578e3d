package io.cordwood.agent.journal;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Reads the Journal Export Format, an entry at a time:
 *
 * <pre>
 *   entry = 1*field LF
 *   field = name "=" text LF
 *         / name LF length data LF        length: 64 bits, little-endian
 * </pre>
 *
 * Memory is bounded: longer values are cut, and more fields left out; the entry counts them. For
 * one thread.
 */
final class JournalExport {
  /** The longest value that is kept: that of a record. */
  static final int MOST_VALUE_BYTES = 1 << 20;

  /** As journald itself has it. */
  private static final int MOST_FIELDS = 1024;

  private static final int MOST_ENTRY_BYTES = 4 << 20;
  private static final int MOST_NAME_BYTES = 256;
  private static final int END = -1;

  private final InputStream in;
  private byte[] line = new byte[1 << 10];
  private int length;
  private boolean isCut;

  JournalExport(InputStream in) {
    this.in = in;
  }

  /**
   * The next entry; null at the end, also within an entry.
   *
   * @throws IOException also when the format is another one
   */
  @Nullable JournalEntry next() throws IOException {
    var entry = new JournalEntry();
    int fields = 0;
    long bytes = 0;
    while (readLine()) {
      if (length == 0) {
        if (fields > 0) {
          return entry;
        }
        continue;
      }
      int equals = indexOfEquals();
      String name = name(equals < 0 ? length : equals);
      byte[] value = equals < 0 ? binary(name) : Arrays.copyOfRange(line, equals + 1, length);
      if (value == null) {
        return null;
      }
      bytes += value.length;
      if (isCut) {
        entry.cut();
      }
      if (fields++ < MOST_FIELDS && bytes <= MOST_ENTRY_BYTES) {
        entry.add(name, value);
      } else {
        entry.cut();
      }
    }
    return null;
  }

  private int indexOfEquals() {
    for (int i = 0; i < length; i++) {
      if (line[i] == '=') {
        return i;
      }
    }
    return END;
  }

  private String name(int end) throws IOException {
    if (end == 0 || end > MOST_NAME_BYTES) {
      throw new IOException(
          "expected a field's name of 1 to " + MOST_NAME_BYTES + " bytes, found " + end);
    }
    return new String(line, 0, end, StandardCharsets.UTF_8);
  }

  /** False at the end, also if a line has begun. */
  private boolean readLine() throws IOException {
    length = 0;
    isCut = false;
    for (int next = in.read(); next != END; next = in.read()) {
      if (next == '\n') {
        return true;
      }
      if (length == line.length && length < MOST_VALUE_BYTES) {
        line = Arrays.copyOf(line, 2 * length);
      }
      if (length < line.length) {
        line[length++] = (byte) next;
      } else {
        isCut = true;
      }
    }
    return false;
  }

  private byte @Nullable [] binary(String name) throws IOException {
    byte[] number = in.readNBytes(Long.BYTES);
    long count = 0;
    for (int i = number.length - 1; i >= 0; i--) {
      count = count << Byte.SIZE | (number[i] & 0xFF);
    }
    if (number.length < Long.BYTES) {
      return null;
    }
    if (count < 0) {
      throw new IOException(name + ": expected a length, found " + Long.toUnsignedString(count));
    }
    int kept = (int) Math.min(count, MOST_VALUE_BYTES);
    isCut = kept < count;
    byte[] value = in.readNBytes(kept);
    if (value.length < kept || !skipped(count - kept)) {
      return null;
    }
    int end = in.read();
    if (end != '\n' && end != END) {
      throw new IOException(name + ": expected a line feed after " + count + " bytes, found none");
    }
    return end == END ? null : value;
  }

  private boolean skipped(long count) throws IOException {
    long left = count;
    byte[] nowhere = new byte[1 << 13];
    while (left > 0) {
      int read = in.read(nowhere, 0, (int) Math.min(left, nowhere.length));
      if (read < 0) {
        return false;
      }
      left -= read;
    }
    return true;
  }
}
