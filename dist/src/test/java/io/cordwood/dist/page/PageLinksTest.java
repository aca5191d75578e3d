package io.cordwood.dist.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.common.http.server.HttpServer;
import io.cordwood.common.http.server.HttpServerOptions;
import io.cordwood.common.http.server.Metrics;
import io.cordwood.common.http.server.Routes;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class PageLinksTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "trace_id=javascript:alert('{value}')",
        "trace_id=data:text/html,{value}",
        "trace_id=//example.com/{value}",
        "trace_id=ftp://example.com/{value}",
        "trace_id=https://{value}/",
        "trace_id=https://{value}.example.com/",
        "trace_id=https://example.com{value}",
        "trace_id=https://user@example.com/{value}",
        "trace_id=https://example.com/trace",
        "trace_id=https:///{value}",
        "trace_id=https://exa mple.com/{value}",
        "trace_id=https://example.com/<{value}>",
        "trace_id=",
        "=https://example.com/{value}",
        "https://example.com/{value}",
        "",
      })
  void whatIsNoAddressWithAValueAfterItsHostIsRejected(String given) {
    assertThatThrownBy(() -> PageLinks.parse(List.of(given)))
        .hasMessage("expected NAME=https://HOST/… with {value} after the host, found '%s'", given);
  }

  @Test
  void oneFieldHasOneLinkAndThereAreNotTooMany() {
    assertThatThrownBy(() -> PageLinks.parse(List.of("a=http://b/{value}", "a=http://c/{value}")))
        .hasMessageStartingWith("expected one link of a field");
    assertThatThrownBy(() -> PageLinks.parse(Collections.nCopies(101, "a=http://b/{value}")))
        .hasMessage("expected at most 100 links, found 101");
  }

  @Test
  void linksAreGivenAsTheyAre() throws Exception {
    var routes = new Routes();
    PageLinks.parse(
            List.of("trace_id=https://t:1/?q=a,b&id={value}#%22", "@pod=http://k/p/{value}"))
        .addTo(routes);
    try (HttpServer server =
            HttpServer.start(HttpServerOptions.at("127.0.0.1", 0), routes, Metrics.registry());
        HttpClient http = HttpClient.newHttpClient()) {
      HttpResponse<String> response =
          http.send(
              HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + "/links"))
                  .build(),
              BodyHandlers.ofString());
      assertThat(response.body())
          .isEqualTo(
              "{\"trace_id\":\"https://t:1/?q=a,b&id={value}#%22\","
                  + "\"@pod\":\"http://k/p/{value}\"}\n");
    }
  }
}
