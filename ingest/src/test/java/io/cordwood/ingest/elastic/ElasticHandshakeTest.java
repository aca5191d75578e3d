package io.cordwood.ingest.elastic;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.ingest.event.StoredEvent;
import io.cordwood.ingest.node.HttpNodeFixture;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Questions and requests of clients as they were recorded, or by their source: Telegraf, winston,
 * rsyslog, syslog-ng, elasticsearch-py, opensearch-py and pino by recordings, Logstash, Beats,
 * Fluent Bit and Vector by their source.
 */
class ElasticHandshakeTest extends HttpNodeFixture {
  private HttpResponse<String> ask(String method, String path, String body) throws Exception {
    HttpResponse<String> answer = http.send(method, path, body.getBytes(UTF_8));
    assertThat(answer.headers().firstValue("x-elastic-product"))
        .as("%s %s", method, path)
        .hasValue("Elasticsearch");
    return answer;
  }

  @ParameterizedTest
  @CsvSource({
    "Telegraf,HEAD,/_template/telegraf,404",
    "Telegraf,PUT,/_template/telegraf,200",
    "winston,GET,/_cluster/health?timeout=30s&wait_for_nodes=%3E%3D1&wait_for_status=yellow,200",
    "winston,HEAD,/_index_template/template_logs,404",
    "winston,PUT,/_index_template/template_logs,200",
    "Logstash,GET,/_license,200",
    "Logstash,HEAD,/_index_template/ecs-logstash,404",
    "Logstash,PUT,/_index_template/ecs-logstash,200",
    "Logstash,GET,/_nodes/http,200",
    "Logstash,HEAD,/_ilm/policy/logstash-policy,404",
    "Logstash,PUT,/_ilm/policy/logstash-policy,200",
    "Filebeat,GET,/_xpack,200",
    "Filebeat,GET,/_ilm/policy/filebeat,404",
    "Filebeat,PUT,/_data_stream/filebeat-8.19.0,200",
    "Filebeat,PUT,/_ingest/pipeline/filebeat-8.19.0-nginx,200",
    "Vector,GET,/_cluster/health,200",
  })
  void clientsGoOn(String client, String method, String path, int status) throws Exception {
    for (String prefix : new String[] {"", "/insert/elasticsearch"}) {
      HttpResponse<String> answer =
          ask(method, prefix + path, method.equals("PUT") ? "{\"index_patterns\":[]}" : "");
      assertThat(answer.statusCode()).as(client).isEqualTo(status);
      assertThat(answer.body()).matches(method.equals("HEAD") ? "" : "(?s)\\{.*}\\s*");
      if (method.equals("PUT")) {
        assertThat(answer.body()).isEqualTo("{\"acknowledged\":true}");
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"/insert/elasticsearch", "/insert/elasticsearch/"})
  void theRootSaysWhichServerThisIs(String path) throws Exception {
    HttpResponse<String> answer = ask("GET", path, "");
    assertThat(answer.headers().firstValue("content-type")).hasValue("application/json");
    assertThat(answer.body())
        .contains("\"version\":{\"number\":\"8.")
        .contains("\"tagline\":\"You Know, for Search\"");
    assertThat(ask("HEAD", path, "").statusCode()).isEqualTo(200);
  }

  @Test
  void aLicenseIsActiveAndTheNodeIsWhereItWasAsked() throws Exception {
    assertThat(ask("GET", "/_license", "").body()).contains("\"status\":\"active\"");
    assertThat(ask("GET", "/_nodes/http", "").body())
        .contains("\"publish_address\":\"127.0.0.1:" + http.port() + "\"");
  }

  @ParameterizedTest
  @CsvFileSource(resources = "bulks.txt", delimiter = '|', quoteCharacter = '`')
  void recordedBulksAreTakenAndDocumentsAreAsTheyWere(
      String client, String method, String path, String recorded) throws Exception {
    String body = recorded.replace('\'', '"').replace('~', '\n');
    HttpResponse<String> answer = ask(method, path, body);
    assertThat(answer.statusCode()).as(client).isEqualTo(200);
    assertThat(answer.body())
        .matches("\\{\"took\":\\d+,\"errors\":false,\"items\":\\[\\{.*,\"status\":201}}]}");
    assertThat(StoredEvent.of(http.node, 1).getFirst().text())
        .isEqualTo(body.lines().toList().get(1));
  }
}
