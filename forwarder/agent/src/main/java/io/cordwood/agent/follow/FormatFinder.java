package io.cordwood.agent.follow;

import io.cordwood.forwarder.Lines;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import org.jspecify.annotations.Nullable;

/** Finds the format of a file's lines by the first of them. */
final class FormatFinder {
  /** The start of a first line, which shows what it may be. */
  private static final int START_BYTES = 256;

  /** The longest first line: a piece of 16 KiB whose characters are all escaped, and more. */
  private static final int LONGEST_BYTES = 256 << 10;

  private FormatFinder() {}

  /**
   * The format of a file's lines; null if its first line is not there yet. Files of the same first
   * line have the same.
   *
   * @param asked the format that is asked for
   */
  static @Nullable LineFormat of(FileChannel file, LineFormat asked) throws IOException {
    if (asked == LineFormat.docker || asked == LineFormat.auto) {
      byte[] start = new byte[LocalEntry.START_BYTES];
      Content.read(file, ByteBuffer.wrap(start), 0);
      if (LocalEntry.begins(start, 0, start.length)) {
        return LineFormat.local;
      }
    }
    if (asked != LineFormat.auto) {
      boolean isShort = asked == LineFormat.docker && file.size() < LocalEntry.START_BYTES;
      return isShort ? null : asked;
    }
    LineFormat format = ofFirstLine(file, START_BYTES);
    return format == null && file.size() > START_BYTES ? ofFirstLine(file, LONGEST_BYTES) : format;
  }

  private static @Nullable LineFormat ofFirstLine(FileChannel file, int most) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate((int) Math.min(file.size(), most));
    Content.read(file, buffer, 0);
    byte[] bytes = buffer.array();
    int length = buffer.position();
    int lf = Lines.first((byte) '\n', bytes, 0, length);
    var line = new ContainerLine();
    if ((lf >= 0 || length == START_BYTES)
        && line.read(LineFormat.cri, bytes, 0, lf < 0 ? length : lf)
        && line.millis != ContainerTime.NONE) {
      return LineFormat.cri;
    }
    if (length > 0 && bytes[0] == '{' && lf < 0 && length < LONGEST_BYTES) {
      return null;
    }
    if (lf < 0 && length < START_BYTES) {
      return null;
    }
    boolean isDocker = lf >= 0 && line.read(LineFormat.docker, bytes, 0, lf);
    return isDocker ? LineFormat.docker : LineFormat.plain;
  }
}
