package io.cordwood.ingest.loki;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.common.http.server.HttpError;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Labels as Prometheus writes them. */
class LabelTextTest {
  private static Map<String, String> parsed(String text) {
    return LabelText.parse(text.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void labelsComeInTheirOrder() {
    assertThat(parsed("{z=\"1\", app=\"my-app\" ,level = \"ERROR\",}"))
        .containsExactly(
            Map.entry("z", "1"), Map.entry("app", "my-app"), Map.entry("level", "ERROR"));
    assertThat(parsed("{}")).isEmpty();
    assertThat(parsed("")).isEmpty();
    assertThat(parsed("{\"service.name\"=`a\\n`}")).isEqualTo(Map.of("service.name", "a\\n"));
  }

  @Test
  void escapesAreThoseOfGo() {
    assertThat(parsed("{a=\"q\\\" b\\\\ n\\n t\\t r\\r \\x41 \\u00e9 \\U0001F600 \\101 é {}=,\"}"))
        .isEqualTo(Map.of("a", "q\" b\\ n\n t\t r\r A é 😀 A é {}=,"));
    assertThat(parsed("{a=\"\\xc3\\xa9 \\ud800 \\Uffffffff\"}"))
        .isEqualTo(Map.of("a", "é \ufffd \ufffd"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{",
        "}",
        "{a}",
        "{a=}",
        "{a=\"}",
        "{a=\"b\"",
        "{a=\"b\"}x",
        "{a=\"b\" c=\"d\"}",
        "{=\"b\"}",
        "{a='b'}",
        "{a=\"\\q\"}",
        "{a=\"\\x4\"}",
        "{a=\"\\",
        "a=\"b\"",
        "{,}",
        "{a=\"\\999\"}"
      })
  void whatIsWrittenInAnotherWayIsRefusedWithItsPlace(String text) {
    assertThatThrownBy(() -> parsed(text))
        .isInstanceOfSatisfying(HttpError.class, e -> assertThat(e.status()).isEqualTo(400))
        .hasMessageMatching("(?s)labels: expected .* at byte \\d+, found .*");
  }

  @Test
  void whatGoQuotesIsReadAgain() {
    var random = new Random(3);
    for (int i = 0; i < 2000; i++) {
      var labels = new LinkedHashMap<String, String>();
      for (int n = random.nextInt(5); n > 0; n--) {
        labels.put(
            "l" + n,
            random
                .ints(random.nextInt(20), 1, 0x250)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString());
      }
      String text =
          "{"
              + String.join(
                  ",",
                  labels.entrySet().stream()
                      .map(pair -> pair.getKey() + "=" + quoted(pair.getValue()))
                      .toList())
              + "}";
      assertThat(parsed(text)).isEqualTo(labels);
    }
  }

  private static String quoted(String value) {
    var text = new StringBuilder("\"");
    for (int at = 0; at < value.length(); at++) {
      char each = value.charAt(at);
      switch (each) {
        case '"', '\\' -> text.append('\\').append(each);
        case '\n' -> text.append("\\n");
        default -> text.append(each < ' ' ? "\\x%02x".formatted((int) each) : "" + each);
      }
    }
    return text.append('"').toString();
  }

  @Test
  void bytesAtRandomAreLabelsOrRefused() {
    var random = new Random(9);
    byte[] start = "{app=\"x\",b=\"\\u00e9\"}".getBytes(StandardCharsets.UTF_8);
    for (int i = 0; i < 20_000; i++) {
      byte[] text = Arrays.copyOf(start, 1 + random.nextInt(start.length));
      text[random.nextInt(text.length)] = (byte) random.nextInt();
      try {
        assertThat(LabelText.parse(text)).isNotNull();
      } catch (HttpError e) {
        assertThat(e.status()).isEqualTo(400);
      }
    }
  }
}
