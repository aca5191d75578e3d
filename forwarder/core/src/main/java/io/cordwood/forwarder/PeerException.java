package io.cordwood.forwarder;

import java.io.IOException;

/** The peer ended the connection, refused, kept silent or said what is not in the protocol. */
final class PeerException extends IOException {
  private static final long serialVersionUID = 1L;

  PeerException(String message) {
    super(message);
  }
}
