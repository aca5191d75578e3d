package io.cordwood.common.http.server;

import java.io.IOException;

/**
 * The client left before its answer was complete: it closed the connection (or its half of it),
 * reset the stream, or read nothing for too long. Not a failure of the server.
 */
public final class ClientGoneException extends IOException {
  ClientGoneException(String message) {
    super(message);
  }
}
