package io.cordwood.cli.testsvc;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Log lines as services write them, made up once from a seed and given out in turn with the time of
 * day put in. One thread.
 */
final class TestLines {
  /** The shortest line that holds its time and some text. */
  static final int MIN_BYTES = 64;

  static final int MAX_BYTES = 1 << 20;

  /** Lines made up; fewer if they are long, so that they take at most 16 MiB. */
  private static final int SET_LINES = 4096;

  private static final int SET_BYTES = 16 << 20;

  private static final int TIME_BYTES = 24;

  private final byte[][] lines;
  private final int[] timeAt;
  private final InstantSource clock;
  private byte[] time = new byte[0];
  private long timeMillis = -1;
  private int next;

  /**
   * @param lineBytes of each line with its line feed, or 0 for as they come
   */
  TestLines(long seed, int lineBytes, InstantSource clock) {
    this.clock = clock;
    int count = lineBytes == 0 ? SET_LINES : Math.clamp(SET_BYTES / lineBytes, 16, SET_LINES);
    this.lines = new byte[count][];
    this.timeAt = new int[count];
    TestPhrases phrases = new TestPhrases(new SplittableRandom(seed));
    for (int i = 0; i < count; i++) {
      String line = phrases.line();
      timeAt[i] = line.indexOf(TestPhrases.TIME);
      lines[i] = sized(line.replace(TestPhrases.TIME, " ".repeat(TIME_BYTES)), lineBytes);
    }
  }

  private static byte[] sized(String line, int lineBytes) {
    byte[] bytes = (line + "\n").getBytes(StandardCharsets.UTF_8);
    if (lineBytes == 0) {
      return bytes;
    }
    byte[] sized = Arrays.copyOf(bytes, lineBytes);
    for (int i = bytes.length - 1; i < lineBytes; i++) {
      sized[i] = (byte) ('a' + i % 26);
    }
    sized[lineBytes - 1] = '\n';
    return sized;
  }

  /** Writes the next line, its line feed too. */
  void writeNext(OutputStream out) throws IOException {
    byte[] line = lines[next];
    System.arraycopy(now(), 0, line, timeAt[next], TIME_BYTES);
    out.write(line);
    next = (next + 1) % lines.length;
  }

  private byte[] now() {
    long millis = clock.millis();
    if (millis != timeMillis) {
      timeMillis = millis;
      String text = Instant.ofEpochMilli(millis).plusNanos(1).toString();
      time = (text.substring(0, TIME_BYTES - 1) + "Z").getBytes(StandardCharsets.US_ASCII);
    }
    return time;
  }
}
