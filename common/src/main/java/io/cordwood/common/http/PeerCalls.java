package io.cordwood.common.http;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;

/** Calls to other nodes, which block their thread until the head of the answer is here. */
public interface PeerCalls {
  /**
   * Asks.
   *
   * @param responseTimeout longest wait for the answer's head
   * @throws IOException naming the address, if there is no answer
   */
  PeerReply get(URI uri, Duration responseTimeout) throws IOException;

  /** Posts parameters, encoded as those of an address are, in a form. */
  PeerReply postForm(URI uri, String parameters, Duration responseTimeout) throws IOException;
}
