package io.cordwood.query.scan;

import io.cordwood.common.segment.ByteSource;
import java.io.Closeable;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A file of slots of one size without a name: it is gone when it is closed, however the process
 * ends. Nothing is forced. Bytes of a slot that were never written take no disk. It is read through
 * a mapping, since what is read is copied once so, and written by position. Safe for many threads.
 */
final class HotFile implements ByteSource, Closeable {
  /** Most blocks have 320 KiB, few more than 448; what is larger than a slot is not kept. */
  static final int SLOT_BYTES = 512 << 10;

  private final FileChannel channel;
  private final Arena arena = Arena.ofShared();
  private final MemorySegment bodies;

  private HotFile(FileChannel channel, long bytes) throws IOException {
    this.channel = channel;
    this.bodies = channel.map(FileChannel.MapMode.READ_WRITE, 0, bytes, arena);
  }

  /**
   * @param path where the file stands for the moment of its creation
   * @param maxBytes of disk that it may take
   */
  static HotFile create(Path path, long maxBytes) throws IOException {
    FileChannel channel =
        FileChannel.open(
            path,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE,
            StandardOpenOption.DELETE_ON_CLOSE);
    try {
      return new HotFile(channel, maxBytes / SLOT_BYTES * SLOT_BYTES);
    } catch (IOException e) {
      channel.close();
      throw e;
    }
  }

  int slots() {
    return Math.toIntExact(bodies.byteSize() / SLOT_BYTES);
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

  /**
   * {@inheritDoc}
   *
   * <p>If the disk cannot give a page, the JVM throws {@link InternalError}, from here or, when
   * this is compiled, from one of the caller's next steps.
   */
  @Override
  public void read(ByteBuffer target, long position) {
    target.put(bodies.asSlice(position, target.remaining()).asByteBuffer());
  }

  @Override
  public void close() throws IOException {
    arena.close();
    channel.close();
  }
}
