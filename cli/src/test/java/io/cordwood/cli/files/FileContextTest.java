package io.cordwood.cli.files;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.cli.records.RecordPrinter;
import io.cordwood.query.match.Matchers;
import io.cordwood.query.match.PatternSpec;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Context of matches in files is what a naive look at all lines gives. */
final class FileContextTest {
  @TempDir private Path folder;

  private static String grep(FileGrep.Wanted wanted, Path... files) throws IOException {
    var out = new ByteArrayOutputStream();
    var printer = new RecordPrinter(out, true, new RecordPrinter.Style(null, false, null));
    new FileGrep(Matchers.compile(PatternSpec.literal("hit")), wanted, printer)
        .run(Stream.of(files).map(Path::toString).toList(), FileTree.FLAT);
    return out.toString(StandardCharsets.UTF_8);
  }

  private static FileGrep.Wanted wanted(boolean invert, long first, int before, int after) {
    return FileGrepTest.wanted(invert, FileGrep.Show.RECORDS, false, first, before, after);
  }

  private static String naive(List<String> lines, FileGrep.Wanted wanted) {
    boolean[] shown = new boolean[lines.size()];
    long left = wanted.first();
    for (int i = 0; i < shown.length && left > 0; i++) {
      if (lines.get(i).contains("hit") != wanted.invert()) {
        left--;
        int end = Math.min(shown.length, i + wanted.context().after() + 1);
        for (int at = Math.max(0, i - wanted.context().before()); at < end; at++) {
          shown[at] = true;
        }
      }
    }
    var text = new StringBuilder();
    boolean context = wanted.context().before() + wanted.context().after() > 0;
    for (int i = 0; i < shown.length; i++) {
      if (shown[i]) {
        text.append(context && i > 0 && !shown[i - 1] && !text.isEmpty() ? "--\n" : "");
        text.append(lines.get(i)).append('\n');
      }
    }
    return text.toString();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void contextIsThatOfANaiveSearch(long seed) throws IOException {
    var random = new SplittableRandom(seed);
    for (int round = 0; round < 60; round++) {
      // Longer lines lie in several of the blocks that a file is read in.
      int longest = round % 3 == 0 ? 60_000 : 3;
      int every = 1 + random.nextInt(12);
      List<String> lines = new ArrayList<>();
      for (int i = 0; i < 40; i++) {
        lines.add((random.nextInt(every) == 0 ? "hit" : "") + "x".repeat(random.nextInt(longest)));
      }
      Path file = Files.writeString(folder.resolve("f"), String.join("\n", lines) + "\n");
      var wanted =
          wanted(
              random.nextInt(4) == 0,
              random.nextInt(3) == 0 ? 1 + random.nextInt(4) : Long.MAX_VALUE,
              random.nextInt(4),
              random.nextInt(4));
      assertThat(grep(wanted, file))
          .as("seed %d, round %d, %s", seed, round, wanted)
          .isEqualTo(naive(lines, wanted));
    }
  }

  @Test
  void groupsOfFilesArePartedAndLinesSayWhatTheyAre() throws IOException {
    Path a = Files.writeString(folder.resolve("a"), "0\nhit\n2\n");
    Path b = Files.writeString(folder.resolve("b"), "hit\n1\n2\n");
    var named = FileGrepTest.wanted(false, FileGrep.Show.RECORDS, true, Long.MAX_VALUE, 1, 1);
    assertThat(grep(named, a, b))
        .isEqualTo("%s-0\n%s:hit\n%s-2\n--\n%s:hit\n%s-1\n".formatted(a, a, a, b, b));
    var counted = FileGrepTest.wanted(false, FileGrep.Show.COUNT, false, Long.MAX_VALUE, 1, 1);
    assertThat(grep(counted, a)).isEqualTo("1\n");
  }

  @Test
  void whatIsHeldBeforeAMatchIsBounded() throws IOException {
    String line = "x".repeat(1 << 20);
    Path file = folder.resolve("large");
    Files.writeString(file, (line + "\n").repeat(20) + "hit\n");
    String found = grep(wanted(false, Long.MAX_VALUE, 1000, 0), file);
    assertThat(found.length()).isBetween(7 << 20, FileContext.MAX_HELD_BYTES + (1 << 20));
    assertThat(found).endsWith("x\nhit\n");
  }
}
