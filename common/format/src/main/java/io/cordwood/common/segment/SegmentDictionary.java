package io.cordwood.common.segment;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdException;
import io.cordwood.common.file.ByteSource;
import io.cordwood.common.file.ClockEviction;
import io.cordwood.common.wire.CorruptException;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The dictionary of a settled segment: bytes of its own blocks, which each block is compressed
 * against, and without which none can be read. So it stands in the file twice, before the blocks
 * and after them. Numbers are big endian.
 *
 * <pre>
 *   0   4  magic     FD 43 57 44
 *   4   4  version   1
 *   8   4  raw       bytes of the dictionary, 1 to 1 MiB
 *  12   4  stored    length S of its compressed form
 *  16   4  body sum  CRC-32C of the compressed form
 *  20   4  head sum  CRC-32C of bytes 0 to 19
 *  24   S  body      zstd
 * </pre>
 *
 * <p>Read when a block needs it, from the second place if the first one is damaged, and kept in
 * memory as long as there is room. For all threads.
 */
final class SegmentDictionary implements ClockEviction.Kept {
  static final int MAGIC = 0xFD435744;
  static final int HEAD_BYTES = 24;
  static final int MAX_RAW_BYTES = 1 << 20;
  static final int MAX_STORED_BYTES = MAX_RAW_BYTES + (16 << 10);

  private static final int VERSION = 1;
  private static final int HEAD_SUM_AT = 20;
  private static final int COMPRESSION_LEVEL = 9;

  private final ByteSource source;
  private final long first;
  private final long second;
  private final KeptIndexes kept;
  private volatile byte @Nullable [] bytes;
  private volatile boolean used;

  /**
   * The dictionary of an open segment.
   *
   * @param first and {@code second} are where it stands
   */
  SegmentDictionary(ByteSource source, long first, long second, KeptIndexes kept) {
    this.source = source;
    this.first = first;
    this.second = second;
    this.kept = kept;
  }

  /** A dictionary that was found in a damaged segment. */
  static SegmentDictionary of(byte[] bytes) {
    var found =
        new SegmentDictionary(ByteSource.of(ByteBuffer.allocate(0)), 0, 0, KeptIndexes.all());
    found.bytes = bytes;
    return found;
  }

  /** The bytes, not to be changed: the same array as long as they are kept in memory. */
  byte[] bytes() throws IOException {
    byte[] known = bytes;
    if (known != null) {
      used = true;
      return known;
    }
    byte[] read = readEither();
    bytes = read;
    used = true;
    kept.keepDictionary(this, read.length);
    return read;
  }

  private byte[] readEither() throws IOException {
    try {
      return read(source, first);
    } catch (IOException e) {
      try {
        return read(source, second);
      } catch (IOException alsoDamaged) {
        e.addSuppressed(alsoDamaged);
        throw e;
      }
    }
  }

  /** Forgets the bytes, since the segment is closed. */
  void close() {
    kept.forgetDictionary(this);
  }

  @Override
  public boolean wasUsed() {
    boolean was = used;
    used = false;
    return was;
  }

  @Override
  public boolean letGo() {
    bytes = null;
    return true;
  }

  /** A dictionary as it stands in a file. */
  static ByteBuffer encode(byte[] dictionary) {
    byte[] body = Zstd.compress(dictionary, COMPRESSION_LEVEL);
    var encoded = ByteBuffer.allocate(HEAD_BYTES + body.length);
    encoded.putInt(MAGIC).putInt(VERSION).putInt(dictionary.length).putInt(body.length);
    encoded.put(HEAD_BYTES, body).putInt(Checksums.of(encoded, HEAD_BYTES, body.length));
    return encoded.putInt(HEAD_SUM_AT, Checksums.of(encoded, 0, HEAD_SUM_AT)).clear();
  }

  /** Bytes that a dictionary takes in a file; it is not read further than that. */
  static int fileBytes(ByteSource source, long at) throws IOException {
    return HEAD_BYTES + head(source, at).getInt(12);
  }

  private static ByteBuffer head(ByteSource source, long at) throws IOException {
    if (source.size() - at < HEAD_BYTES) {
      throw new CorruptException(at, "expected a dictionary, found the end of the file");
    }
    var head = ByteBuffer.allocate(HEAD_BYTES);
    source.read(head, at);
    head.clear();
    if (head.getInt(0) != MAGIC || head.getInt(4) != VERSION) {
      throw new CorruptException(
          at,
          "expected a dictionary FD435744 00000001, found %08X %08X"
              .formatted(head.getInt(0), head.getInt(4)));
    }
    Checksums.check(head, 0, HEAD_SUM_AT, head.getInt(HEAD_SUM_AT), at, "a dictionary's head");
    int raw = head.getInt(8);
    int stored = head.getInt(12);
    if (raw < 1 || raw > MAX_RAW_BYTES || stored < 1 || stored > MAX_STORED_BYTES) {
      throw new CorruptException(
          at, "expected a dictionary of 1 to %d bytes, found %d".formatted(MAX_RAW_BYTES, raw));
    }
    return head;
  }

  /**
   * Reads and checks the dictionary that stands at an offset.
   *
   * @throws CorruptException if it is damaged, or there is none
   */
  static byte[] read(ByteSource source, long at) throws IOException {
    ByteBuffer head = head(source, at);
    int stored = head.getInt(12);
    if (source.size() - at - HEAD_BYTES < stored) {
      throw new CorruptException(at, "expected a dictionary of %d bytes here".formatted(stored));
    }
    var body = ByteBuffer.allocate(stored);
    source.read(body, at + HEAD_BYTES);
    Checksums.check(body, 0, stored, head.getInt(16), at, "a dictionary's body");
    byte[] raw = new byte[head.getInt(8)];
    try {
      if (Zstd.decompress(raw, body.array()) == raw.length) {
        return raw;
      }
    } catch (ZstdException e) {
      throw new CorruptException(at, "expected a dictionary in zstd, found " + e.getMessage());
    }
    throw new CorruptException(at, "expected a dictionary of %d bytes".formatted(raw.length));
  }
}
