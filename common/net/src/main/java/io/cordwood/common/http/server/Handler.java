package io.cordwood.common.http.server;

import java.io.IOException;

/**
 * Answers a request: plain blocking code on a virtual thread of its own, which is never
 * interrupted. When it returns, the answer is ended and sent.
 */
@FunctionalInterface
public interface Handler {
  /**
   * Answers a request.
   *
   * @throws HttpError for an answer other than success; any other exception is a 500 and is logged
   * @throws ClientGoneException passed on from the response, when nobody listens any more
   */
  void handle(Request request, Response response) throws IOException;
}
