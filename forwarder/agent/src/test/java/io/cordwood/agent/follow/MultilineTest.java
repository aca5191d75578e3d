package io.cordwood.agent.follow;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.common.wire.Labels;
import io.cordwood.common.wire.Origin;
import io.cordwood.forwarder.Lines;
import io.cordwood.forwarder.PreparedBatch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What runtimes print, in files whose names begin with the preset. A line of dashes ends each
 * record.
 */
final class MultilineTest {
  private static final Origin ORIGIN = new Origin("t", Labels.NONE);
  private static final Path TRACES = Path.of("src/test/resources/traces");
  private static final String END = "(?m)^----\n";

  static Stream<Path> traces() throws IOException {
    try (var files = Files.list(TRACES)) {
      return files.sorted().toList().stream();
    }
  }

  private static List<String> records(String preset, String text) {
    int at = PreparedBatch.payloadAt(ORIGIN);
    byte[] bytes = new byte[at + text.length() + 1];
    System.arraycopy(text.getBytes(ISO_8859_1), 0, bytes, at, text.length());
    var batch = new PreparedBatch(ORIGIN, bytes, () -> {});
    new RecordCutter(Multiline.parse(preset)).take(batch, at, text.length());
    List<String> records = new ArrayList<>();
    int from = at;
    for (int i = 0; i < batch.records(); i++) {
      int to = Lines.first((byte) 0, bytes, from, bytes.length);
      records.add(new String(bytes, from, to - from, ISO_8859_1));
      from = to + 1;
    }
    return records;
  }

  @ParameterizedTest
  @MethodSource("traces")
  void traceIsOneRecordAndNothingElseIsInIt(Path file) throws IOException {
    String preset = file.getFileName().toString().replaceAll("[-.].*", "");
    List<String> expected =
        Stream.of(Files.readString(file, ISO_8859_1).split(END))
            .map(String::stripTrailing)
            .toList();
    assertThat(records(preset, String.join("\n", expected) + "\n")).isEqualTo(expected);
  }

  /** As they are when lines come one by one: each record is whole when the next one begins. */
  @ParameterizedTest
  @MethodSource("traces")
  void linesThatComeOneByOneGiveTheSameRecords(Path file) throws IOException {
    String preset = file.getFileName().toString().replaceAll("[-.].*", "");
    String text = Files.readString(file, ISO_8859_1).replaceAll(END, "");
    var cutter = new RecordCutter(Multiline.parse(preset));
    List<String> records = new ArrayList<>();
    int from = 0;
    for (int to = text.indexOf('\n') + 1; to > 0; to = text.indexOf('\n', to) + 1) {
      byte[] bytes = (text.substring(from, to) + " ").getBytes(ISO_8859_1);
      int whole = cutter.wholeRecords(bytes, 0, bytes.length - 1);
      if (whole > 0) {
        records.addAll(records(preset, text.substring(from, from + whole)));
        from += whole;
      }
    }
    records.addAll(records(preset, text.substring(from)));
    assertThat(records).isEqualTo(records(preset, text));
  }

  @Test
  void presetThatThereIsNotIsRefusedWithThoseThatThereAre() {
    assertThatThrownBy(() -> Multiline.parse("perl"))
        .hasMessageContaining("expected dotnet, go, java, node, php, python, ruby, rust or a")
        .hasMessageEndingWith("found perl");
  }
}
