package io.cordwood.cli.files;

import io.cordwood.common.http.BlockInput;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import java.util.zip.ZipException;

/**
 * The content of all members of a gzip file, one after the other; zeros may follow, as on a tape.
 * The JDK's stream takes for the end what it cannot read at once, and damage after a member. One
 * thread.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc1952">RFC 1952</a>
 */
final class GzipInput extends BlockInput {
  private static final int BUFFER_BYTES = 64 << 10;
  private static final int DEFLATED = 8;
  private static final int HEADER_CHECKSUM = 2;
  private static final int EXTRA = 4;
  private static final int NAME = 8;
  private static final int COMMENT = 16;
  private static final int UNKNOWN_FLAGS = 0xE0;

  /** Modification time, extra flags and system. */
  private static final int NOT_NEEDED_BYTES = 6;

  private final InputStream in;
  private final Inflater inflater = new Inflater(true);
  private final CRC32 checksum = new CRC32();
  private final byte[] packed = new byte[BUFFER_BYTES];
  private int at;
  private int filled;
  private boolean inMember;

  GzipInput(InputStream in) {
    this.in = in;
  }

  @Override
  public int read(byte[] target, int offset, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    while (inMember || beginMember()) {
      int count = inflate(target, offset, length);
      if (count > 0) {
        checksum.update(target, offset, count);
        return count;
      }
      if (inflater.finished()) {
        endMember();
      } else if (inflater.needsDictionary()) {
        throw new ZipException("a preset dictionary");
      } else {
        fill();
        inflater.setInput(packed, 0, filled);
      }
    }
    return -1;
  }

  private int inflate(byte[] target, int offset, int length) throws IOException {
    try {
      return inflater.inflate(target, offset, length);
    } catch (DataFormatException e) {
      throw new ZipException(e.getMessage());
    }
  }

  private void fill() throws IOException {
    if (!hasMore()) {
      throw new EOFException();
    }
  }

  private boolean hasMore() throws IOException {
    at = 0;
    filled = Math.max(0, in.read(packed));
    return filled > 0;
  }

  private int next() throws IOException {
    if (at == filled) {
      fill();
    }
    return packed[at++] & 0xFF;
  }

  private int nextShort() throws IOException {
    return next() | next() << Byte.SIZE;
  }

  /** Whether there is one more. */
  private boolean beginMember() throws IOException {
    int first = 0;
    while (first == 0) {
      if (at == filled && !hasMore()) {
        return false;
      }
      first = next();
    }
    if (first != 0x1F || next() != 0x8B || next() != DEFLATED) {
      throw new ZipException("bytes that begin no member");
    }
    skipHeader(next());
    inflater.reset();
    inflater.setInput(packed, at, filled - at);
    checksum.reset();
    inMember = true;
    return true;
  }

  private void skipHeader(int flags) throws IOException {
    if ((flags & UNKNOWN_FLAGS) != 0) {
      throw new ZipException("unknown flags of a member");
    }
    skip(NOT_NEEDED_BYTES);
    if ((flags & EXTRA) != 0) {
      skip(nextShort());
    }
    if ((flags & NAME) != 0) {
      skipText();
    }
    if ((flags & COMMENT) != 0) {
      skipText();
    }
    skip((flags & HEADER_CHECKSUM) != 0 ? Short.BYTES : 0);
  }

  private void skip(int bytes) throws IOException {
    for (int i = 0; i < bytes; i++) {
      next();
    }
  }

  private void skipText() throws IOException {
    while (next() != 0) {}
  }

  private void endMember() throws IOException {
    at = filled - inflater.getRemaining();
    long expected = nextInt();
    long length = nextInt();
    if (expected != checksum.getValue()) {
      throw new ZipException("another checksum");
    }
    if (length != (inflater.getBytesWritten() & 0xFFFF_FFFFL)) {
      throw new ZipException("another length");
    }
    inMember = false;
  }

  private long nextInt() throws IOException {
    return nextShort() | (long) nextShort() << Short.SIZE;
  }

  @Override
  public void close() throws IOException {
    inflater.end();
    in.close();
  }
}
