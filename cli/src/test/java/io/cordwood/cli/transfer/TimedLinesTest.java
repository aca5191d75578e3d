package io.cordwood.cli.transfer;

import static java.nio.charset.StandardCharsets.UTF_16;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files as {@code cordwood import} reads them. */
final class TimedLinesTest {
  private static final Instant NOW = Instant.parse("2026-02-10T12:00:00Z");

  @TempDir private Path folder;
  private final List<String> given = new ArrayList<>();

  private TimedLines lines(Path file) {
    TimePattern pattern = TimePattern.parse("iso", ZoneId.of("America/New_York"), NOW);
    return new TimedLines(
        file.toString(),
        pattern,
        NOW,
        (bytes, from, to, millis) ->
            given.add(
                Instant.ofEpochMilli(millis) + " " + new String(bytes, from, to - from, UTF_8)));
  }

  private TimedLines read(byte[] bytes) throws IOException {
    TimedLines lines = lines(Files.write(folder.resolve("a.log"), bytes));
    lines.read(complaint -> given.add("complaint " + complaint));
    return lines;
  }

  private TimedLines read(String text) throws IOException {
    return read(text.getBytes(UTF_8));
  }

  @Test
  void aLineHasItsTimeOrThatOfTheLineBeforeAndBeforeTheFirstThatOfTheFirst() throws IOException {
    TimedLines lines =
        read("head\n\r\n2026-01-31 10:00:00Z a\n\tat b\n\n2026-01-31 09:00:00 UTC earlier\nlast");
    assertThat(given)
        .containsExactly(
            "2026-01-31T10:00:00Z head",
            "2026-01-31T10:00:00Z 2026-01-31 10:00:00Z a",
            "2026-01-31T10:00:00Z \tat b",
            "2026-01-31T09:00:00Z 2026-01-31 09:00:00 UTC earlier",
            "2026-01-31T09:00:00Z last");
    assertThat(lines.lines()).isEqualTo(5);
    assertThat(lines.withoutTime()).isEqualTo(3);
    assertThat(lines.from()).isEqualTo(Instant.parse("2026-01-31T09:00:00Z"));
    assertThat(lines.to()).isEqualTo(Instant.parse("2026-01-31T10:00:00Z"));
  }

  @Test
  void aZoneThatIsNotKnownIsSaidWithItsLineAndWhatMayBeDone() {
    assertThatThrownBy(() -> read("2026-01-31 10:00:00 CET a\n\n2026-01-31 10:00:01 CST b\n"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("a.log line 3: expected a zone that means one offset")
        .hasMessageContaining("found \"CST\"")
        .hasMessageContaining("in \"2026-01-31 10:00:01 CST b\"; a --time-pattern");
  }

  @Test
  void packedLinesAndThoseInUtf16AreReadAsPlainOnes() throws IOException {
    String text = "2026-01-31 10:00:00Z \u00e9\n";
    Path packed = folder.resolve("a.log.gz");
    try (var gzip = new GZIPOutputStream(Files.newOutputStream(packed))) {
      gzip.write(text.getBytes(UTF_8));
    }
    lines(packed).read(_ -> {});
    read(text.getBytes(UTF_16));
    read("\ufeff" + text);
    assertThat(given).hasSize(3).containsOnly("2026-01-31T10:00:00Z 2026-01-31 10:00:00Z \u00e9");
  }

  @Test
  void aFileThatIsCutIsAnError() throws IOException {
    Path packed = folder.resolve("a.log.gz");
    try (var gzip = new GZIPOutputStream(Files.newOutputStream(packed))) {
      for (int i = 0; i < 1000; i++) {
        gzip.write("2026-01-31 10:00:00Z %d\n".formatted(i * 7919).getBytes(UTF_8));
      }
    }
    byte[] whole = Files.readAllBytes(packed);
    Files.write(packed, Arrays.copyOf(whole, whole.length / 2));
    assertThatThrownBy(() -> lines(packed).read(_ -> {}))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith(packed + ": expected more packed lines after ")
        .hasMessageEndingWith(" bytes unpacked, found the file's end");
  }

  @Test
  void aTimeThatCannotBeRightIsAnError() {
    assertThatThrownBy(() -> read("1969-12-31 10:00:00Z a\n"))
        .hasMessageContaining("a.log line 1: expected a time from 1970 on");
    assertThatThrownBy(() -> read("2026-02-12 10:00:00Z a\n"))
        .hasMessageContaining("at most a day ahead, found 2026-02-12T10:00:00Z");
    assertThatThrownBy(() -> read("none\n".repeat(2)))
        .hasMessageContaining("found none in 2 lines, which begin with \"none\"");
  }

  @Test
  void aHeadWithoutATimeIsHeldUpToItsLimit() {
    assertThatThrownBy(() -> read("x".repeat(1000).concat("\n").repeat(1100)))
        .hasMessageContaining("expected a time in the first 256 bytes of a line, found none in 1");
    assertThat(given).isEmpty();
  }
}
