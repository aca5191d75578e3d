package io.cordwood.ingest.event;

import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;

/** The body of a request, of which the first byte may be looked at before it is read. */
public final class PeekedBody extends PushbackInputStream {
  public PeekedBody(InputStream body) {
    super(body, 1);
  }

  /** The first byte, which stays; -1 if there is none. To be called before anything is read. */
  public int first() throws IOException {
    int first = read();
    if (first >= 0) {
      unread(first);
    }
    return first;
  }
}
