package io.cordwood.query.scan;

import io.cordwood.common.segment.ByteSource;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A file of slots of one size without a name: it is gone when it is closed, however the process
 * ends. Nothing is forced. Bytes of a slot that were never written take no disk. Safe for many
 * threads.
 */
final class HotFile implements ByteSource, Closeable {
  /** Most blocks have 320 KiB, few more than 448; what is larger than a slot is not kept. */
  static final int SLOT_BYTES = 512 << 10;

  private final FileChannel channel;
  private final int slots;

  private HotFile(FileChannel channel, int slots) {
    this.channel = channel;
    this.slots = slots;
  }

  /**
   * @param path where the file stands for the moment of its creation
   * @param maxBytes of disk that it may take
   */
  static HotFile create(Path path, long maxBytes) throws IOException {
    return new HotFile(
        FileChannel.open(
            path,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE,
            StandardOpenOption.DELETE_ON_CLOSE),
        (int) Math.min(maxBytes / SLOT_BYTES, Integer.MAX_VALUE));
  }

  int slots() {
    return slots;
  }

  /** Where a slot begins. */
  long at(int slot) {
    return (long) slot * SLOT_BYTES;
  }

  void write(ByteBuffer bytes, long position) throws IOException {
    for (long at = position; bytes.hasRemaining(); ) {
      at += channel.write(bytes, at);
    }
  }

  @Override
  public long size() throws IOException {
    return channel.size();
  }

  @Override
  public void read(ByteBuffer target, long position) throws IOException {
    for (long at = position; target.hasRemaining(); ) {
      int read = channel.read(target, at);
      if (read < 0) {
        throw new EOFException("expected a body at byte " + position + ", found the file's end");
      }
      at += read;
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
