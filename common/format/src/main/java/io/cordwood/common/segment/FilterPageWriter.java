package io.cordwood.common.segment;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Packs bits into longs and longs into the pages {@link FilterPages} reads. One thread; 64 KiB. */
final class FilterPageWriter {
  private static final int PAGES = 64;

  private final FilterSink sink;
  private final ByteBuffer pages =
      ByteBuffer.allocate(PAGES * FilterPages.PAGE_BYTES).order(ByteOrder.LITTLE_ENDIAN);
  private long packed;
  private int packedBits;
  private int pageNumber;
  private int pageAt;

  FilterPageWriter(FilterSink sink) {
    this.sink = sink;
  }

  /** Appends the low bits of a value, at least 1 and at most 64; the others must be zero. */
  void put(long value, int bits) throws IOException {
    packed |= value << packedBits;
    packedBits += bits;
    if (packedBits >= Long.SIZE) {
      put(packed);
      packedBits -= Long.SIZE;
      packed = packedBits == 0 ? 0 : value >>> (bits - packedBits);
    }
  }

  /** Ends the last page; what was put must be whole longs. Nothing can be put after. */
  void finish() throws IOException {
    if (pages.position() > pageAt) {
      endPage();
    }
    flush();
  }

  private void put(long value) throws IOException {
    pages.putLong(value);
    if (pages.position() - pageAt == FilterPages.DATA_BYTES) {
      endPage();
    }
  }

  private void endPage() throws IOException {
    int length = pages.position() - pageAt;
    pages.putInt(FilterPages.crc(pageNumber++, pages.array(), pageAt, length));
    pageAt = pages.position();
    if (!pages.hasRemaining()) {
      flush();
    }
  }

  private void flush() throws IOException {
    sink.write(pages.flip());
    pages.clear();
    pageAt = 0;
  }
}
