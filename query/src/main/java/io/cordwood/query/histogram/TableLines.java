package io.cordwood.query.histogram;

import io.cordwood.common.text.Csv;
import io.cordwood.query.http.AnswerKind;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * Lines of a table that is no JSON: columns with a separator between, or as RFC 4180 has them, the
 * names first.
 */
record TableLines(AnswerKind kind, String separator, OutputStream out) {
  /** Writes the names, where they are written. */
  public TableLines names(String... names) throws IOException {
    if (kind == AnswerKind.CSV) {
      line(List.of(names));
    }
    return this;
  }

  /** Writes a line of values, which have no separator in text. */
  public void line(List<?> values) throws IOException {
    String text =
        kind == AnswerKind.CSV
            ? Csv.line(values)
            : values.stream().map(Objects::toString).collect(Collectors.joining(separator)) + "\n";
    out.write(text.getBytes(StandardCharsets.UTF_8));
  }
}
