package io.cordwood.common.http;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/** A peer's answer: its head is here, its body is still coming. To be closed. */
public interface PeerReply extends AutoCloseable {
  int MAX_ERROR_BYTES = 4096;

  /** HTTP status. */
  int status();

  /** For one thread at a time. */
  InputStream body();

  /** The body of an answer that is an error: one line, cut if it is long. */
  default String error() throws IOException {
    String text = new String(body().readNBytes(MAX_ERROR_BYTES), StandardCharsets.UTF_8);
    return text.strip().replaceAll("\\p{Cntrl}", "?");
  }

  /** Tells the peer to stop, if the body was not read to its end. */
  @Override
  void close();
}
