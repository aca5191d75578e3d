package io.cordwood.common.segment;

import io.cordwood.common.file.ByteSource;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/**
 * Bytes cut into pages of 1,024, each followed by the CRC-32C of its number and data, so that any
 * part can be read and checked alone. For one thread; holds one page.
 */
final class FilterPages {
  static final int DATA_BYTES = 1_024;
  static final int PAGE_BYTES = DATA_BYTES + Integer.BYTES;

  private final ByteSource source;
  private final long offset;
  private final long dataBytes;
  private final ByteBuffer page = ByteBuffer.allocate(PAGE_BYTES).order(ByteOrder.LITTLE_ENDIAN);

  /** Pages that hold {@code dataBytes} of data and start at {@code offset} of the source. */
  FilterPages(ByteSource source, long offset, long dataBytes) {
    this.source = source;
    this.offset = offset;
    this.dataBytes = dataBytes;
  }

  static long bytesWithChecksums(long dataBytes) {
    return dataBytes + (dataBytes + DATA_BYTES - 1) / DATA_BYTES * Integer.BYTES;
  }

  static int crc(int pageNumber, byte[] data, int from, int length) {
    CRC32C crc = new CRC32C();
    for (int shift = 0; shift < Integer.SIZE; shift += Byte.SIZE) {
      crc.update(pageNumber >>> shift);
    }
    crc.update(data, from, length);
    return (int) crc.getValue();
  }

  /**
   * Copies whole longs into {@code dst}, little-endian.
   *
   * @param at of the first, in data bytes
   * @return false if a page they lie in is damaged; {@code dst} is then of no use
   */
  boolean read(long at, long[] dst, int length) throws IOException {
    int done = 0;
    while (done < length) {
      long next = at + (long) done * Long.BYTES;
      if (!load((int) (next / DATA_BYTES))) {
        return false;
      }
      page.position((int) (next % DATA_BYTES));
      while (done < length && page.remaining() > Integer.BYTES) {
        dst[done++] = page.getLong();
      }
    }
    return true;
  }

  /** Reads and checks every page; returns how many are damaged. */
  int damaged() throws IOException {
    int damaged = 0;
    for (int i = 0; (long) i * DATA_BYTES < dataBytes; i++) {
      damaged += load(i) ? 0 : 1;
    }
    return damaged;
  }

  private boolean load(int pageNumber) throws IOException {
    long dataAt = (long) pageNumber * DATA_BYTES;
    int length = (int) Math.min(DATA_BYTES, dataBytes - dataAt);
    page.clear().limit(length + Integer.BYTES);
    source.read(page, offset + (long) pageNumber * PAGE_BYTES);
    page.flip();
    return page.getInt(length) == crc(pageNumber, page.array(), 0, length);
  }
}
