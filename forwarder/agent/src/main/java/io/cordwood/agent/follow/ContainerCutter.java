package io.cordwood.agent.follow;

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
    return unfinished < reached ? whole(pieces) : reached;
  }

  /** The latest position up to the unfinished that lies within no record. */
  private int whole(Pieces pieces) {
    int whole = unfinished;
    int[] recordEnds = new int[streams.length];
    for (int i = pieces.count() - 1; i >= 0; i--) {
      int stream = pieces.stream(i);
      recordEnds[stream] = pieces.endsRecord(i) ? pieces.end(i) : recordEnds[stream];
      if (pieces.begin(i) < whole && recordEnds[stream] > whole) {
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
      int end = line.read(way.format(), bytes, at, to, way.ends() == Ends.ALL);
      if (end < 0) {
        return at;
      }
      int piece = pieces.add(bytes, line, at, end);
      latest = Math.max(latest, line.millis);
      boolean isNew = streams[line.stream].add(pieces, piece);
      room -= pieces.length(piece) + 1 + (isNew ? way.payloadAt() : 0);
      at = end;
    }
    return at;
  }

  /** The lines of one stream, by the numbers of their first pieces. */
  private final class StreamLines {
    private static final int NONE = -1;

    private int first;
    private int begin;
    private int last;
    private long millis;

    void clear() {
      first = NONE;
      last = NONE;
      millis = ContainerTime.NONE;
    }

    /** Returns whether it is of another time than the one before. */
    boolean add(Pieces pieces, int piece) {
      begin = last < 0 || !pieces.isPart(last) ? piece : begin;
      first = first < 0 ? piece : first;
      last = piece;
      boolean isNew = pieces.millis(piece) != millis || piece == first;
      millis = pieces.millis(piece);
      return isNew;
    }

    void join(Pieces pieces, byte[] bytes, Way way) {
      boolean isOpen = last >= 0 && pieces.isPart(last);
      boolean waits = isOpen && way.ends() != Ends.ALL && !isPast(PART_OF_LINE_MILLIS);
      if (waits) {
        unfinished = Math.min(unfinished, pieces.begin(begin));
      } else if (isOpen) {
        pieces.cutOff(last);
      }
      if (first < 0 || way.multiline().isNone()) {
        return;
      }
      boolean isOver = !waits && isPast(TimeUnit.NANOSECONDS.toMillis(way.joinNanos()));
      boolean ends = isOver || way.ends() != Ends.WHOLE;
      int to = waits ? begin : last + 1;
      new Walk(pieces, bytes, first, to, way.multiline().joiners().get(), ends).run();
    }

    /** Whether another stream has a line that is later by more than this. */
    private boolean isPast(long most) {
      return millis != ContainerTime.NONE && latest - millis > most;
    }
  }

  /** Goes through the lines of a stream, as {@link RecordCutter} does through those of a file. */
  private final class Walk {
    private final Pieces pieces;
    private final byte[] bytes;
    private final int from;
    private final int to;
    private final LineJoiner joiner;
    private final boolean ends;
    private final UnsureLines unsure = new UnsureLines();

    private int first = StreamLines.NONE;
    private int last;

    Walk(Pieces pieces, byte[] bytes, int from, int to, LineJoiner joiner, boolean ends) {
      this.pieces = pieces;
      this.bytes = bytes;
      this.from = from;
      this.to = to;
      this.joiner = joiner;
      this.ends = ends;
    }

    void run() {
      int at = from;
      while (at < to || (ends && !unsure.isEmpty())) {
        at = at < to ? line(at) : beginAt(unsure.firstOr(at));
      }
      if (first >= 0 && ends) {
        finish();
      } else if (first >= 0) {
        unfinished = Math.min(unfinished, pieces.begin(first));
      }
    }

    private int line(int at) {
      if (pieces.length(at) == 0 && !pieces.isPart(at)) {
        return after(at);
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
      return after(at);
    }

    private int beginAt(int at) {
      finish();
      first = at;
      joiner.begin(seen(at));
      last(at);
      return after(at);
    }

    private void last(int at) {
      last = at;
      unsure.clear();
    }

    private void finish() {
      for (int at = first; at >= 0 && at < last; at = after(at)) {
        pieces.join(end(at));
      }
    }

    /** The last piece of the line that one begins. */
    private int end(int at) {
      int end = at;
      while (pieces.isPart(end)) {
        end = next(end);
      }
      return end;
    }

    /** The piece that begins the next line. */
    private int after(int at) {
      return next(end(at));
    }

    private int next(int at) {
      int next = at + 1;
      while (next < to && pieces.stream(next) != pieces.stream(from)) {
        next++;
      }
      return next;
    }

    private String seen(int at) {
      byte[] seen = new byte[RecordCutter.MOST_SEEN_BYTES];
      int length = pieces.copyStart(at, bytes, seen);
      return new String(seen, 0, length, StandardCharsets.ISO_8859_1);
    }
  }
}
