package io.cordwood.cli.records;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class PrettyJsonTest {
  private static String pretty(String record) {
    byte[] bytes = record.getBytes(StandardCharsets.UTF_8);
    return new String(PrettyJson.of(bytes, 0, bytes.length), StandardCharsets.UTF_8);
  }

  @Test
  void eachFieldIsALineAndAStackTraceHasItsLines() {
    assertThat(
            pretty(
                "at {\"a\":{\"b\": [1.0 , {} ] },\"s\":"
                    + "\"X: \\\"q\\\"\\n\\tat a.B\\r\\n\\u0041\"} end, 7"))
        .isEqualTo(
            """
            at {
              "a": {
                "b": [
                  1.0 ,
                  {}
                ]
              },
              "s": "X: \\"q\\"
              \tat a.B
              \\u0041"
            } end, 7\
            """);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "text", "{", "a {b} c", "x={\"a\":1}", "{a: 1}"})
  void whatIsNoJsonPasses(String record) {
    assertThat(pretty(record)).isEqualTo(record);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"{\"a", "{\"a\":\"b\\", "{\"a\":1}}}}", "{\"a\":[[[", "{\"a\":1} {\"b\":2}"})
  void whatIsBrokenLosesNothingButSpace(String record) {
    assertThat(pretty(record).replaceAll("\\s", "")).isEqualTo(record.replaceAll("\\s", ""));
  }
}
