package io.cordwood.forwarder;

import io.cordwood.common.wire.BatchScanner;
import io.cordwood.common.wire.IngestHeader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A file of a spool, in the format of an ingest segment: written to its end, read from its
 * beginning, also while it grows, and deleted when all of it is acknowledged. Its name is the first
 * ULID of its first batch, so that the order of names is that of records. Owned by the spool's
 * thread.
 */
final class SpoolFile {
  static final String ENDING = ".spooled";

  private static final String DAMAGED = ".damaged";
  private static final String DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
  private static final int NAME_LENGTH = 26;

  private final Path path;
  private final FileChannel channel;
  private final SpooledBatches batches;
  private long bytes;
  private boolean full;
  private long unreadRecords;
  private long damagedTailBytes;
  private int unacknowledged;

  private SpoolFile(Path path, FileChannel channel, long bytes) {
    this.path = path;
    this.channel = channel;
    this.batches = new SpooledBatches(channel);
    this.bytes = bytes;
  }

  /** Makes a file that has a name and a header, both forced. */
  static SpoolFile create(Path folder, OutgoingBatch first) throws IOException {
    Path path = folder.resolve(name(first.ulidHigh(), first.ulidLow()) + ENDING);
    FileChannel channel =
        FileChannel.open(
            path, StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE);
    try {
      write(channel, new IngestHeader(first.ulidHigh(), first.ulidLow()).encode(), 0);
      channel.force(true);
      forceFolder(folder);
      return new SpoolFile(path, channel, IngestHeader.BYTES);
    } catch (IOException e) {
      channel.close();
      Files.deleteIfExists(path);
      throw e;
    }
  }

  /** So that the file's name is there after a loss of power; not every system has it. */
  private static void forceFolder(Path folder) {
    try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
      channel.force(true);
    } catch (IOException e) {
      // Windows opens no folders; where it matters and fails, so will the file's own force.
    }
  }

  private static String name(long high, long low) {
    StringBuilder name = new StringBuilder(NAME_LENGTH);
    for (int digit = NAME_LENGTH - 1; digit >= 0; digit--) {
      int shift = digit * 5;
      long bits =
          shift >= Long.SIZE
              ? high >>> (shift - Long.SIZE)
              : shift == 0 ? low : low >>> shift | high << (Long.SIZE - shift);
      name.append(DIGITS.charAt((int) (bits & 31)));
    }
    return name.toString();
  }

  /**
   * Opens a file that an earlier forwarder left, and reads all of it to count its records. It ends
   * with its last whole batch.
   */
  static SpoolFile open(Path path) throws IOException {
    FileChannel channel = FileChannel.open(path, StandardOpenOption.READ);
    try {
      SpoolFile file = new SpoolFile(path, channel, channel.size());
      file.full = true;
      SpooledBatches all = new SpooledBatches(channel);
      long end = Math.min(file.bytes, IngestHeader.BYTES);
      for (var next = all.next(file.bytes); next != null; next = all.next(file.bytes)) {
        file.unreadRecords += next.header().records();
        end = all.position();
      }
      file.damagedTailBytes = file.bytes - end;
      file.bytes = end;
      return file;
    } catch (IOException e) {
      channel.close();
      throw e;
    }
  }

  /**
   * Adds whole batches and forces them. When it fails, none of them is added, and no more will be:
   * what a disk holds after a failed force is not known.
   */
  void append(List<OutgoingBatch> added) throws IOException {
    long end = bytes;
    try {
      for (OutgoingBatch batch : added) {
        ByteBuffer whole = batch.wire();
        end += whole.remaining();
        write(channel, whole, end - whole.remaining());
      }
      channel.force(false);
    } catch (IOException e) {
      full = true;
      cutBack(e);
      throw e;
    }
    bytes = end;
    unreadRecords += added.stream().mapToLong(OutgoingBatch::records).sum();
  }

  /** If this fails too, the next forwarder sends what is there, and it is found once. */
  private void cutBack(IOException because) {
    try {
      channel.truncate(bytes);
    } catch (IOException e) {
      because.addSuppressed(e);
    }
  }

  private static void write(FileChannel channel, ByteBuffer whole, long from) throws IOException {
    long position = from;
    while (whole.hasRemaining()) {
      position += channel.write(whole, position);
    }
  }

  /** The next batch that was not read yet; null when there is none now. */
  @Nullable OutgoingBatch next() throws IOException {
    BatchScanner.Intact found = batches.next(bytes);
    if (found == null) {
      return null;
    }
    OutgoingBatch batch = OutgoingBatch.spooled(found, this);
    unreadRecords -= batch.records();
    unacknowledged++;
    return batch;
  }

  /** Says that a batch which was read is acknowledged. */
  void acknowledged() {
    unacknowledged--;
  }

  /** No more is added. */
  void close() {
    full = true;
  }

  boolean isFull() {
    return full;
  }

  /** Whether every byte was read. */
  boolean isRead() {
    return batches.position() >= bytes;
  }

  /** Whether all that was read is acknowledged. */
  boolean isAcknowledged() {
    return unacknowledged == 0;
  }

  /** Records that were intact once and are not among what was read; given once. */
  long takeLostRecords() {
    long lost = isRead() ? unreadRecords : 0;
    unreadRecords -= lost;
    return lost;
  }

  /** Records that are still to be read. */
  long unreadRecords() {
    return unreadRecords;
  }

  /** Bytes that were passed over so far, since they are of no whole batch. */
  long damagedBytes() {
    return batches.damagedBytes();
  }

  /** Bytes after the last whole batch when it was opened. */
  long damagedTailBytes() {
    return damagedTailBytes;
  }

  long bytes() {
    return bytes;
  }

  Path path() {
    return path;
  }

  void delete() throws IOException {
    channel.close();
    Files.deleteIfExists(path);
  }

  /** Leaves it for somebody to look at; the spool does not count it any more. */
  void setAside() throws IOException {
    channel.close();
    Files.move(
        path,
        path.resolveSibling(path.getFileName() + DAMAGED),
        StandardCopyOption.REPLACE_EXISTING);
  }

  /** Leaves it for the next forwarder. */
  void leave() throws IOException {
    channel.close();
  }
}
