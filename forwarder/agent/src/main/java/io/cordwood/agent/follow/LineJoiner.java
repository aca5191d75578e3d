package io.cordwood.agent.follow;

/** Decides line by line what belongs to a record; it remembers what it saw of the record so far. */
interface LineJoiner {
  /** How a line belongs to the record before it. */
  enum Bond {
    /** It goes on with the record, and so do those in between of which that was not sure. */
    JOINS,
    /** It goes on with the record if one of the next lines does. */
    PERHAPS,
    /** It is the first of another one. */
    BEGINS
  }

  /** How a line that is not blank, and not a record's first, belongs to the record. */
  Bond bond(CharSequence line);

  /** A record begins. */
  default void begin(CharSequence line) {}
}
