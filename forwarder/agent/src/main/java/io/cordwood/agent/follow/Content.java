package io.cordwood.agent.follow;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.zip.CRC32C;

/** Checksums of parts of a file, by which its content is known again. */
final class Content {
  /** How much of a file's beginning tells it from others. */
  static final int HEAD_BYTES = 1024;

  /** How much of what was read last is looked at before reading goes on. */
  static final int TAIL_BYTES = 256;

  private Content() {}

  /**
   * The beginning of a file, as far as it was there when it was looked at.
   *
   * @param bytes 0..{@link #HEAD_BYTES}
   */
  record Head(int bytes, int crc) {
    static final Head NONE = new Head(0, 0);

    static Head of(FileChannel file, long size) throws IOException {
      int bytes = (int) Math.min(size, HEAD_BYTES);
      return new Head(bytes, checksum(file, 0, bytes));
    }

    boolean isOf(FileChannel file) throws IOException {
      return bytes == 0 || (file.size() >= bytes && checksum(file, 0, bytes) == crc);
    }

    /** Whether it is long enough that no two files have it by chance. */
    boolean isWhole() {
      return bytes == HEAD_BYTES;
    }
  }

  /** The checksum of the {@link #TAIL_BYTES} before a position, or of all that is there. */
  static int tail(FileChannel file, long position) throws IOException {
    int bytes = Math.clamp(position, 0, TAIL_BYTES);
    return checksum(file, position - bytes, bytes);
  }

  /** Whether a file begins as another one did, and has the same right before a position. */
  static boolean isSame(FileChannel file, Head head, long position, int tail) throws IOException {
    return file.size() >= position && head.isOf(file) && tail(file, position) == tail;
  }

  private static int checksum(FileChannel file, long from, int length) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate(length);
    read(file, buffer, from);
    return checksum(buffer.array(), 0, buffer.position());
  }

  static int checksum(byte[] bytes, int from, int to) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, from, to - from);
    return (int) crc.getValue();
  }

  /** Reads until the buffer is full or the file ends. */
  static void read(FileChannel file, ByteBuffer buffer, long from) throws IOException {
    long at = from;
    int count = 0;
    while (buffer.hasRemaining() && count >= 0) {
      at += count;
      count = file.read(buffer, at);
    }
  }
}
