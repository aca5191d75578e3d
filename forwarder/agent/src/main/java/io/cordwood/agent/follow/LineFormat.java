package io.cordwood.agent.follow;

import io.cordwood.forwarder.Lines;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import org.jspecify.annotations.Nullable;

/** The form around the text in each line of a file. */
public enum LineFormat {
  /** The first line shows it. */
  auto,
  /** The form that kubelets have runtimes write: {@code time stream tag text}. */
  cri,
  /** The form of Docker's driver {@code json-file}: an object with text, stream and time. */
  docker,
  /** Entries of Docker's driver {@code local}, which are no lines. */
  local,
  /** Nothing. */
  plain;

  /** The start of a first line, which shows what it may be. */
  private static final int START_BYTES = 256;

  /** The longest first line: a piece of 16 KiB whose characters are all escaped, and more. */
  private static final int LONGEST_BYTES = 256 << 10;

  /**
   * The format of a file's lines; null if its first line is not there yet. Files of the same first
   * line have the same.
   */
  @Nullable LineFormat of(FileChannel file) throws IOException {
    if (this == docker || this == auto) {
      byte[] start = new byte[LocalEntry.START_BYTES];
      Content.read(file, ByteBuffer.wrap(start), 0);
      if (LocalEntry.begins(start, 0, start.length)) {
        return local;
      }
    }
    if (this != auto) {
      return this == docker && file.size() < LocalEntry.START_BYTES ? null : this;
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
        && line.read(cri, bytes, 0, lf < 0 ? length : lf)
        && line.millis != ContainerTime.NONE) {
      return cri;
    }
    if (length > 0 && bytes[0] == '{' && lf < 0 && length < LONGEST_BYTES) {
      return null;
    }
    if (lf < 0 && length < START_BYTES) {
      return null;
    }
    return lf >= 0 && line.read(docker, bytes, 0, lf) ? docker : plain;
  }

  boolean isOfContainers() {
    return this == cri || this == docker || this == local;
  }
}
