package io.cordwood.query.fields;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Level, time and message of records of every form; an empty column: there is none. */
final class ParsedRecordTest {
  private static ParsedRecord parse(String record) {
    byte[] bytes = ("x" + record + "x").getBytes(StandardCharsets.UTF_8);
    return ParsedRecord.of(bytes, 1, bytes.length - 1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {"ts":"2026-11-26T10:00:00","lvl":"warn","msg":"x"} | warn | 2026-11-26T10:00:00 | x
          {"ts":1795687200,"severity":"ERROR","message":"a \\"b\\""} | error | 1795687200 | a "b"
          {"time":"5ms","event":"taken"} | none |  | taken
          {"msg":null,"error":"no file","level":50} | error |  | no file
          {"a":{"msg":"within"}} | none |  |
          ts=2026-11-26T10:00:00.12Z level=info msg="a" | info | 2026-11-26T10:00:00.12Z | a
          level=info event=5 | info |  |
          2026-11-26 10:00:00,123 INFO [a] error=5 | info | 2026-11-26 10:00:00,123 | [a] error=5
          2026-11-26T10:00:00+01:00 [error] - failed | error | 2026-11-26T10:00:00+01:00 | failed
          [2026-11-26T10:00:00.5Z] WARN: slow | warn | 2026-11-26T10:00:00.5Z | slow
          2026/11/26 10:00:00 listening | none | 2026/11/26 10:00:00 | listening
          10:00:00.123 [main] DEBUG a.B -- x | debug | 10:00:00.123 | x
          <11>Nov  6 10:00:00 host app: x | error | Nov  6 10:00:00 | x
          2026-11-26 10:00:00 host F {"msg":"in","a":1} | none | 2026-11-26 10:00:00 | in
          :: - - [26/Nov/2026:10:00:00 +0100] "GET" 404 1 | none | 26/Nov/2026:10:00:00 +0100 | GET
          2026-11-26 10:00:00 | none | 2026-11-26 10:00:00 |
          payment failed  {"severity":"ERROR","a":"  b"} | error |  | payment failed
          2026-11-26 10:00:00 INFO [a] x y  {"a":1} | info | 2026-11-26 10:00:00 | [a] x y
          {"msg":"in","a":1}  {"msg":"beside"} | none |  | in
          {"a":1}  {"severity":"WARN"} | warn |  |
            {"severity":"WARN"} | warn |  |
          2026-11-26 is no time | none |  |
          ERROR it failed | error |  | it failed
          it took time=5ms | none |  |
          """)
  void levelTimeAndMessageAreThoseThatTheRecordHas(
      String record, String level, @Nullable String time, @Nullable String message) {
    ParsedRecord parsed = parse(record);
    assertThat(parsed.level().word()).as(record).isEqualTo(level);
    assertThat(parsed.time().orElse(null)).as(record).isEqualTo(time);
    assertThat(parsed.message().orElse(null)).as(record).isEqualTo(message);
  }

  @Test
  void coloursAreNoPartOfThem() {
    ParsedRecord parsed = parse("\u001b[2m2026-11-26T10:00:00Z\u001b[0m \u001b[32mINFO\u001b[0m x");
    assertThat(parsed.time()).contains("2026-11-26T10:00:00Z");
    assertThat(parsed.message()).contains("x");
  }

  @Test
  void aMessageIsTheFirstLineOfTheText() {
    assertThat(parse("10:00:00 ERROR failed\n\tat a.B").message()).contains("failed");
    assertThat(parse("10:00:00 " + "\ud83d\ude00".repeat(501)).message().orElseThrow())
        .isEqualTo("\ud83d\ude00".repeat(500));
    assertThat(parse("10:00:00 x" + "\ud83d\ude00".repeat(501)).message().orElseThrow())
        .isEqualTo("x" + "\ud83d\ude00".repeat(499));
  }

  @Test
  void fieldsOfLongRecordsAreThoseOfTheirBegin() {
    String begin = "{\"a\":1,\"b\":\"" + "x".repeat(70_000);
    assertThat(parse(begin + "\",\"c\":2}"))
        .satisfies(
            parsed -> assertThat(parsed.fields()).isEqualTo(Map.of("a", "1")),
            parsed -> assertThat(parsed.isCut()).isTrue());
    String text = "a=1 " + "x ".repeat(32_764) + "b=";
    assertThat(parse(text + "23").fields()).isEqualTo(Map.of("a", "1", "b", "23"));
    assertThat(parse(text + "23").isCut()).isFalse();
    assertThat(parse(text + "234").fields()).as("only its begin").isEqualTo(Map.of("a", "1"));
    assertThat(parse(text + "234").isCut()).isTrue();
  }

  @Test
  void atMost200FieldsAreNamed() {
    assertThat(parse(pairs(200)).isCut()).isFalse();
    assertThat(parse(pairs(200)).fields()).hasSize(200).containsEntry("n199", "199");
    assertThat(parse(pairs(201)).isCut()).isTrue();
    assertThat(parse(pairs(201)).fields()).hasSize(200).doesNotContainKey("n200");
    String odd =
        IntStream.range(0, 2000).mapToObj(i -> "?" + i + "=x").collect(Collectors.joining(" "));
    assertThat(parse(odd + " a=1").fields()).isEmpty();
    assertThat(parse(odd + " a=1").isCut()).isTrue();
  }

  private static String pairs(int many) {
    return IntStream.range(0, many)
        .mapToObj(i -> "n" + i + "=" + i)
        .collect(Collectors.joining(" "));
  }

  @Test
  void hostileRecordsArePartedInTimeAndRoom() {
    String deep = "{\"a\":".repeat(10_000) + "1" + "}".repeat(10_000);
    assertThat(parse(deep).fields()).isEmpty();
    assertThat(parse("[".repeat(60_000)).fields()).isEmpty();
    assertThat(parse("{\"a\":[".repeat(9_000)).fields()).isEmpty();
    assertThat(parse("{\"a\":{oops},".repeat(4_000) + "\"b\":1}").fields()).isEmpty();
    assertThat(parse("{\"" + "k".repeat(257) + "\":1,\"b\":2}").fields()).containsOnlyKeys("b");
    assertThat(parse("{\"__proto__\":{\"run\":1}}").fields()).containsOnlyKeys("__proto__.run");
  }
}
