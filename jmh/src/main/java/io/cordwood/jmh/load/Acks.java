package io.cordwood.jmh.load;

import io.cordwood.common.wire.AnswerLine;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Reads {@code ack N} lines as they come in, in pieces of any size. */
final class Acks {
  private static final int LONGEST_LINE = 1000;

  private final StringBuilder line = new StringBuilder();
  private long records;

  /** Takes bytes from the connection; returns how many records are acknowledged by now. */
  long read(ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining()) {
      char c = (char) (bytes.get() & 0xff);
      if (c == '\n') {
        records = parse(line.toString());
        line.setLength(0);
      } else if (line.append(c).length() > LONGEST_LINE) {
        throw new IOException("expected lines of \"ack N\", found " + line);
      }
    }
    return records;
  }

  private long parse(String text) throws IOException {
    long found = AnswerLine.acknowledged(text);
    if (found < 0) {
      throw new IOException("expected \"ack N\", found \"" + text + "\"");
    }
    if (found < records) {
      throw new IOException(
          "expected more than %d acknowledged, found %d".formatted(records, found));
    }
    return found;
  }
}
