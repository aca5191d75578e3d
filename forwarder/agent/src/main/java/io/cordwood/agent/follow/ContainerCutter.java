package io.cordwood.agent.follow;

import io.cordwood.forwarder.Lines;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/**
 * Finds the records in lines of a container runtime: the pieces of each stream are joined to lines,
 * and these to records. What bytes are cut into depends on them alone, if they end where {@link
 * #cut} said. The records of a file's streams may lie within each other. One for all files, as it
 * keeps room for the lines of the largest.
 */
final class ContainerCutter {
  /** As of a file's last line: for a text whose end does not come, while other lines do. */
  private static final long PART_OF_LINE_MILLIS = 5000;

  private final ContainerLine line = new ContainerLine();
  private final StreamLines[] streams = new StreamLines[ContainerLine.STREAMS.length];

  private final int longestBytes;
  private long latest;
  private int unfinished;
  private int reached;
  private boolean isFull;

  /**
   * @param longestBytes of lines that it cuts at once, but for one that goes on
   */
  ContainerCutter(int longestBytes) {
    this.longestBytes = longestBytes;
    Arrays.setAll(streams, _ -> new StreamLines());
  }

  /** The records that end with the bytes. */
  enum Ends {
    /** Those that are surely whole. */
    WHOLE,
    /** Also records that lines could go on with. */
    JOINED,
    /** All, and a last line without an end. */
    ALL
  }

  /**
   * How to cut.
   *
   * @param multiline how lines of a stream are joined
   * @param joinNanos for how long a record waits for its lines, by their times
   * @param payloadAt the bytes before each batch, one of which has records of one millisecond
   */
  record Way(LineFormat format, Multiline multiline, Ends ends, long joinNanos, int payloadAt) {}

  /**
   * Finds records.
   *
   * @return where those end that are whole, and no other begins before; {@code from} if none is
   */
  int cut(Pieces pieces, byte[] bytes, int from, int to, Way way) {
    reached = read(pieces, bytes, from, to, way);
    unfinished = reached;
    for (StreamLines stream : streams) {
      stream.join(pieces, bytes, way);
    }
    int whole = unfinished;
    for (int i = pieces.count() - 1; i >= 0; i--) {
      int last = pieces.lastOfRecord(i);
      if (last >= 0 && pieces.begin(i) < whole && pieces.end(last) > whole) {
        whole = pieces.begin(i);
      }
    }
    return whole;
  }

  /** Whether there were more lines than there was room for, when it cut last. */
  boolean isFull() {
    return isFull;
  }

  /** The end of the lines that were looked at last. */
  int reached() {
    return reached;
  }

  /** Reads lines, no more than fit in the longest bytes. */
  private int read(Pieces pieces, byte[] bytes, int from, int to, Way way) {
    pieces.clear();
    latest = ContainerTime.NONE;
    for (StreamLines stream : streams) {
      stream.clear();
    }
    long room = longestBytes;
    int at = from;
    isFull = false;
    while (at < to) {
      if (room <= 0 && way.ends() != Ends.ALL) {
        isFull = true;
        return at;
      }
      int found = end(way.format(), bytes, at, to);
      if (found < 0 && way.ends() != Ends.ALL) {
        return at;
      }
      int end = found < 0 ? to : found;
      boolean hasLf = way.format() != LineFormat.local && bytes[end - 1] == '\n';
      boolean isLike = line.read(way.format(), bytes, at, hasLf ? end - 1 : end);
      int piece = pieces.add(bytes, line, isLike, at, end);
      latest = Math.max(latest, line.millis);
      boolean isNew = streams[line.stream].add(pieces, piece);
      room -= pieces.length(piece) + 1 + (isNew ? way.payloadAt() : 0);
      at = end;
    }
    return at;
  }

  /** The end of a line, or of what is in its place; below nought if it is not there. */
  private static int end(LineFormat format, byte[] bytes, int at, int to) {
    if (format == LineFormat.local) {
      return LocalEntry.end(bytes, at, to);
    }
    int lf = Lines.first((byte) '\n', bytes, at, to);
    return lf < 0 ? lf : lf + 1;
  }

  /** The lines of one stream. */
  private final class StreamLines {
    private int[] lines = new int[16];
    private int[] lastPieces = new int[16];
    private int count;
    private boolean isOpen;
    private long millis;

    void clear() {
      count = 0;
      isOpen = false;
      millis = ContainerTime.NONE;
    }

    /** Returns whether it is of another time than the one before. */
    boolean add(Pieces pieces, int piece) {
      if (isOpen) {
        pieces.link(lastPieces[count - 1], piece);
        lastPieces[count - 1] = piece;
      } else {
        if (count == lines.length) {
          lines = Arrays.copyOf(lines, 2 * count);
          lastPieces = Arrays.copyOf(lastPieces, 2 * count);
        }
        lines[count] = piece;
        lastPieces[count++] = piece;
      }
      isOpen = pieces.isPart(piece);
      boolean isNew = pieces.millis(piece) != millis || count == 1;
      millis = pieces.millis(piece);
      return isNew;
    }

    void join(Pieces pieces, byte[] bytes, Way way) {
      boolean waits = isOpen && way.ends() != Ends.ALL && !isPast(PART_OF_LINE_MILLIS);
      if (waits) {
        count--;
        unfinished = Math.min(unfinished, pieces.begin(lines[count]));
      }
      if (way.multiline().isNone()) {
        for (int i = 0; i < count; i++) {
          record(pieces, i, i);
        }
        return;
      }
      boolean isOver = !waits && isPast(TimeUnit.NANOSECONDS.toMillis(way.joinNanos()));
      boolean ends = isOver || way.ends() != Ends.WHOLE;
      new Walk(this, pieces, bytes, way.multiline().joiners().get(), ends).run();
    }

    /** Whether another stream has a line that is later by more than this. */
    private boolean isPast(long most) {
      return millis != ContainerTime.NONE && latest - millis > most;
    }

    private void record(Pieces pieces, int first, int last) {
      pieces.record(lines[first], lastPieces[last]);
    }
  }

  /** Goes through the lines of a stream, as {@link RecordCutter} does through those of a file. */
  private final class Walk {
    private final StreamLines of;
    private final Pieces pieces;
    private final byte[] bytes;
    private final LineJoiner joiner;
    private final boolean ends;
    private final UnsureLines unsure = new UnsureLines();

    private int first = Pieces.NONE;
    private int last;

    Walk(StreamLines of, Pieces pieces, byte[] bytes, LineJoiner joiner, boolean ends) {
      this.of = of;
      this.pieces = pieces;
      this.bytes = bytes;
      this.joiner = joiner;
      this.ends = ends;
    }

    void run() {
      int at = 0;
      while (at < of.count || (ends && !unsure.isEmpty())) {
        at = at < of.count ? line(at) : beginAt(unsure.firstOr(at));
      }
      if (first >= 0 && ends) {
        finish();
      } else if (first >= 0) {
        unfinished = Math.min(unfinished, pieces.begin(of.lines[first]));
      }
    }

    private int line(int at) {
      if (of.lines[at] == of.lastPieces[at] && pieces.length(of.lines[at]) == 0) {
        if (first < 0) {
          of.record(pieces, at, at);
        }
        return at + 1;
      }
      boolean fits = !unsure.isFull();
      LineJoiner.Bond bond = first < 0 || !fits ? LineJoiner.Bond.BEGINS : joiner.bond(seen(at));
      switch (bond) {
        case BEGINS -> {
          return beginAt(unsure.firstOr(at));
        }
        case PERHAPS -> unsure.add(at);
        case JOINS -> last(at);
      }
      return at + 1;
    }

    private int beginAt(int at) {
      finish();
      first = at;
      joiner.begin(seen(at));
      last(at);
      return at + 1;
    }

    private void last(int at) {
      last = at;
      unsure.clear();
    }

    private void finish() {
      if (first >= 0) {
        for (int at = first; at < last; at++) {
          pieces.link(of.lastPieces[at], of.lines[at + 1]);
        }
        of.record(pieces, first, last);
      }
    }

    private String seen(int at) {
      byte[] seen = new byte[RecordCutter.MOST_SEEN_BYTES];
      int length = pieces.copyStart(of.lines[at], bytes, seen);
      return new String(seen, 0, length, StandardCharsets.ISO_8859_1);
    }
  }
}
