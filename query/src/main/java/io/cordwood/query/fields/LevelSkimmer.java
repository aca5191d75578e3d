package io.cordwood.query.fields;

import io.cordwood.query.match.ByteMarker;
import io.cordwood.query.match.ByteMarks;
import org.jspecify.annotations.Nullable;

/**
 * Finds the level that {@link LevelFinder} finds, faster in most lines of text: it looks only at
 * words that stand where a level can, and leaves records with names of fields, colours and the like
 * to it. For many records, and one thread.
 */
public final class LevelSkimmer {
  private static final int LAST_BIT = ByteMarks.BYTES - 1;

  /** The last byte of a piece, and the last two: what follows is not known. */
  private static final long LAST = 1L << LAST_BIT;

  private static final long TWO_LAST = LAST | LAST >>> 1;

  private static final byte ESCAPE = 0x1b;

  private final ByteMarks marks = new ByteMarks();
  private final ByteMarker marker = new ByteMarker(marks);
  private byte[] bytes = {};
  private int from;
  private int to;

  /** Words before are not looked at. */
  private int next;

  /** The first word that does not begin with a digit, -1 before it is known. */
  private int lead;

  /** Words before that one; whether each is of digits at both ends. */
  private int numbers;

  private boolean plainNumbers;

  // The last byte of the piece before, or its last two, in the lowest bits.
  private long wordBefore;
  private long digitBefore;
  private long spaceBefore;
  private long openingBefore;
  private long endsBefore;

  /** The level of a record, which is given without its delimiter. */
  public Level level(byte[] record, int start, int end) {
    Level found = skim(record, start, end);
    return found == null ? LevelFinder.level(record, start, end) : found;
  }

  /** Null if it takes a closer look. */
  private @Nullable Level skim(byte[] record, int start, int end) {
    begin(record, start, end);
    if (from == to || bytes[from] == '{' || (to < end && bytes[end - 1] == '}')) {
      return null;
    }
    Level found = LevelForms.ofStart(bytes, from, to);
    for (int piece = from; piece < to; piece += ByteMarks.BYTES) {
      if (!marker.mark(bytes, piece, to) || hasKey(piece)) {
        return null;
      }
      if (found == Level.NONE && next < to) {
        Level ofPiece = find(piece);
        if (ofPiece == null) {
          return null;
        }
        found = ofPiece;
      }
    }
    return found != Level.NONE ? found : LevelForms.ofPriority(bytes, from, to);
  }

  private void begin(byte[] record, int start, int end) {
    bytes = record;
    to = Math.min(end, start + Level.LOOKED_AT);
    from = LinePrefix.behind(record, start, to);
    next = from;
    lead = -1;
    numbers = 0;
    plainNumbers = true;
    wordBefore = 0;
    digitBefore = 0;
    spaceBefore = 0;
    openingBefore = 0;
    endsBefore = 0;
  }

  private boolean hasKey(int piece) {
    long signs = (marks.colons() | marks.equals()) & ~(marks.digits() << 1);
    for (; signs != 0; signs &= signs - 1) {
      if (LevelKey.isBefore(bytes, from, piece + Long.numberOfTrailingZeros(signs))) {
        return true;
      }
    }
    return false;
  }

  /** The first level in a piece; null if it takes a closer look. */
  private @Nullable Level find(int piece) {
    long places = places(piece);
    for (; places != 0; places &= places - 1) {
      int at = piece + Long.numberOfTrailingZeros(places);
      Level found = at < next ? Level.NONE : level(piece, at);
      if (found != Level.NONE || next == to) {
        return found;
      }
    }
    wordBefore = marks.words() >>> LAST_BIT;
    digitBefore = marks.digits() >>> LAST_BIT;
    spaceBefore = marks.spaces() >>> LAST_BIT;
    openingBefore = marks.opening() >>> LAST_BIT;
    endsBefore = (marks.colons() | marks.closing()) >>> (LAST_BIT - 1);
    return Level.NONE;
  }

  /** Bytes of words, or after them, that can be levels; quotes of requests, and escapes. */
  private long places(int piece) {
    long words = marks.words();
    long capitals = marks.capitals();
    long starts = words & ~(words << 1 | wordBefore);
    long ends = ~words & (words << 1 | wordBefore);
    long behindSpace = marks.spaces() << 1 | spaceBefore;
    long behindEnd = behindSpace & ((marks.colons() | marks.closing()) << 2 | endsBefore);
    long behindOpening = marks.opening() << 1 | openingBefore;
    long beforeSpace = marks.spaces() >>> 1 | LAST;
    long beforeTwo = beforeSpace & (marks.spaces() >>> 2 | TWO_LAST);
    long beforeCapital = capitals >>> 1 | LAST;
    long first = piece == from ? 1 : 0;
    long inCapitals =
        ends(capitals, starts & capitals & beforeCapital) & (~words | marks.digits() | LAST);
    long beforeColon =
        ends(words, starts & (behindEnd | first)) & ((marks.colons() & beforeSpace) | LAST);
    long padded = ends(words, starts & behindOpening) & (marks.spaces() | LAST);
    long others = ends & (marks.closing() | marks.tabs() | (marks.colons() & beforeTwo));
    return inCapitals
        | beforeColon
        | padded
        | others
        | (marks.quotes() & beforeCapital)
        | marks.escapes()
        | (lead < 0 ? lead(piece, starts, ends) & behindSpace : 0);
  }

  /** The bytes after runs that begin at some of their bits; the last bit if one goes on. */
  private static long ends(long runs, long begins) {
    long sum = runs + begins;
    return (sum & ~runs) | (runs & ~sum & LAST);
  }

  /** Looks for the first word that does not begin with a digit: it is given if one does before. */
  private long lead(int piece, long starts, long ends) {
    long letters = starts & ~marks.digits();
    long first = Long.lowestOneBit(letters);
    long before = first - 1;
    numbers += Long.bitCount(starts & before);
    plainNumbers &= (ends & before & ~(marks.digits() << 1 | digitBefore)) == 0;
    if (first == 0) {
      return 0;
    }
    lead = piece + Long.numberOfTrailingZeros(first);
    return numbers > 0 ? first : 0;
  }

  private @Nullable Level level(int piece, int at) {
    byte there = at < to ? bytes[at] : 0;
    if (there == ESCAPE) {
      return null;
    }
    Level found = word(wordStart(piece, at), wordEnd(piece, at));
    return found == Level.NONE && there == '"' ? request(at) : found;
  }

  /** Goes on after a request; null if the first word is in it. */
  private @Nullable Level request(int quote) {
    int end = LevelForms.afterRequest(bytes, quote + 1, to);
    if (end == quote + 1) {
      return Level.NONE;
    }
    next = end;
    return lead >= 0 && lead < quote ? Level.NONE : null;
  }

  /** The start of the word that has a byte of a piece, or ends before it. */
  private int wordStart(int piece, int at) {
    long others = ~marks.words() & ((1L << (at - piece)) - 1);
    int start = others == 0 ? piece : piece + Long.SIZE - Long.numberOfLeadingZeros(others);
    while (others == 0 && start > from && Letters.isOfWord(bytes[start - 1])) {
      start--;
    }
    return start;
  }

  private int wordEnd(int piece, int at) {
    long others = ~marks.words() >>> (at - piece);
    int end = others == 0 ? piece + Long.SIZE : at + Long.numberOfTrailingZeros(others);
    while (others == 0 && end < to && Letters.isOfWord(bytes[end])) {
      end++;
    }
    return end;
  }

  /** The level that a word is; null if it is not sure. */
  private @Nullable Level word(int start, int end) {
    if (LevelForms.has(bytes, start, end, "PHP")) {
      return null; // The word after it counts.
    }
    if (start == end || start < next || Letters.isDigit(bytes[start])) {
      return Level.NONE;
    }
    if (LevelForms.isOfRecordBefore(bytes, start, end, to)) {
      next = to;
      return Level.NONE;
    }
    Level found = LevelForms.ofAnyWord(bytes, from, start, end, to, start == lead ? numbers : 0);
    return found == Level.NONE || start != lead || plainNumbers ? found : null;
  }
}
