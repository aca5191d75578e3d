package io.cordwood.query.logql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

final class LogqlTest {
  @ParameterizedTest
  @CsvFileSource(resources = "/logql/written.csv", delimiter = ';', quoteCharacter = '\0')
  void queriesAreReadAndWrittenAgain(String text, String written) {
    assertThat(Logql.parse(text).toString()).isEqualTo(written);
    assertThat(Logql.parse(written).toString()).isEqualTo(written);
  }

  @Test
  void whatIsWrittenIsReadAsTheSame() {
    var queries = new RandomLogql(new SplittableRandom(1));
    for (int i = 0; i < 2000; i++) {
      String text = queries.query();
      String written = Logql.parse(text).toString();
      assertThat(Logql.parse(written).toString()).as(text).isEqualTo(written);
    }
  }

  @ParameterizedTest
  @CsvFileSource(resources = "/logql/refused.csv", delimiter = ';', quoteCharacter = '\0')
  void whatIsNotSupportedOrNoLogqlIsNamedWithItsPlace(String text, String message) {
    assertThatExceptionOfType(LogqlException.class)
        .isThrownBy(() -> Logql.parse(text == null ? "" : text))
        .withMessageStartingWith(message);
  }

  @Test
  void whateverIsGivenIsReadOrRefused() {
    var random = new SplittableRandom(45);
    var queries = new RandomLogql(random);
    for (int i = 0; i < 5000; i++) {
      var text = new StringBuilder(queries.query());
      for (int change = random.nextInt(4); change >= 0 && !text.isEmpty(); change--) {
        int at = random.nextInt(text.length());
        int end = Math.min(text.length(), at + random.nextInt(6));
        switch (random.nextInt(3)) {
          case 0 -> text.delete(at, end);
          case 1 -> text.insert(at, text.substring(at, end));
          default -> text.insert(at, "{}()[]|\"`\\<>,=!~\u0000\uD800".charAt(random.nextInt(18)));
        }
      }
      assertReadOrRefused(text.toString());
    }
    for (String part : List.of("{", "[", "|", "!", "\"", "`", "1+", "-", "{}|=`a`or", "(", "#")) {
      assertReadOrRefused(part.repeat((64 << 10) / part.length()));
      assertReadOrRefused("{} " + part.repeat((63 << 10) / part.length()));
    }
  }

  private static void assertReadOrRefused(String text) {
    try {
      if (Logql.parse(text) instanceof Expr.Logs logs) {
        assertThat(Selected.of(logs).changes()).isNotNull();
      }
    } catch (LogqlException e) {
      assertThat(e).hasMessageStartingWith("character ");
    }
  }

  @Test
  void deepAndLongQueriesAreRefused() {
    assertThatExceptionOfType(LogqlException.class)
        .isThrownBy(() -> Logql.parse("(".repeat(60_000)))
        .withMessageContaining("expected at most 100 parentheses within each other");
    assertThatExceptionOfType(LogqlException.class)
        .isThrownBy(() -> Logql.parse("1" + "^1".repeat(10_000)));
    assertThatExceptionOfType(LogqlException.class)
        .isThrownBy(() -> Logql.parse("{} |= `" + "x".repeat(70_000) + "`"))
        .withMessageContaining("expected at most 65536 characters");
  }
}
