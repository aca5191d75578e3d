package io.cordwood.jmh;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Random;

/** Log lines to measure with: the same for the same size, so that runs can be compared. */
final class Lines {
  private static final String[] SERVICES = {"sshd", "kernel", "nova-api", "dfs.DataNode", "cron"};
  private static final int LONGEST_LINE = 200;

  private Lines() {}

  /**
   * Whole lines of some 110 bytes, each ended by LF; about 1 in 50 holds {@code ERROR}.
   *
   * @param about how many bytes; at most a line less
   */
  static byte[] ofBytes(int about) {
    var random = new Random(1);
    var text = new StringBuilder(about + LONGEST_LINE);
    while (text.length() < about - LONGEST_LINE) {
      line(random, text);
    }
    return text.toString().getBytes(StandardCharsets.ISO_8859_1);
  }

  /** Whole lines in memory outside the heap, from which the system writes without a copy. */
  static ByteBuffer directOfBytes(int about) {
    byte[] lines = ofBytes(about);
    return ByteBuffer.allocateDirect(lines.length).put(lines).flip();
  }

  private static void line(Random random, StringBuilder text) {
    text.append("Nov 21 12:").append(10 + random.nextInt(50)).append(":04 host-");
    text.append(random.nextInt(40)).append(' ');
    text.append(SERVICES[random.nextInt(SERVICES.length)]).append('[');
    text.append(random.nextInt(40_000)).append("]: ");
    text.append(random.nextInt(50) == 0 ? "ERROR" : "INFO").append(" request ");
    text.append(Long.toHexString(random.nextLong())).append(" for user ");
    text.append(Integer.toString(random.nextInt(100_000), 36)).append(" from 10.250.");
    text.append(random.nextInt(256)).append(" took ").append(random.nextInt(900)).append(" ms\n");
  }
}
