package io.cordwood.forwarder;

/** What becomes of a record that the window has no room for. */
public enum WhenFull {
  /**
   * The sending thread waits for acknowledgements to make room, or for {@code close}. An interrupt
   * does not end the wait: it would lose the record.
   */
  BLOCK,
  /** The new record is dropped. */
  DROP_NEWEST,
  /**
   * The oldest batches that are not on the wire yet are dropped. When all that is held is on the
   * wire, it may have arrived already; then the new record is dropped instead.
   */
  DROP_OLDEST
}
