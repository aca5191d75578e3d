package io.cordwood.common.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.common.http.TestServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Parameters as JSON are those of the request. */
final class JsonParamsTest {
  private final TestServer server = new TestServer();

  @BeforeEach
  void answerWithWhatIsAsked() {
    server.routes.getOrForm(
        "/echo",
        Params.of("q", "limit", "regex"),
        (request, response) ->
            response.text(
                200,
                String.join("|", request.params("q"))
                    + request.longParam("limit")
                    + request.flag("regex")));
  }

  @AfterEach
  void closeServer() {
    server.close();
  }

  private String ask(String path, String json) throws IOException {
    byte[] body = json.getBytes(StandardCharsets.UTF_8);
    String answer =
        server.exchange(
            "POST %s HTTP/1.1\r\nHost: x\r\nContent-Type: Application/JSON; charset=utf-8\r\n"
                    .formatted(path)
                + "Connection: close\r\nContent-Length: %d\r\n\r\n".formatted(body.length)
                + new String(body, StandardCharsets.ISO_8859_1));
    byte[] bytes = answer.getBytes(StandardCharsets.ISO_8859_1);
    String text = new String(bytes, StandardCharsets.UTF_8);
    return text.substring("HTTP/1.1 ".length(), "HTTP/1.1 200".length())
        + text.substring(text.indexOf("\r\n\r\n") + "\r\n\r\n".length() - 1).replace('\n', ' ');
  }

  @Test
  void namesAndValuesAreParametersAndListsAreSeveral() throws IOException {
    assertThat(ask("/echo", "{\"q\":[\"a\",\"é\\u00e9\"],\"limit\":7,\"regex\":true}"))
        .isEqualTo("200\na|ééOptionalLong[7]true".replace('\n', ' '));
    assertThat(ask("/echo?q=first", "{\"q\":\"second\",\"limit\":null}"))
        .isEqualTo("200 first|secondOptionalLong.emptyfalse");
    assertThat(ask("/echo?q=x", " {} ")).isEqualTo("200 xOptionalLong.emptyfalse");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '#',
      quoteCharacter = '`',
      value = {
        "[] # 400 error: body: expected an object of parameters, found an array at line 1, "
            + "column 1",
        "{\"q\":{}} # 400 error: body: expected text, a number, true or false for q, found "
            + "an object at line 1, column 6",
        "{\"q\":[[]]} # 400 error: body: expected text, a number, true or false for q, found "
            + "an array at line 1, column 7",
        "{} {} # 400 error: body: expected nothing after the object, found an object at line "
            + "1, column 4",
        "{\"p\":1} # 400 error: parameter p: /echo has none; it has q, limit, regex",
        "{\"limit\":1.5} # 400 error: parameter limit: expected a whole number, found \"1.5\"",
      })
  void whatIsNoParameterIsRefused(String json, String answer) throws IOException {
    assertThat(ask("/echo", json)).isEqualTo(answer + " ");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '#',
      quoteCharacter = '`',
      value = {
        "`` # line",
        "{\"q\" # line 1, column",
        "{\"q\":1,\"q\":2} # Duplicate",
        "q=a # line"
      })
  void whatIsNoJsonIsRefusedWithItsPlace(String json, String shown) throws IOException {
    assertThat(ask("/echo", json)).startsWith("400 error: body: expected").contains(shown);
  }

  @Test
  void nestingDigitsAndLengthAreBounded() throws IOException {
    assertThat(ask("/echo", "{\"q\":" + "[".repeat(100_000))).startsWith("400 error: body:");
    assertThat(ask("/echo", "{\"limit\":" + "9".repeat(100_000) + "}")).startsWith("400 error:");
    assertThat(ask("/echo", "{\"q\":\"" + "x".repeat(Routes.MAX_FORM_BYTES) + "\"}"))
        .startsWith("413 error: body: expected at most 262144 bytes");
  }
}
