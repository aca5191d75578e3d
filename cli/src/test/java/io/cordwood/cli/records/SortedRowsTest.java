package io.cordwood.cli.records;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class SortedRowsTest {
  private static final int BYTES_OF_ROW = 128;

  private static void addAll(SortedRows rows, @Nullable String... values) {
    for (String value : Arrays.asList(values)) {
      rows.add(value, String.valueOf(value), new byte[0]);
    }
  }

  private static String drained(SortedRows rows) throws IOException {
    List<String> drained = new ArrayList<>();
    long dropped = rows.drain((prefix, _) -> drained.add(prefix));
    return String.join(" ", drained) + ", " + dropped;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "f | 900ms 1s 5 7 b null, 0",
        "f:asc | 900ms 1s 5 7 b null, 0",
        "f:desc | b 7 5 1s 900ms null, 0",
      })
  void numbersComeBeforeTextsAndWhatHasNoValueLast(String sort, String expected)
      throws IOException {
    var rows = new SortedRows(sort, SortedRows.MAX_BYTES);
    addAll(rows, "7", null, "1s", "b", "900ms", "5");
    assertThat(drained(rows)).isEqualTo(expected);
    assertThat(rows.field()).isEqualTo("f");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {"f | 1 2 3, 3", "f:desc | 6 5 4, 3"})
  void beyondTheBoundThoseThatComeFirstAreKeptAndTheOthersCounted(String sort, String expected)
      throws IOException {
    var rows = new SortedRows(sort, 3 * (BYTES_OF_ROW + 2));
    addAll(rows, "4", "1", "6", "3", "5", "2");
    assertThat(drained(rows)).isEqualTo(expected);
  }
}
