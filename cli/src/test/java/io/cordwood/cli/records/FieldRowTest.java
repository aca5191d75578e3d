package io.cordwood.cli.records;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.query.fields.FieldPath;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class FieldRowTest {
  private static final List<FieldPath> FIELDS =
      Stream.of("level", "user.id", "msg").map(FieldPath::of).toList();

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
                FieldRow.columns(FIELDS, false),
                "{\"level\":\"error\",\"user\":{\"id\":17},\"msg\":\"a\\tb\\\\\\n\"}",
                "level=info",
                "no fields"))
        .containsExactly("error\t17\ta\\tb\\\\\\n", "info\t-\t-", "-\t-\t-");
  }

  @Test
  void columnsStandBelowEachOther() {
    assertThat(
            lines(
                FieldRow.columns(FIELDS, true),
                "level=warning msg=x",
                "level=info user.id=17 msg=\"\u00fc y\""))
        .containsExactly("warning  -  x", "info     17  \u00fc y");
  }

  @Test
  void objectsHaveNullForWhatIsNotThere() {
    assertThat(lines(FieldRow.json(FIELDS), "level=\"a \\\"b\\\"\" msg=1"))
        .containsExactly("{\"level\":\"a \\\"b\\\"\",\"user.id\":null,\"msg\":\"1\"}");
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
