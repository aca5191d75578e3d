package io.cordwood.store;

import java.io.IOException;

/** A segment is not, or not known to be, on as many other stores as it has to be. */
final class ReplicationException extends IOException {
  ReplicationException(String message) {
    super(message);
  }
}
