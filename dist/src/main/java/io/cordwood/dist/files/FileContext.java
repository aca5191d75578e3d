package io.cordwood.dist.files;

import io.cordwood.dist.records.RecordPrinter;
import io.cordwood.query.match.Records;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

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
  private final RecordPrinter printer;
  private final ArrayDeque<byte[]> held = new ArrayDeque<>();
  private long heldBytes;
  private String prefix = "";
  private int due;
  private boolean apart;
  private boolean any;

  FileContext(int before, int after, RecordPrinter printer) {
    this.before = before;
    this.after = after;
    this.printer = printer.ofContext();
  }

  /**
   * Another file is searched from now on.
   *
   * @param name before each record of context; empty for none
   */
  void begin(String name) {
    prefix = name;
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
      printer.separator();
    }
    for (byte[] record : held) {
      printer.print(prefix, record, 0, record.length);
    }
    held.clear();
    heldBytes = 0;
    apart = false;
    any = true;
    due = after;
  }

  /** Takes records that are not printed as matches, each ended by the delimiter. */
  void pass(byte[] bytes, int from, int to, byte delimiter) throws IOException {
    if (before + after == 0) {
      return;
    }
    int at = from;
    for (; at < to && due > 0; due--) {
      int end = Records.endOf(bytes, at, to, delimiter);
      printer.print(prefix, bytes, at, end);
      at = end + 1;
    }
    if (at < to) {
      hold(bytes, at, to, delimiter);
    }
  }

  private void hold(byte[] bytes, int from, int to, byte delimiter) {
    List<byte[]> last = new ArrayList<>();
    int end = to;
    while (end > from && last.size() < before) {
      int start = Records.startOf(bytes, from, end - 1, delimiter);
      last.add(Arrays.copyOfRange(bytes, start, end - 1));
      end = start;
    }
    apart |= end > from;
    if (end > from) {
      held.clear();
      heldBytes = 0;
    }
    for (byte[] record : last.reversed()) {
      held.add(record);
      heldBytes += record.length;
    }
    while (held.size() > before || heldBytes > MAX_HELD_BYTES) {
      heldBytes -= held.remove().length;
      apart = true;
    }
  }
}
