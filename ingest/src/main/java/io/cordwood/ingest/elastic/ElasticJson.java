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
}
