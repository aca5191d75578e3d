package io.cordwood.store.replicate;

import java.io.IOException;

/** A segment is not, or not known to be, on as many other stores as it has to be. */
public final class ReplicationException extends IOException {
  ReplicationException(String message) {
    super(message);
  }
}
