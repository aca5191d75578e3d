package io.cordwood.query.fields;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class QuantityTest {
  private static double of(String text) {
    byte[] bytes = ("1" + text + "1").getBytes(StandardCharsets.UTF_8);
    return Quantity.parse(bytes, 1, bytes.length - 1, Quantity.Kind.PLAIN);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "200 | 200 | PLAIN",
        "-1.5e3 | -1500 | PLAIN",
        "1,000 | 1000 | PLAIN",
        "-12,345,678.5 | -12345678.5 | PLAIN",
        "1,000,000,000,000,000,000 | 1e18 | PLAIN",
        "500m | 30000 | SECONDS",
        "5 ms | 0.005 | SECONDS",
        "1,500 ms | 1.5 | SECONDS",
        "1m30s | 90 | SECONDS",
        "1m 30s | 90 | SECONDS",
        "1 m 30 s | 90 | SECONDS",
        "PT5S | 5 | SECONDS",
        "PT0.25S | 0.25 | SECONDS",
        "-PT1M30.5S | -90.5 | SECONDS",
        "PT-5S | -5 | SECONDS",
        "P1DT2H | 93600 | SECONDS",
        "P2W | 1209600 | SECONDS",
        "1Gi | 1073741824 | BYTES",
        "512 Mi | 536870912 | BYTES",
        "10KiB | 10240 | BYTES",
      })
  void numbersAreWrittenInManyWays(String text, double value, Quantity.Kind kind) {
    assertThat(of(text)).isEqualTo(value);
    assertThat(Quantity.kind(text)).isEqualTo(kind);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "", "1,00", "1,0000", "1000,000", ",000", "1,", "5 ", " 5", "5  ms", "5 6", "5 ms ",
            "1Gi 5",
        "P", "PT", "P5S", "PT5D", "PT5", "P1DT", "PTS", "P1Y", "pt5s", "PT5S5", "5 minutes", "Gi"
      })
  void otherTextsAreNone(String text) {
    assertThat(of(text)).isNaN();
  }
}
