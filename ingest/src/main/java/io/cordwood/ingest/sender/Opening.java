package io.cordwood.ingest.sender;

/** The first bytes of a connection that sends no batches. */
sealed interface Opening permits Opening.Unfinished, Opening.Data, Preamble {
  /** Too few to tell. */
  enum Unfinished implements Opening {
    OPENING
  }

  /** Data, from the first byte on. */
  enum Data implements Opening {
    OPENING
  }
}
