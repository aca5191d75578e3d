package io.cordwood.common.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.common.http.ApiParams;
import io.cordwood.common.http.TestServer;
import java.io.IOException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Text or JSON, as a parameter says, or else a header. */
final class WantedFormTest {
  @ParameterizedTest
  @CsvSource({
    "/, */*, false",
    "/?format=text, application/json, false",
    "/?format=json, text/plain, true",
    "/, application/json, true",
    "/, 'text/html, application/x-ndjson;q=0.5', true",
    "/, application/jsonish, false",
    "/?format=csv, */*, error: parameter format: expected text or json; found csv",
  })
  void theParameterCountsBeforeTheHeader(String target, String accepted, String answer)
      throws IOException {
    try (var server = new TestServer()) {
      server.routes.get(
          "/",
          Params.of(ApiParams.FORMAT),
          (request, response) -> response.text(200, request.wantsJson() + "\n"));
      String all =
          server.exchange(
              "GET %s HTTP/1.1\r\nHost: x\r\nAccept: %s\r\nConnection: close\r\n\r\n"
                  .formatted(target, accepted));
      assertThat(all.substring(all.indexOf("\r\n\r\n")).strip())
          .isEqualTo(answer.replace("; found csv", ", found 'csv'"));
    }
  }
}
