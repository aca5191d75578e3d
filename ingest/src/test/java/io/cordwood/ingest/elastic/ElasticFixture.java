package io.cordwood.ingest.elastic;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.ingest.event.StoredEvent;
import io.cordwood.ingest.node.HttpNode;
import io.cordwood.ingest.node.RunningNode;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A node that takes bulk requests of Elasticsearch's clients. */
abstract class ElasticFixture {
  static final String INDEX = "{\"index\":{\"_index\":\"logs\"}}\n";

  @TempDir Path folder;
  HttpNode http;

  @BeforeEach
  void start() throws Exception {
    http = new HttpNode(RunningNode.options(folder));
  }

  @AfterEach
  void close() throws Exception {
    http.close();
  }

  HttpResponse<String> bulk(String body) throws Exception {
    return http.post("/_bulk", body.getBytes(UTF_8));
  }

  static String items(HttpResponse<String> answer) {
    assertThat(answer.headers().firstValue("x-elastic-product")).hasValue("Elasticsearch");
    assertThat(answer.body()).matches("\\{\"took\":\\d+,\"errors\":(true|false),\"items\":\\[.*]}");
    return answer.body().replaceFirst("\\{\"took\":\\d+,", "");
  }

  StoredEvent stored(String document) throws Exception {
    HttpResponse<String> answer = bulk(INDEX + document + "\n");
    assertThat(items(answer))
        .isEqualTo(
            "\"errors\":false,\"items\":[{\"index\":{\"_index\":\"logs\",\"status\":201}}]}");
    return StoredEvent.of(http.node, 1).getFirst();
  }
}
