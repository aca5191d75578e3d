package io.cordwood.forwarder;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/** Tells whether bytes are a batch as {@link Batch} draws it. */
final class BatchCheck {
  private static final int MAX_TOPIC_BYTES = 128;
  private static final int MAX_PAYLOAD_BYTES = 2 << 20;

  private BatchCheck() {}

  /**
   * The length of the whole batch, by its header; negative when that is none.
   *
   * @param header its {@link Batch#HEADER_BYTES} bytes, or more
   */
  static long length(byte[] header) {
    ByteBuffer view = ByteBuffer.wrap(header);
    int topic = view.getShort(6);
    int records = view.getInt(8);
    int payload = view.getInt(12);
    boolean isBatch =
        view.getInt(0) == Batch.MAGIC
            && header[4] == Batch.VERSION
            && (header[5] & ~1) == 0
            && topic >= 1
            && topic <= MAX_TOPIC_BYTES
            && payload >= 1
            && payload <= MAX_PAYLOAD_BYTES
            && records >= 1
            && records <= payload;
    return isBatch ? (long) Batch.HEADER_BYTES + topic + payload : -1;
  }

  /** Whether a batch of the right length has the bytes that it was made with. */
  static boolean isIntact(byte[] batch) {
    ByteBuffer view = ByteBuffer.wrap(batch);
    byte end = batch[5] == 0 ? Delimiter.LF.value : Delimiter.NUL.value;
    return view.getInt(Batch.CRC_AT) == checksum(batch, batch.length)
        && batch[batch.length - 1] == end
        && count(end, batch, Batch.HEADER_BYTES + view.getShort(6)) == view.getInt(8);
  }

  private static int count(byte value, byte[] bytes, int from) {
    int count = 0;
    for (int at = from; at < bytes.length; at++) {
      count += bytes[at] == value ? 1 : 0;
    }
    return count;
  }

  static int checksum(byte[] batch, int end) {
    CRC32C crc = new CRC32C();
    crc.update(batch, Batch.CRC_FROM, Batch.CRC_AT - Batch.CRC_FROM);
    crc.update(batch, Batch.HEADER_BYTES, end - Batch.HEADER_BYTES);
    return (int) crc.getValue();
  }
}
