package io.cordwood.query.fields;

/**
 * The names that a {@link FieldFinder} looks for. It goes through a record once, and asks at each
 * step whether a name goes on that way. An index says how much of a name the steps so far are.
 */
abstract class FieldNames {
  /** The longest name, in bytes of UTF-8. */
  static final int MAX_BYTES = 256;

  /** Stands for all places of an array. */
  static final int EACH_PLACE = -2;

  /** The index after a key; -1 if no name goes on with it. */
  abstract int behindKey(int index, byte[] bytes, int from, int to);

  /** The place in an array with which a name goes on; {@link #EACH_PLACE}, or -1 for none. */
  abstract int place(int index);

  /** The index after a place that was asked for; -1 if no name goes on with it. */
  abstract int behindPlace(int index, int place);

  /** Whether a name ends at a value that begins with this byte. */
  abstract boolean endsAt(int index, byte first);

  /** Whether a name goes on in an object or array, which begins with this byte. */
  abstract boolean goesInto(int index, byte bracket);

  /** Whether a word before an equals sign is a name. */
  abstract boolean isWhole(byte[] bytes, int from, int to);

  /** Gets the value of the name up to an index; true ends the search. */
  abstract boolean accept(FieldValue value, int index);

  /** Whether to go on after an object or array with an error in it, or to give up all around it. */
  abstract boolean isErrorSkipped(int index, byte bracket);

  /** An object that stands in text is over. */
  abstract void endObject();
}
