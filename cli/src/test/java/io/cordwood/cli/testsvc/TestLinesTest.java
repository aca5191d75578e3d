package io.cordwood.cli.testsvc;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class TestLinesTest {
  private static final InstantSource CLOCK =
      InstantSource.fixed(Instant.parse("2026-03-10T12:30:00Z"));

  @Test
  void sameSeedGivesTheSameLines() throws IOException {
    assertThat(lines(7, 0, 500)).isEqualTo(lines(7, 0, 500)).isNotEqualTo(lines(8, 0, 500));
  }

  @Test
  void everyLineHoldsTheTimeOfDayOnce() throws IOException {
    assertThat(lines(7, 0, 5000))
        .allSatisfy(line -> assertThat(line).containsOnlyOnce("2026-03-10T12:30:00.000Z"))
        .noneMatch(line -> line.contains("%"));
  }

  @ParameterizedTest
  @ValueSource(ints = {TestLines.MIN_BYTES, 100, 512, 10_000})
  void linesHaveTheSizeThatIsAskedFor(int bytes) throws IOException {
    assertThat(lines(7, bytes, 300)).allMatch(line -> line.length() + 1 == bytes);
  }

  private static List<String> lines(long seed, int bytes, int count) throws IOException {
    TestLines lines = new TestLines(seed, bytes, CLOCK);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (int i = 0; i < count; i++) {
      lines.writeNext(out);
    }
    return out.toString(StandardCharsets.UTF_8).lines().toList();
  }
}
