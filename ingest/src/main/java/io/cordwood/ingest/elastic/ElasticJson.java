package io.cordwood.ingest.elastic;

import io.cordwood.common.http.server.Response;
import io.cordwood.common.json.Json;
import java.io.IOException;

/** Elasticsearch's form of answers. */
final class ElasticJson {
  private ElasticJson() {}

  /** Answers with an object, and ends. */
  static void answer(Response response, int status, String json) throws IOException {
    response
        .header("content-type", Json.TYPE)
        .header("x-elastic-product", "Elasticsearch")
        .text(status, json);
  }

  /** Adds a text, quoted. */
  static void quote(StringBuilder json, String text) {
    json.append('"');
    for (int i = 0; i < text.length(); i++) {
      char each = text.charAt(i);
      if (each == '"' || each == '\\') {
        json.append('\\').append(each);
      } else if (each < ' ') {
        json.append("\\u%04x".formatted((int) each));
      } else {
        json.append(each);
      }
    }
    json.append('"');
  }
}
