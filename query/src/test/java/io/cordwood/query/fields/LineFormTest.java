package io.cordwood.query.fields;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.query.match.PatternSpec;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The table of forms in {@code docs/fields.md} is true, and whole. */
final class LineFormTest {
  private static final Path TABLE = Path.of("..", "docs", "fields.md");
  private static final int COLUMNS = 7;

  /** A row of the table: the form, an example, and its fields; a hyphen is none. */
  record Row(String form, String example, List<String> fields) {
    static Row of(String line) {
      List<String> cells =
          Arrays.stream(line.substring(2, line.length() - 2).split(" (?<!\\\\)\\| ", -1))
              .map(cell -> cell.replaceAll("^`|`$", ""))
              .map(cell -> cell.replace("\\|", "|").replace("⏎", "\n"))
              .toList();
      assertThat(cells).as(line).hasSize(COLUMNS);
      return new Row(cells.getFirst(), cells.get(1), cells.subList(2, COLUMNS));
    }

    boolean isOfForm() {
      return form.matches("[A-Z_0-9]+");
    }
  }

  private static List<Row> rows() throws IOException {
    try (Stream<String> lines = Files.lines(TABLE)) {
      return lines
          .filter(line -> line.startsWith("| ") && !line.startsWith("| form "))
          .map(Row::of)
          .toList();
    }
  }

  @ParameterizedTest
  @MethodSource("rows")
  void examplesOfTheTableHaveTheirFields(Row row) {
    byte[] bytes = ("x" + row.example + "x").getBytes(StandardCharsets.UTF_8);
    FieldFinder finder = new FieldFinder().in(bytes, 1, bytes.length - 1);
    List<String> found = Stream.of(LineField.values()).map(field -> value(finder, field)).toList();
    assertThat(found).as(row.toString()).isEqualTo(row.fields);
    assertThat(LevelFinder.level(bytes, 1, bytes.length - 1).word().replace("none", "-"))
        .isEqualTo(row.fields.getFirst());
    ParsedRecord parsed = ParsedRecord.of(bytes, 1, bytes.length - 1);
    assertThat(parsed.time().orElse("-")).isEqualTo(row.fields.get(1));
    assertThat(parsed.message().orElse("-")).isEqualTo(row.fields.get(4));
    assertThat(parsed.fields().getOrDefault("thread", "-")).isEqualTo(row.fields.get(2));
    assertThat(parsed.fields().getOrDefault("logger", "-")).isEqualTo(row.fields.get(3));
  }

  @ParameterizedTest
  @MethodSource("rows")
  void examplesAreFoundByEachOfTheirFields(Row row) {
    byte[] line = (row.example + "\0").getBytes(StandardCharsets.UTF_8);
    for (LineField field : LineField.values()) {
      String value = row.fields.get(List.of(LineField.values()).indexOf(field));
      if (!value.equals("-")) {
        Where where = Where.parse(List.of(field.word() + "='" + value + "'"));
        assertThat(
                WhereMatchers.compile(PatternSpec.literal(""), false, where)
                    .find(line, 0, line.length, (byte) 0))
            .as(where + " of " + row.example)
            .isZero();
      }
    }
  }

  @Test
  void eachFormIsInTheTable() throws IOException {
    for (Row row : rows().stream().filter(Row::isOfForm).toList()) {
      LineForm first =
          Stream.of(LineForm.values())
              .filter(form -> form.match(row.example) != null)
              .findFirst()
              .orElseThrow();
      assertThat(first).as(row.example).isEqualTo(LineForm.valueOf(row.form));
    }
    assertThat(rows().stream().map(Row::form).toList())
        .containsAll(Stream.of(LineForm.values()).map(Enum::name).toList());
  }

  private static String value(FieldFinder finder, LineField field) {
    return finder.find(FieldPath.of(field.word()))
        ? new String(finder.value(), StandardCharsets.UTF_8)
        : "-";
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          [2026-11-26T10:00:00.123] [ERROR] shop - failed  | error | - | - | shop - failed
          [main] [ERROR] shop - failed                     | error | main | shop | failed
          it failed                                        | -     | - | -    | it failed
          2026-11-26 10:00:00 fine, thanks                 | -     | - | -    | fine, thanks
          10:00:00 ERROR timeout: no answer                | error | - | -    | timeout: no answer
          10:00:00 ERROR retry - no answer                 | error | - | retry | no answer
          2026-11-26 10:00:00 INFO x thread=b logger=c     | info  | b | c    | x thread=b logger=c
          2026-11-26 10:00:00 INFO [a] x msg=y             | info  | - | -    | y
          {"thread":"a","message":"x"}                     | -     | a | -    | x
          {"log.level":"ERROR","msg":"10:00 INFO x"}       | error | - | -    | 10:00 INFO x
          level=warn ERROR                                 | warn  | - | -    | level=warn ERROR
          2026-11-26T10:00:00Z INFO a::b: x                | info  | - | a::b | x
          2026-11-26T10:00:00Z web1 app: taken             | -     | - | app  | taken
          INFO[0000] order taken                           | info  | - | -    | order taken
          WARN[0012] low stock                             | warn  | - | -    | low stock
          ERRORS: 0                                        | -     | - | -    | ERRORS: 0
          """)
  void otherLinesHaveWhatTheyHave(
      String line, String level, String thread, String logger, String message) {
    byte[] bytes = line.getBytes(StandardCharsets.UTF_8);
    FieldFinder finder = new FieldFinder().in(bytes, 0, bytes.length);
    assertThat(
            Stream.of(LineField.LEVEL, LineField.THREAD, LineField.LOGGER, LineField.MESSAGE)
                .map(field -> value(finder, field)))
        .as(line)
        .containsExactly(level, thread, logger, message);
  }

  @Test
  void longLinesAreParsedInTimeAndRoom() {
    for (String part : List.of("[a] ", "[", "10:00:00 ", "a.", "(a) ", "\u001b[1m", " - ", "| ")) {
      String line = "2026-11-26 10:00:00 INFO 1 --- " + part.repeat(100_000);
      byte[] bytes = line.getBytes(StandardCharsets.UTF_8);
      FieldFinder finder = new FieldFinder().in(bytes, 0, bytes.length);
      assertThat(value(finder, LineField.TIME)).isEqualTo("2026-11-26 10:00:00");
    }
  }
}
