package io.cordwood.cli.records;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/** The lines of a node's answer, as they come. One thread. */
public final class AnswerLines {
  private final BufferedInputStream in;
  private final ByteArrayOutputStream line = new ByteArrayOutputStream();

  public AnswerLines(InputStream answer) {
    this.in = new BufferedInputStream(answer);
  }

  /** The next line without its LF; null at the end, where a line without LF is lost. */
  public byte @Nullable [] next() throws IOException {
    line.reset();
    for (int next = in.read(); next >= 0; next = in.read()) {
      if (next == '\n') {
        return line.toByteArray();
      }
      line.write(next);
    }
    return null;
  }

  /** Whether nothing more has come yet: what was printed is to be seen now. */
  public boolean areDrained() throws IOException {
    return in.available() == 0;
  }
}
