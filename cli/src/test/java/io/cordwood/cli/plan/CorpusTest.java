package io.cordwood.cli.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Lines are measured by segments that are made of them. */
final class CorpusTest {
  private static final int BYTES = 2 << 20;

  @TempDir Path folder;

  private Path file(String text) throws IOException {
    return Files.writeString(folder.resolve("lines"), text);
  }

  private static String lines(int bytes) {
    var random = new Random(46);
    var text = new StringBuilder();
    while (text.length() < bytes) {
      text.append(
          "GET /items/%05d from 10.0.0.%d took %d ms%n"
              .formatted(random.nextInt(100_000), random.nextInt(250), random.nextInt(1000)));
    }
    return text.toString();
  }

  @Test
  void bytesAndProcessorTimeAreThoseOfASegmentOfTheLines() throws IOException {
    String lines = lines(BYTES);
    Corpus corpus = Corpus.measure(file(lines));
    assertThat(corpus.bytes()).isEqualTo(lines.length());
    assertThat(corpus.lineBytes()).isEqualTo((double) lines.length() / lines.lines().count());
    assertThat(corpus.firstSize()).isBetween(0.1, 0.6);
    assertThat(corpus.settledSize()).isPositive().isLessThan(corpus.firstSize());
    assertThat(corpus.buildCpu()).isPositive();
    assertThat(corpus.settleCpu()).isPositive();
  }

  @Test
  void planRestsOnThem() throws Exception {
    PlanRun run =
        PlanRun.of("--load=1000lines/s", "--corpus=" + file(lines(BYTES)), "--set=settle_cpu=7");
    Corpus corpus = run.costs().corpus().orElseThrow();
    assertThat(run.plan().load().bytesPerSecond()).isEqualTo(1000 * corpus.lineBytes());
    assertThat(run.plan().parameters().of(Parameter.FIRST_SIZE)).isEqualTo(corpus.firstSize());
    assertThat(run.plan().parameters().of(Parameter.WRITE_CPU))
        .isGreaterThanOrEqualTo(corpus.buildCpu());
    assertThat(run.plan().parameters().of(Parameter.SETTLE_CPU)).isEqualTo(7);
    assertThat(run.text()).contains("(2.10 MB of your lines, 44.4 bytes each)");
  }

  @Test
  void fewLinesAreTooSmallToSay() throws IOException {
    Path few = file(lines(1024).substring(0, 1024));
    assertThatThrownBy(() -> Corpus.measure(few))
        .hasMessage(
            "--corpus: %s: expected at least 1.0 MiB of lines, found 1.0 KiB: too small to say",
            few);
  }

  @Test
  void packedFilesAndFilesWithoutLinesAreNone() throws IOException {
    var packed = new ByteArrayOutputStream();
    try (var gzip = new GZIPOutputStream(packed)) {
      gzip.write(lines(BYTES).getBytes(StandardCharsets.UTF_8));
    }
    Path file = Files.write(folder.resolve("lines.gz"), packed.toByteArray());
    assertThatThrownBy(() -> Corpus.measure(file))
        .hasMessage("--corpus: %s: expected lines, found a packed file; unpack it first", file);
    Path one = file("x".repeat(BYTES));
    assertThatThrownBy(() -> Corpus.measure(one))
        .hasMessage(
            "--corpus: %s: expected lines of at most 1.0 MiB, found a longer one at byte 0", one);
  }
}
