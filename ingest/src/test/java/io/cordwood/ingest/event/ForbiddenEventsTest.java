package io.cordwood.ingest.event;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.common.access.Scope;
import io.cordwood.common.access.Token;
import io.cordwood.common.access.TokenFile;
import io.cordwood.common.access.TokenText;
import io.cordwood.common.access.Tokens;
import io.cordwood.common.access.TopicPatterns;
import io.cordwood.ingest.node.HttpNode;
import io.cordwood.ingest.node.RunningNode;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Of one request, a token may send some events, and not others. */
final class ForbiddenEventsTest {
  private static final String LOKI = "/loki/api/v1/push";
  private static final String LOKI_STREAM = "{'stream':{'app':'%s'},'values':[['1','of %s']]}";
  private static final String ELASTIC = "{'create':{'_index':'%s'}}\n{'m':'of %s'}\n";
  private static final String SPLUNK = "{'event':'of %2$s','index':'%1$s'}";
  private static final String DATADOG = "{'message':'of %2$s','service':'%1$s'}";

  private final String text = TokenText.random();

  @TempDir private Path folder;
  private Tokens tokens;
  private HttpNode http;

  @BeforeEach
  void start() throws IOException {
    Path file = folder.resolve("tokens");
    var shop = Token.of("shop", text, Set.of(Scope.INGEST), new TopicPatterns(List.of("shop*")));
    TokenFile.write(file, List.of(shop));
    tokens = Tokens.of(file, InstantSource.system(), new SimpleMeterRegistry());
    http = new HttpNode(RunningNode.options(folder.resolve("data")), tokens);
  }

  @AfterEach
  void close() throws IOException {
    http.close();
    tokens.close();
  }

  private HttpResponse<String> post(String path, String body) throws Exception {
    return http.post(
        path,
        body.replace('\'', '"').getBytes(StandardCharsets.UTF_8),
        "content-type",
        "application/json",
        "authorization",
        "Bearer " + text);
  }

  private static String events(String form, String between, String... topics) {
    return String.join(
        between, List.of(topics).stream().map(topic -> form.formatted(topic, topic)).toList());
  }

  private static String loki(String... topics) {
    return "{'streams':[%s]}".formatted(events(LOKI_STREAM, ",", topics));
  }

  private void assertStored(String... texts) throws IOException {
    assertThat(StoredEvent.of(http.node, texts.length))
        .extracting(StoredEvent::text)
        .containsExactlyInAnyOrder(texts);
    http.node.assertLedgerIsExact();
  }

  @Test
  void ofAPushOfLokiTheOthersAreStoredBeforeItIsGivenUp() throws Exception {
    HttpResponse<String> answer = post(LOKI, loki("secret", "shop-1", "secret", "shop-2"));
    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(answer.body())
        .contains("2 of 4 records are refused, and the others are stored", "found secret");
    assertStored("of shop-1", "of shop-2");
  }

  @Test
  void ofABulkRequestEachDocumentHasItsAnswer() throws Exception {
    HttpResponse<String> answer = post("/_bulk", events(ELASTIC, "", "shop-1", "secret", "shop-2"));
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.body())
        .contains(
            "\"errors\":true,\"items\":[{\"create\":{\"_index\":\"shop-1\",\"status\":201}},"
                + "{\"create\":{\"_index\":\"secret\",\"status\":403,"
                + "\"error\":{\"type\":\"security_exception\",\"reason\":\"expected a topic of",
            "{\"create\":{\"_index\":\"shop-2\",\"status\":201}}]");
    assertStored("{\"m\":\"of shop-1\"}", "{\"m\":\"of shop-2\"}");
  }

  @ParameterizedTest
  @CsvSource({"/services/collector/event, false", "/api/v2/logs, true"})
  void ofOtherRequestsLikewise(String path, boolean isArray) throws Exception {
    String both = events(isArray ? DATADOG : SPLUNK, isArray ? "," : "", "secret", "shop-1");
    HttpResponse<String> answer = post(path, isArray ? "[" + both + "]" : both);
    assertThat(answer.statusCode()).isEqualTo(400);
    assertStored("of shop-1");
  }

  @ParameterizedTest
  @CsvSource({"/loki/api/v1/push", "/_bulk"})
  void nothingThatMayBeSentIs403ForAllOfIt(String path) throws Exception {
    String body = path.equals(LOKI) ? loki("secret", "other") : events(ELASTIC, "", "secret");
    assertThat(post(path, body).statusCode()).isEqualTo(403);
    assertThat(http.node.counted("records_stored")).isZero();
    http.node.assertLedgerIsExact();
  }
}
