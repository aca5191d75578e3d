package io.cordwood.cli.watch;

import io.cordwood.common.http.client.CliClient.Answer;
import java.io.IOException;
import java.time.Duration;
import java.util.function.Consumer;

/** Counts for rules: a node over HTTP, or the node itself that has the rules. */
@FunctionalInterface
public interface NodeApi {
  /**
   * Asks for what is at a path of the API.
   *
   * @param query parameters, encoded
   * @param limit how long the answer may take
   * @param says hears of a node that cannot be reached
   * @throws IOException if there is no answer
   */
  Answer ask(String path, String query, Duration limit, Consumer<String> says) throws IOException;
}
