package io.cordwood.ingest.sender;

/** What the first bytes of a connection that sends no batches are. */
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
