package io.cordwood.query.fields;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class WhereTest {
  private static final String RECORD =
      "{\"level\":\"error\",\"status\":503,\"dur\":\"1.5s\",\"size\":\"10KiB\",\"go\":\"1m30s\","
          + "\"user\":{\"id\":17,\"name\":\"J\\u00fcrgen\"},\"msg\":\"timeout after \\\"30\\\" s\","
          + "\"time\":\"2026-11-25T03:00:00Z\",\"empty\":\"\",\"plain\":2,\"ms\":\"700ms\"}";

  private static boolean holds(String record, String... texts) {
    byte[] bytes = record.getBytes(StandardCharsets.UTF_8);
    return Where.parse(List.of(texts)).holds(new FieldFinder().in(bytes, 0, bytes.length), true);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "level=error",
        "  level  =  error  ",
        "level=\"error\"",
        "level='error'",
        "\"level\"=error",
        "level=\"\\u0065rror\"",
        "level!=warn",
        "level in (warn, error)",
        "level in(warn,error)",
        "level in (\"warn\",'error' )",
        "level~rr",
        "level~=rr",
        "level!~warn",
        "level~~'^e.*r$'",
        "level~~=^e",
        "level!~~'^r'",
        "level>debug",
        "status=503",
        "status>=500",
        "status>=503",
        "status<=503",
        "status<504",
        "status>5.02e2",
        "status>\"5\"",
        "dur>1s",
        "dur>1.4",
        "dur<=1500ms",
        "dur>=1500000us",
        "dur<0.1m",
        "go>=90s",
        "go<91s",
        "ms>=0.7s",
        "ms<=0.7s",
        "size>10kB",
        "size=10KiB",
        "size<=10240",
        "size<1MiB",
        "plain>1s",
        "plain>1B",
        "user.id=17",
        "user.name=J\u00fcrgen",
        "user.name~~'J.rgen'",
        "msg~'\"30\"'",
        "msg=\"timeout after \\\"30\\\" s\"",
        "time>=2026-11-25 and time<2026-11-26",
        "level=error and status>=500 and user.id=17",
        "level=Error and level in (warn, ERROR)",
        "level=error and none?=x",
        "none?!=x",
        "level?=error",
        "empty=\"\"",
        "empty~''",
        "user~id",
      })
  void itHolds(String where) {
    assertThat(holds(RECORD, where)).as(where).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "level=err",
        "level=warn",
        "level!=error",
        "level in (warn,info)",
        "level~ERR",
        "level!~rr",
        "level~~'^r'",
        "level>=f",
        "status=503.0",
        "status=0503",
        "status>503",
        "status<500",
        "level>1",
        "dur>1KiB",
        "size>1s",
        "dur>2s",
        "msg>0",
        "none=x",
        "none!=x",
        "none~''",
        "level?=warn",
        "level=error and status<500",
        "level=warn and none?=x",
        "user.name=Juergen",
        "user.id.x=1",
      })
  void itDoesNotHold(String where) {
    assertThat(holds(RECORD, where)).as(where).isFalse();
  }

  @Test
  void oneOfSeveralIsEnough() {
    assertThat(holds(RECORD, "level=warn", "status=503")).isTrue();
    assertThat(holds(RECORD, "level=warn", "status=200")).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          ``                    | character 1: expected a field, found the end
          =x                    | character 1: expected a field, found "="
          level                 | character 6: expected an operator such as =, found the end
          level error           | character 7: expected an operator such as =, found "e"
          level!error           | character 6: expected an operator such as !=, found "!"
          level!>1              | character 6: expected an operator such as !=, found "!"
          level=                | character 7: expected a value or a quote, found the end
          level==error          | character 7: expected a value or a quote, found "="
          level="error          | character 13: expected an end of the quote at character 7
          'level=error          | character 13: expected an end of the quote at character 1
          level=error status=5  | character 13: expected "and", or the end, found "s"
          level=error or a=b    | character 13: expected "and", or the end, found "o"
          level=error and       | character 16: expected a field, found the end
          level=error and and   | character 20: expected an operator such as =, found the end
          level in error        | character 10: expected "(", found "e"
          level in (error       | character 16: expected "," or ")", found the end
          level in ()           | character 11: expected a value or a quote, found ")"
          msg~~'a('             | character 6: pattern, character 3: expected
          \ud83d\ude00=1 and x  | character 10: expected an operator such as =, found the end
          """)
  void errorsPointAtTheCharacter(String where, String message) {
    assertThatThrownBy(() -> Where.parse(List.of(where)))
        .isInstanceOf(WhereException.class)
        .hasMessageStartingWith(message);
  }

  @Test
  void errorsSayWhichOfSeveralIsMeant() {
    assertThatThrownBy(() -> Where.parse(List.of("a=1", "b")))
        .hasMessageStartingWith("2. of them, character 2: expected an operator");
  }

  @Test
  void boundsAreNamed() {
    assertThatThrownBy(() -> Where.parse(List.of("a=" + "x".repeat(WhereParser.MAX_BYTES))))
        .hasMessageContaining("at most 100 conditions of 65536 bytes together, found 1 of 65538");
    assertThatThrownBy(() -> Where.parse(Collections.nCopies(101, "a=1")))
        .hasMessageContaining("found 101 of 303");
    assertThatThrownBy(() -> Where.parse(List.of("a=1 and ".repeat(100) + "a=1")))
        .hasMessageContaining("expected at most 100 conditions");
    assertThatThrownBy(() -> Where.parse(List.of("a".repeat(257) + "=1")))
        .hasMessageContaining("character 1: expected a field of 1 to 256 bytes, found 257");
    assertThatThrownBy(() -> Where.parse(List.of("a in (" + "1,".repeat(1000) + "1)")))
        .hasMessageContaining("expected at most 1000 values");
    assertThatThrownBy(() -> Where.parse(List.of("a~~b and ".repeat(8) + "a~~b")))
        .hasMessageContaining("expected at most 8 regular expressions");
    assertThat(Where.parse(List.of("a=" + "x".repeat(WhereParser.MAX_BYTES - 2))).isEmpty())
        .isFalse();
  }
}
