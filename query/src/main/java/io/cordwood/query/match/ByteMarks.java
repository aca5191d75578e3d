package io.cordwood.query.match;

/**
 * Kinds of bytes in a piece of at most {@value #BYTES}: for each kind a bit for each byte, the
 * lowest for the first. One thread.
 */
public final class ByteMarks {
  public static final int BYTES = Long.SIZE;

  long words;
  long capitals;
  long digits;
  long spaces;
  long tabs;
  long colons;
  long equals;
  long quotes;
  long escapes;
  long opening;
  long closing;

  /** Forgets those of bytes that the mask does not have. */
  void keep(long mask) {
    words &= mask;
    capitals &= mask;
    digits &= mask;
    spaces &= mask;
    tabs &= mask;
    colons &= mask;
    equals &= mask;
    quotes &= mask;
    escapes &= mask;
    opening &= mask;
    closing &= mask;
  }

  /** Letters, digits and underscores. */
  public long words() {
    return words;
  }

  /** From A to Z. */
  public long capitals() {
    return capitals;
  }

  public long digits() {
    return digits;
  }

  public long spaces() {
    return spaces;
  }

  public long tabs() {
    return tabs;
  }

  public long colons() {
    return colons;
  }

  public long equals() {
    return equals;
  }

  /** Double ones. */
  public long quotes() {
    return quotes;
  }

  /** With which colours of terminals begin. */
  public long escapes() {
    return escapes;
  }

  /** Square brackets. */
  public long opening() {
    return opening;
  }

  /** Square brackets. */
  public long closing() {
    return closing;
  }
}
