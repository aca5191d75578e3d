package io.cordwood.cli.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The lines that {@code docs/moving.md} makes of those of other servers have times to import. */
final class MovedLinesTest {
  private static final Instant FIRST = Instant.parse("2026-03-01T12:00:05Z");

  @Test
  void theTimesOfTheDocumentAreFound() throws Exception {
    String block = Files.readString(Path.of("../docs/moving.md")).split("```text\n", 2)[1];
    List<String> lines = block.split("```", 2)[0].lines().toList();
    var pattern = TimePattern.parse("iso", ZoneOffset.UTC, FIRST.plusSeconds(60));
    List<Long> seconds = lines.stream().map(it -> pattern.find(it).orElseThrow() / 1000).toList();
    long first = FIRST.getEpochSecond();
    assertThat(seconds).isEqualTo(IntStream.range(0, 3).mapToObj(i -> first + i).toList());
  }
}
