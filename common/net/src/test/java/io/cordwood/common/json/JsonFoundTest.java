package io.cordwood.common.json;

import static org.assertj.core.api.Assertions.assertThat;

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
          "1234567890123456789012345678901234567890"  ~ 1 ~ "1234567890123456789012345678901234567890"
          "12345678901234567890123456789012345678901" ~ 1 ~ "1234567890123456789012345678901234567890…"
          """)
  void eachTokenIsNamed(String text, int tokens, String named) {
    try (JsonParser json = Json.parser(text)) {
      for (int i = 0; i < tokens; i++) {
        json.nextToken();
      }
      assertThat(JsonFound.at(json)).isEqualTo(named);
    }
  }
}
