package io.cordwood.jmh;

/** The state of a file before it is written. */
public enum FileKind {
  /** Empty: each write makes it longer, and the length is forced too. */
  EXTENDED,
  /** New, filled with zeros and forced; that is part of what is measured. */
  PREALLOCATED,
  /** One that is full of what is not needed any more, taken from a store of such files. */
  RECYCLED
}
