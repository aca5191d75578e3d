package io.cordwood.common.json;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.core.JsonParser;

final class JsonFoundTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '`',
      textBlock =
          """
          {"a":1}                                     ~ 1 ~ an object
          {"a":1}                                     ~ 2 ~ the key "a"
          {"a":1}                                     ~ 3 ~ 1
          {"a":1}                                     ~ 4 ~ the end of an object
          {"a":1}                                     ~ 5 ~ the end
          []                                          ~ 1 ~ an array
          []                                          ~ 2 ~ the end of an array
          "b\\"\\n"                                   ~ 1 ~ "b\\"\\n"
          null                                        ~ 1 ~ null
          true                                        ~ 1 ~ true
          -1.5e3                                      ~ 1 ~ -1.5e3
          """)
  void eachTokenIsNamed(String text, int tokens, String named) {
    assertThat(found(text, tokens)).isEqualTo(named);
  }

  @Test
  void longTextsAreCut() {
    String shown = "a".repeat(40);
    assertThat(found('"' + shown + '"', 1)).isEqualTo('"' + shown + '"');
    assertThat(found('"' + shown + "a\"", 1)).isEqualTo('"' + shown + "…\"");
  }

  private static String found(String text, int tokens) {
    try (JsonParser json = Json.parser(text)) {
      for (int i = 0; i < tokens; i++) {
        json.nextToken();
      }
      return JsonFound.at(json);
    }
  }
}
