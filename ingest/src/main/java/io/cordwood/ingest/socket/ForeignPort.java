package io.cordwood.ingest.socket;

import java.io.IOException;

/** A port of another protocol, that of its TCP or that of its UDP. */
public interface ForeignPort extends AutoCloseable {
  /** Its protocol, as messages and metrics call it. */
  String protocol();

  /** The number; never 0. */
  int port();

  /** Serves who has connected, and who will; to be called once. */
  void startAccepting();

  /** Takes no more than what has come, which is committed. */
  void stopAccepting() throws IOException;

  /** Stops, and waits for what has come, for as long as the node drains. */
  @Override
  void close() throws IOException;
}
