package io.cordwood.cli.files;

import io.cordwood.query.match.Records;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Prints what surrounds the matches of files, with a line of {@code --} between groups that do not
 * meet. Holds the last records that were not printed: as many as may come to be context, and {@link
 * #MAX_HELD_BYTES} at most, beyond which the first of them are left out. One thread.
 */
final class FileContext {
  /** Two lines of the greatest length, and then some. */
  static final int MAX_HELD_BYTES = 8 << 20;

  private final int before;
  private final int after;
  private final boolean numbered;
  private final ArrayDeque<Held> held = new ArrayDeque<>();
  private long heldBytes;
  private @Nullable FileOutput output;
  private int due;
  private boolean apart;
  private boolean any;

  /** A record that may come to be context. */
  private record Held(long number, byte[] bytes) {}

  /**
   * @param numbered whether numbers of records are wanted; counting them takes time
   */
  FileContext(int before, int after, boolean numbered) {
    this.before = before;
    this.after = after;
    this.numbered = numbered;
  }

  /** Another file is searched from now on. */
  void begin(FileOutput next) {
    output = next;
    held.clear();
    heldBytes = 0;
    due = 0;
    apart = true;
  }

  /** Whether something that follows is context. */
  boolean wantsMore() {
    return due > 0;
  }

  /** To be called before a match is printed. */
  void match() throws IOException {
    if (before + after == 0) {
      return;
    }
    if (any && apart) {
      output().separator();
    }
    for (Held each : held) {
      output().context(each.number, each.bytes, 0, each.bytes.length);
    }
    held.clear();
    heldBytes = 0;
    apart = false;
    any = true;
    due = after;
  }

  private FileOutput output() {
    return Objects.requireNonNull(output);
  }

  /**
   * Takes records that are not printed as matches, each ended by the delimiter.
   *
   * @param number of the first
   */
  void pass(byte[] bytes, int from, int to, byte delimiter, long number) throws IOException {
    if (before + after == 0) {
      return;
    }
    int at = from;
    long next = number;
    for (; at < to && due > 0; due--) {
      int end = Records.endOf(bytes, at, to, delimiter);
      output().context(next++, bytes, at, end);
      at = end + 1;
    }
    if (at < to) {
      hold(bytes, at, to, delimiter, numbered ? next + count(bytes, at, to, delimiter) : 0);
    }
  }

  /** How many records there are. */
  static int count(byte[] bytes, int from, int to, byte delimiter) {
    int count = 0;
    for (int at = from; at < to; at++) {
      count += bytes[at] == delimiter ? 1 : 0;
    }
    return count;
  }

  /**
   * Holds the last of some records.
   *
   * @param next the number of the one after them
   */
  private void hold(byte[] bytes, int from, int to, byte delimiter, long next) {
    List<Held> last = new ArrayList<>();
    int end = to;
    while (end > from && last.size() < before) {
      int start = Records.startOf(bytes, from, end - 1, delimiter);
      long number = next - 1 - last.size();
      last.add(new Held(number, Arrays.copyOfRange(bytes, start, end - 1)));
      end = start;
    }
    apart |= end > from;
    if (end > from) {
      held.clear();
      heldBytes = 0;
    }
    for (Held each : last.reversed()) {
      held.add(each);
      heldBytes += each.bytes.length;
    }
    while (held.size() > before || heldBytes > MAX_HELD_BYTES) {
      heldBytes -= held.remove().bytes.length;
      apart = true;
    }
  }
}
