package io.cordwood.common.ulid;

import java.util.Optional;

/** A closed range of ULIDs: both ends belong to it. */
public record UlidRange(Ulid from, Ulid to) {
  public static final UlidRange ALL = new UlidRange(Ulid.MIN, Ulid.MAX);

  /**
   * @throws IllegalArgumentException if the range ends before it begins
   */
  public UlidRange {
    if (to.isBefore(from)) {
      throw new IllegalArgumentException(
          "the range ends (" + to + ") before it begins (" + from + ")");
    }
  }

  /** The ULIDs of a batch's records. */
  public static UlidRange of(Ulid first, int records) {
    return new UlidRange(first, first.plus(records - 1L));
  }

  public boolean contains(Ulid ulid) {
    return !ulid.isBefore(from) && !ulid.isAfter(to);
  }

  /** Whether nothing of the other is outside of this. */
  public boolean contains(UlidRange other) {
    return contains(other.from) && contains(other.to);
  }

  public boolean overlaps(UlidRange other) {
    return !to.isBefore(other.from) && !other.to.isBefore(from);
  }

  /** The part of it that is not before a ULID; its end if all is. */
  public UlidRange since(Ulid first) {
    return first.isBefore(from) ? this : new UlidRange(first.isAfter(to) ? to : first, to);
  }

  /** The part of it that is not after a ULID; its beginning if all is. */
  public UlidRange until(Ulid last) {
    return last.isAfter(to) ? this : new UlidRange(from, last.isBefore(from) ? from : last);
  }

  /** The smallest range that covers both. */
  public UlidRange union(UlidRange other) {
    return new UlidRange(
        from.isBefore(other.from) ? from : other.from, to.isAfter(other.to) ? to : other.to);
  }

  /** {@code FROM-TO}, the form that file names have. */
  @Override
  public String toString() {
    return from + "-" + to;
  }

  /** Reads {@code FROM-TO}; empty if the text is anything else. */
  public static Optional<UlidRange> parse(String text) {
    if (text.length() != 2 * Ulid.CHARS + 1 || text.charAt(Ulid.CHARS) != '-') {
      return Optional.empty();
    }
    String from = text.substring(0, Ulid.CHARS);
    String to = text.substring(Ulid.CHARS + 1);
    if (!Ulid.isValid(from) || !Ulid.isValid(to)) {
      return Optional.empty();
    }
    Ulid first = Ulid.parse(from);
    Ulid last = Ulid.parse(to);
    return last.isBefore(first) ? Optional.empty() : Optional.of(new UlidRange(first, last));
  }
}
