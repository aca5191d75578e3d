package io.cordwood.forwarder;

import java.io.IOException;

/** The peer ended the connection, refused, kept silent or said what is not in the protocol. */
final class PeerException extends IOException {
  private static final long serialVersionUID = 1L;

  private final boolean foreign;

  PeerException(String message) {
    this(message, false);
  }

  private PeerException(String message, boolean foreign) {
    super(message);
    this.foreign = foreign;
  }

  /**
   * A first answer that no ingest node gives.
   *
   * @param found what was expected and found
   */
  static PeerException foreign(String found) {
    return new PeerException(found + "; is this its fast, durable or bulk port?", true);
  }

  /** Whether the peer is probably something else than an ingest node's port for records. */
  boolean isForeign() {
    return foreign;
  }
}
