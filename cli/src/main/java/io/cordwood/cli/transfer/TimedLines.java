package io.cordwood.cli.transfer;

import io.cordwood.cli.files.FileRecords;
import io.cordwood.cli.files.LineBlocks;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.OptionalLong;
import java.util.function.Consumer;

/**
 * The lines of a file, each with its time: its own, or that of the line before it; before the first
 * time, that of the first. Blank lines are left out. One thread.
 */
final class TimedLines implements LineBlocks.Sink {
  /** Most bytes before the first time. */
  static final int MAX_HEAD_BYTES = 1 << 20;

  /** How far ahead a time may be, for clocks and zones that are wrong by less. */
  static final Duration MOST_AHEAD = Duration.ofDays(1);

  private static final byte LF = '\n';
  private static final int SHOWN_CHARS = 100;

  private final String name;
  private final TimePattern pattern;
  private final Sink sink;
  private final long latest;
  private final ByteArrayOutputStream head = new ByteArrayOutputStream();
  private String firstLine = "";
  private long now = -1;
  private long number;
  private long lines;
  private long withoutTime;
  private long from = Long.MAX_VALUE;
  private long to = -1;

  /** Takes a line. */
  @FunctionalInterface
  interface Sink {
    /**
     * Takes one without its end, valid during the call.
     *
     * @param millis its time, Unix milliseconds
     */
    void take(byte[] bytes, int from, int to, long millis) throws IOException;
  }

  /**
   * @param name of the file, for messages
   */
  TimedLines(String name, TimePattern pattern, Instant present, Sink sink) {
    this.name = name;
    this.pattern = pattern;
    this.sink = sink;
    this.latest = present.plus(MOST_AHEAD).toEpochMilli();
  }

  /**
   * Gives all lines of the file to the sink.
   *
   * @throws IOException also if no line has a time, or one has a time that cannot be right
   */
  void read(Consumer<String> complaints) throws IOException {
    new FileRecords(name, LF, complaints).read(this);
    if (head.size() > 0) {
      throw noTime();
    }
  }

  /** Number of lines given. */
  long lines() {
    return lines;
  }

  /** Number of those that had no time of their own. */
  long withoutTime() {
    return withoutTime;
  }

  /** The earliest time; only after a line was given. */
  Instant from() {
    return Instant.ofEpochMilli(from);
  }

  /** The latest one. */
  Instant to() {
    return Instant.ofEpochMilli(to);
  }

  @Override
  public boolean take(byte[] bytes, int from, int to, byte delimiter) throws IOException {
    for (int at = from; at < to; ) {
      int end = at;
      while (bytes[end] != delimiter) {
        end++;
      }
      number++;
      if (end > at + 1 || (end == at + 1 && bytes[at] != '\r')) {
        line(bytes, at, end);
      }
      at = end + 1;
    }
    return true;
  }

  private void line(byte[] bytes, int from, int to) throws IOException {
    int seen = Math.min(to - from, TimePattern.SEEN_BYTES);
    String beginning = new String(bytes, from, seen, StandardCharsets.ISO_8859_1);
    OptionalLong own = time(beginning);
    if (own.isEmpty() && now < 0) {
      hold(bytes, from, to, beginning);
      return;
    }
    if (own.isPresent()) {
      takeTime(own.getAsLong());
    }
    withoutTime += own.isPresent() ? 0 : 1;
    give(bytes, from, to);
  }

  private OptionalLong time(String beginning) throws IOException {
    try {
      return pattern.find(beginning);
    } catch (IllegalArgumentException e) {
      throw new IOException(
          "%s line %d: %s, in \"%s\"; a --time-pattern that has it in quotes, and --tz, say what it"
                  .formatted(name, number, e.getMessage(), shown(beginning))
              + " means",
          e);
    }
  }

  private static String shown(String beginning) {
    return beginning
        .substring(0, Math.min(SHOWN_CHARS, beginning.length()))
        .replaceAll("[^ -~]", "?");
  }

  private void hold(byte[] bytes, int from, int to, String beginning) throws IOException {
    if (head.size() == 0) {
      firstLine = beginning;
    }
    head.write(bytes, from, to - from);
    head.write(LF);
    withoutTime++;
    if (head.size() > MAX_HEAD_BYTES) {
      throw noTime();
    }
  }

  private void takeTime(long millis) throws IOException {
    if (millis < 0 || millis > latest) {
      throw new IOException(
          "%s line %d: expected a time from 1970 on and at most a day ahead, found %s; is the"
                  .formatted(name, number, Instant.ofEpochMilli(millis))
              + " pattern right, and the zone?");
    }
    boolean first = now < 0;
    now = millis;
    from = Math.min(from, millis);
    to = Math.max(to, millis);
    if (first) {
      byte[] held = head.toByteArray();
      head.reset();
      for (int at = 0; at < held.length; ) {
        int end = at;
        while (held[end] != LF) {
          end++;
        }
        give(held, at, end);
        at = end + 1;
      }
    }
  }

  private void give(byte[] bytes, int from, int to) throws IOException {
    lines++;
    sink.take(bytes, from, to, now);
  }

  private IOException noTime() {
    return new IOException(
        "%s: expected a time in the first %d bytes of a line, found none in %d lines, which begin"
                .formatted(name, TimePattern.MAX_BYTES, number)
            + " with \"%s\"; --time-pattern says how times are written"
                .formatted(shown(firstLine)));
  }
}
