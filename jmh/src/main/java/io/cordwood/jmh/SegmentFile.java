package io.cordwood.jmh;

import io.cordwood.common.file.Filesystem;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A file that is written from its start to a fixed size, again and again, as a node writes one
 * segment after the other. A plain {@link FileChannel}: the tiers' files can only be appended to.
 *
 * <p>What is written last before the end of a file is forced before the next file is begun. For one
 * thread at a time.
 */
final class SegmentFile implements AutoCloseable {
  /** As much as a node's segments hold by default. */
  static final int SEGMENT_BYTES = 16 << 20;

  private static final int FILL_BYTES = 256 << 10;

  private final Path folder;
  private final Path file;
  private final FileKind kind;
  private final int bytes;
  private FileChannel channel;

  /**
   * @param bytes of the file, from which on another is begun
   */
  SegmentFile(Path folder, String name, FileKind kind, int bytes) throws IOException {
    this.folder = folder;
    this.file = folder.resolve(name);
    this.kind = kind;
    this.bytes = bytes;
    this.channel = create();
  }

  private FileChannel create() throws IOException {
    FileChannel created =
        FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    if (kind != FileKind.EXTENDED) {
      fill(created);
      created.force(true);
    }
    Filesystem.real().forceFolder(folder);
    return created.position(0);
  }

  private void fill(FileChannel created) throws IOException {
    var zeros = ByteBuffer.allocateDirect(FILL_BYTES);
    for (int left = bytes; left > 0; left -= zeros.limit()) {
      zeros.clear().limit(Math.min(left, FILL_BYTES));
      writeFully(created, zeros);
    }
  }

  /** Writes all, in one gathering write if the system takes it so; not durable yet. */
  void write(ByteBuffer... buffers) throws IOException {
    long total = 0;
    for (ByteBuffer buffer : buffers) {
      total += buffer.remaining();
    }
    if (channel.position() > 0 && channel.position() + total > bytes) {
      next();
    }
    writeFully(channel, buffers);
  }

  private void next() throws IOException {
    channel.force(false);
    if (kind == FileKind.RECYCLED) {
      channel.position(0);
      return;
    }
    close();
    channel = create();
  }

  private static void writeFully(FileChannel file, ByteBuffer... buffers) throws IOException {
    while (buffers[buffers.length - 1].hasRemaining()) {
      file.write(buffers);
    }
  }

  /** Makes durable what was written so far. */
  void force() throws IOException {
    channel.force(false);
  }

  /** Closes and deletes the file. */
  @Override
  public void close() throws IOException {
    channel.close();
    Filesystem.real().delete(file);
  }
}
