package io.cordwood.cli.client;

import io.cordwood.cli.records.AnswerLines;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;

/** Reads server-sent events as nodes write them: each field on one line. One thread. */
final class EventReader {
  private static final byte[] ID = "id: ".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] DATA = "data: ".getBytes(StandardCharsets.US_ASCII);

  private final AnswerLines lines;

  EventReader(InputStream answer) {
    this.lines = new AnswerLines(answer);
  }

  /**
   * One event.
   *
   * @param id empty if it has none
   */
  record Event(String id, byte[] data) {}

  /** The next one that has data; empty at the end, of which a part of an event may be lost. */
  Optional<Event> next() throws IOException {
    String id = "";
    byte[] data = {};
    for (byte[] line = lines.next(); line != null; line = lines.next()) {
      if (begins(line, ID)) {
        id = new String(line, ID.length, line.length - ID.length, StandardCharsets.US_ASCII);
      } else if (begins(line, DATA)) {
        data = Arrays.copyOfRange(line, DATA.length, line.length);
      } else if (line.length == 0 && data.length > 0) {
        return Optional.of(new Event(id, data));
      }
    }
    return Optional.empty();
  }

  /** Whether the next one has not come yet. */
  boolean isDrained() throws IOException {
    return lines.areDrained();
  }

  private static boolean begins(byte[] line, byte[] field) {
    return line.length >= field.length
        && Arrays.equals(line, 0, field.length, field, 0, field.length);
  }
}
