package io.cordwood.common.wire;

/** The first bytes of a connection that does not begin with a batch. */
public sealed interface Opening {
  /** Too few to tell. */
  enum Unfinished implements Opening {
    OPENING
  }

  /** Data, from the first byte on. */
  enum Data implements Opening {
    OPENING
  }

  /**
   * A preamble.
   *
   * @param bytes of its line, with the LF
   */
  record Begun(Preamble preamble, int bytes) implements Opening {}
}
