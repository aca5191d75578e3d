package io.cordwood.agent.follow;

import io.cordwood.forwarder.Lines;
import io.cordwood.forwarder.PreparedBatch;
import java.nio.charset.StandardCharsets;

/**
 * Cuts bytes of a file into records, in place. What it makes of the bytes up to where it ended
 * depends on them alone, so that they give the same records when they are cut again.
 *
 * <p>Lines that are joined travel ended by NUL. Where bytes hold NULs themselves, which no log has
 * that is text, their lines stay apart.
 */
final class RecordCutter {
  private static final byte LF = '\n';
  private static final byte NUL = 0;

  /** Patterns see no more of a line. */
  static final int MOST_SEEN_BYTES = 512;

  private final Multiline multiline;

  RecordCutter(Multiline multiline) {
    this.multiline = multiline;
  }

  /**
   * How many bytes, from the first one, are whole records; nought when there is none yet.
   *
   * @param to must leave room for a byte after it
   */
  int wholeRecords(byte[] bytes, int from, int to) {
    int lastLf = Lines.last(bytes, from, to);
    if (multiline.isNone() || lastLf < 0) {
      return lastLf < 0 ? 0 : lastLf + 1 - from;
    }
    return new Walk(bytes, from, lastLf + 1, false).run();
  }

  /**
   * Makes records of whole bytes: of all of them, whatever would follow. A last line without an end
   * gets one.
   *
   * @param length of the bytes, after which there is room for one more
   * @return how many blank lines were left out
   */
  int take(PreparedBatch batch, int from, int length) {
    byte[] bytes = batch.bytes();
    int end = from + length;
    if (bytes[end - 1] != LF) {
      bytes[end++] = LF;
    }
    if (multiline.isNone() || Lines.first(NUL, bytes, from, end) >= 0) {
      return batch.takeLines(end - from);
    }
    Walk walk = new Walk(bytes, from, end, true);
    walk.run();
    batch.takeRecords(walk.written - from, walk.records);
    return walk.blankLines;
  }

  /** Goes through whole lines, and writes the records that they make, if it is to. */
  private final class Walk {
    private final byte[] bytes;
    private final int from;
    private final int end;
    private final boolean writes;
    private final LineJoiner joiner = multiline.joiners().get();
    private final UnsureLines unsure = new UnsureLines();

    private int begin = -1;
    private int contentEnd;
    private int written;
    private int records;
    private int blankLines;

    Walk(byte[] bytes, int from, int end, boolean writes) {
      this.bytes = bytes;
      this.from = from;
      this.end = end;
      this.writes = writes;
      this.written = from;
    }

    /** How many bytes are records that no later line can continue. */
    int run() {
      int at = from;
      while (at < end || (writes && !unsure.isEmpty())) {
        at = at < end ? line(at, Lines.first(LF, bytes, at, end)) : beginAt(unsure.firstOr(at));
      }
      int whole = begin < 0 ? end - from : begin - from;
      if (writes) {
        finish();
      }
      return whole;
    }

    /** A blank line is part of a record if more of it follows. Returns where to go on. */
    private int line(int at, int lf) {
      if (lf == at) {
        blankLines += begin < 0 ? 1 : 0;
        return lf + 1;
      }
      boolean fits = lf - begin <= PreparedBatch.MAX_RECORD_BYTES && !unsure.isFull();
      LineJoiner.Bond bond =
          begin < 0 || !fits ? LineJoiner.Bond.BEGINS : joiner.bond(seen(at, lf));
      switch (bond) {
        case BEGINS -> {
          return beginAt(unsure.firstOr(at));
        }
        case PERHAPS -> unsure.add(at);
        case JOINS -> contentEnd(lf);
      }
      return lf + 1;
    }

    private int beginAt(int at) {
      finish();
      int lf = Lines.first(LF, bytes, at, end);
      begin = at;
      joiner.begin(seen(at, lf));
      contentEnd(lf);
      return lf + 1;
    }

    private void contentEnd(int lf) {
      contentEnd = lf;
      unsure.clear();
    }

    private String seen(int at, int lf) {
      return new String(bytes, at, Math.min(lf - at, MOST_SEEN_BYTES), StandardCharsets.ISO_8859_1);
    }

    private void finish() {
      if (begin >= 0 && writes) {
        int length = contentEnd - begin;
        System.arraycopy(bytes, begin, bytes, written, length);
        written += length;
        bytes[written++] = NUL;
        records++;
      }
    }
  }
}
