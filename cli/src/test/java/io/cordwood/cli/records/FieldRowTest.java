package io.cordwood.cli.records;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.query.fields.Extract;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class FieldRowTest {
  private static final List<String> FIELDS = List.of("level", "user.id", "msg");

  private static List<String> lines(FieldRow row, String... records) {
    return Stream.of(records)
        .map(record -> record.getBytes(StandardCharsets.UTF_8))
        .map(bytes -> new String(row.of(bytes, 0, bytes.length), StandardCharsets.UTF_8))
        .toList();
  }

  @Test
  void fieldsAreColumnsAndWhatEndsThemIsEscaped() {
    assertThat(
            lines(
                FieldRow.columns(FIELDS, Extract.NONE, false),
                "{\"level\":\"error\",\"user\":{\"id\":17},\"msg\":\"a\\tb\\\\\\n\"}",
                "level=info",
                "no fields"))
        .containsExactly("error\t17\ta\\tb\\\\\\n", "info\t-\t-", "-\t-\t-");
  }

  @Test
  void columnsStandBelowEachOther() {
    assertThat(
            lines(
                FieldRow.columns(FIELDS, Extract.NONE, true),
                "level=warning msg=x",
                "level=info user.id=17 msg=\"\u00fc y\""))
        .containsExactly("warn  -  x", "info  17  \u00fc y");
  }

  @Test
  void objectsHaveNullForWhatIsNotThere() {
    assertThat(lines(FieldRow.json(FIELDS, Extract.NONE), "level=\"a \\\"b\\\"\" msg=1"))
        .containsExactly("{\"level\":\"a \\\"b\\\"\",\"user.id\":null,\"msg\":\"1\"}");
  }

  @Test
  void whatANodeKnowsAndGroupsAreColumnsToo() {
    Extract extract = Extract.parse(List.of("took (?<ms>\\d+) ms"));
    FieldRow row = FieldRow.columns(List.of("topic", "time", "ms"), extract, false);
    row.know(Map.of("topic", "shop", "time", "2026-11-01T23:30:00Z"));
    assertThat(lines(row, "topic=x took 15 ms", "10:00:00 it took 7 ms", "took no ms"))
        .containsExactly(
            "shop\t2026-11-01T23:30:00Z\t15", "shop\t10:00:00\t7", "shop\t2026-11-01T23:30:00Z\t-");
  }

  @Test
  void tablesAreAligned() throws IOException {
    var out = new ByteArrayOutputStream();
    byte[] table = "path\tcount\n/a\t17\n/longer\t3\n".getBytes(StandardCharsets.UTF_8);
    Columns.align(new ByteArrayInputStream(table), out);
    assertThat(out.toString(StandardCharsets.UTF_8))
        .isEqualTo("path     count\n/a       17\n/longer  3\n");
  }
}
