package io.cordwood.ingest.elastic;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.ingest.event.RandomDocuments;
import io.cordwood.ingest.event.StoredEvent;
import io.cordwood.ingest.node.RunningNode;
import java.net.http.HttpResponse;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Documents of Elasticsearch's bulk requests: the records, topics, labels and times they become.
 */
final class ElasticDocumentsTest extends ElasticFixture {
  @Test
  void aDocumentIsARecordByteForByteAndItsIndexIsItsTopic() throws Exception {
    StoredEvent event = stored("{ \"b\" : 1,\"a\":\"\\u00e4 ä\\n\" , \"a\":[{}]}");
    assertThat(event.text()).isEqualTo("{ \"b\" : 1,\"a\":\"\\u00e4 ä\\n\" , \"a\":[{}]}");
    assertThat(event.topic()).isEqualTo("logs");
    assertThat(event.labels()).isEqualTo(Map.of("index", "logs"));
    assertThat(event.beside()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'host':{'name':'h1'}}|host.name|h1",
        "{'host.name':'h1'}|host.name|h1",
        "{'host':'h1'}|host|h1",
        "{'kubernetes':{'pod':{'name':'p'}}}|kubernetes.pod.name|p",
        "{'kubernetes.pod':{'name':'p'}}|kubernetes.pod.name|p",
        "{'kubernetes':{'pod.name':'p','labels':{'x':1}}}|kubernetes.pod.name|p",
        "{'kubernetes':{'pod_name':'p'}}|kubernetes.pod_name|p",
        "{'container':{'id':'a','id':'c'}}|container.id|c",
      })
  void whatDescribesTheSenderIsALabelToo(String document, String name, String value)
      throws Exception {
    String json = document.replace('\'', '"');
    StoredEvent event = stored(json);
    assertThat(event.labels()).isEqualTo(Map.of("index", "logs", name, value));
    assertThat(event.text()).isEqualTo(json);
  }

  @Test
  void whatIsNoTextOrTooLongIsNoLabel() throws Exception {
    StoredEvent event =
        stored(
            "{\"host\":7,\"app\":\"\",\"service\":null,\"hostname\":\"%s\"}"
                .formatted("h".repeat(300)));
    assertThat(event.labels()).isEqualTo(Map.of("index", "logs"));
    assertThat(event.beside()).isEmpty();
  }

  @Test
  void theServiceIsTheTopicBeforeTheIndexAndDatesOfIndexesAreNot() throws Exception {
    assertThat(stored("{\"service\":{\"name\":\"shop\"}}").topic()).isEqualTo("shop");
    for (String index :
        List.of(
            "web-2026.11.27",
            "web-2026-11-27",
            "web-2026.11",
            "web_2026.w48",
            "web-2026.11.27.13",
            "web-2026.11.27-000001",
            "web")) {
      bulk("{\"index\":{\"_index\":\"" + index + "\"}}\n{\"a\":1}\n");
      StoredEvent event = StoredEvent.of(http.node, 1).getFirst();
      assertThat(event.topic()).as(index).isEqualTo("web");
      assertThat(event.labels()).isEqualTo(Map.of("index", index));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"@timestamp", "timestamp", "time"})
  void theTimeOfADocumentIsThatOfItsRecord(String key) throws Exception {
    Instant time = Instant.now().minusSeconds(3600).truncatedTo(ChronoUnit.MILLIS);
    long millis = time.toEpochMilli();
    for (String value :
        List.of(
            "\"" + time + "\"",
            "\"" + time.toString().replace("Z", "+00:00") + "\"",
            "\"" + time.toString().replace("Z", "123456-0000") + "\"",
            String.valueOf(millis),
            "\"" + millis + "\"",
            millis + "000000",
            millis / 1000 + "." + "%03d".formatted(millis % 1000))) {
      StoredEvent event = stored("{\"a\":{\"b\":[]},\"" + key + "\":" + value + "}");
      assertThat(event.millis()).as(value).isEqualTo(millis);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"1970-01-01T00:00:00.000000001Z\"",
        "\"2554-07-21T23:34:33Z\"",
        "18446744073709551615",
        "-1",
        "0"
      })
  void ofATimeFarAwayTheRecordHasTheTimeOfItsArrival(String value) throws Exception {
    StoredEvent event = stored("{\"@timestamp\":" + value + "}");
    assertThat(event.text()).isEqualTo("{\"@timestamp\":" + value + "}");
    assertThat(event.beside()).isEmpty();
    assertThat(Math.abs(event.millis() - System.currentTimeMillis())).isLessThan(600_000);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "null",
        "[1]",
        "{}",
        "\"yesterday\"",
        "\"2026-13-01T00:00:00Z\"",
        "1e9999",
        "true",
        "99999999999999999999999999999999999999999999999999",
        "\"2026-11-27T00:00:00Zx\""
      })
  void whatIsNoTimeIsLeftAsItIs(String value) throws Exception {
    StoredEvent event = stored("{\"@timestamp\":" + value + "}");
    assertThat(event.text()).isEqualTo("{\"@timestamp\":" + value + "}");
    assertThat(event.beside()).isEmpty();
  }

  @Test
  void whatAnActionSaysMoreStandsBesideTheDocument() throws Exception {
    HttpResponse<String> answer =
        bulk(
            "{\"create\":{\"_index\":\"a\",\"_id\":\"7\",\"routing\":\"r\","
                + "\"pipeline\":\"p\",\"x\":[1]}}\n{}\n");
    assertThat(items(answer))
        .contains("{\"create\":{\"_index\":\"a\",\"_id\":\"7\",\"status\":201}}");
    assertThat(StoredEvent.of(http.node, 1).getFirst().beside())
        .isEqualTo(Map.of("_id", "7", "routing", "r", "pipeline", "p"));
  }

  @Test
  void anyDocumentCanBeBuiltAgain() throws Exception {
    var random = new Random(5);
    var documents = new ArrayList<String>();
    var body = new StringBuilder();
    for (int i = 0; i < 500; i++) {
      String document = RandomDocuments.document(random, i);
      documents.add(document);
      body.append(INDEX).append(document).append('\n');
    }
    assertThat(items(bulk(body.toString()))).startsWith("\"errors\":false");
    assertThat(RunningNode.text(http.node.consume(500)).lines())
        .containsExactlyInAnyOrderElementsOf(documents);
  }
}
