package io.cordwood.forwarder;

/** The treatment of a record that the window has no room for. */
public enum WhenFull {
  /**
   * The sending thread waits for acknowledgements to make room, or for {@code close}. An interrupt
   * does not end the wait: it would lose the record.
   */
  BLOCK,
  /** The new record is dropped. */
  DROP_NEWEST,
  /**
   * The oldest batches that wait to be sent are dropped, even if they were sent before. When none
   * waits, since what is held is on the wire and may have arrived, the new record is dropped
   * instead.
   */
  DROP_OLDEST
}
