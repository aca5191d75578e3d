package io.cordwood.cli.client;

import io.cordwood.common.json.Json;
import java.io.IOException;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * How far a search has come, as a node says it.
 *
 * @param nodes that were asked
 * @param bytes to be searched or skipped, before compression
 * @param bytesDone of these
 */
record JsonProgress(long nodes, long bytes, long bytesDone) {

  /**
   * Reads {@code {"progress":{…}}}.
   *
   * @throws IOException if the line is something else
   */
  static JsonProgress of(String line) throws IOException {
    long nodes = 0;
    long bytes = 0;
    long done = 0;
    try (JsonParser parser = Json.parser(line)) {
      while (parser.nextToken() != null) {
        if (parser.currentToken() == JsonToken.VALUE_NUMBER_INT) {
          switch (parser.currentName()) {
            case "nodes" -> nodes = parser.getLongValue();
            case "bytes" -> bytes = parser.getLongValue();
            case "bytes_done" -> done = parser.getLongValue();
            default -> {} // Nothing that is shown.
          }
        }
      }
    } catch (JacksonException e) {
      throw new IOException("expected a line of JSON, found something else", e);
    }
    return new JsonProgress(nodes, bytes, done);
  }
}
