package io.cordwood.cli.files;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.query.fields.Extract;
import io.cordwood.query.fields.Where;
import io.cordwood.query.fields.WhereMatchers;
import io.cordwood.query.groups.RecordGroups;
import io.cordwood.query.groups.RecordGroups.Measured;
import io.cordwood.query.match.Matcher;
import io.cordwood.query.match.Matchers;
import io.cordwood.query.match.PatternSpec;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class FileStatsTest {
  private static final Matcher ALL = Matchers.compile(PatternSpec.literal(""));
  private static final Matcher OF_A = Matchers.compile(PatternSpec.literal("path=/a"));

  @TempDir private Path folder;

  private record Result(boolean whole, String output) {}

  private static Result count(Matcher matcher, boolean invert, Path... files) throws IOException {
    var groups =
        new RecordGroups(
            RecordGroups.Wanted.of(List.of("path"), List.of(new Measured("sum", "dur"))),
            Extract.NONE);
    boolean whole =
        new FileStats("stats", matcher, invert, (byte) '\n', groups)
            .count(List.of(files).stream().map(Path::toString).toList(), FileTree.FLAT);
    var out = new ByteArrayOutputStream();
    groups.write(out);
    return new Result(whole, out.toString(StandardCharsets.UTF_8));
  }

  private Path plain() throws IOException {
    return Files.writeString(
        folder.resolve("plain"), "path=/a dur=1s\n{\"path\":\"/b\",\"dur\":2}\nno field\npath=/a");
  }

  private Path packed() throws IOException {
    Path file = folder.resolve("packed");
    try (var out = new GZIPOutputStream(Files.newOutputStream(file))) {
      out.write("path=/a dur=500ms\n".getBytes(StandardCharsets.UTF_8));
    }
    return file;
  }

  @Test
  void recordsOfAllFilesAreCountedTogether() throws IOException {
    assertThat(count(ALL, false, plain(), packed()))
        .isEqualTo(new Result(true, "path\tcount\tsum(dur)\n/a\t3\t1.5\n/b\t1\t2\n-\t1\t-\n"));
  }

  @Test
  void thoseThatMatchAreCountedOrTheOthers() throws IOException {
    assertThat(count(OF_A, false, plain()).output()).endsWith("(dur)\n/a\t2\t1\n");
    assertThat(count(OF_A, true, plain()).output()).endsWith("(dur)\n/b\t1\t2\n-\t1\t-\n");
    Where where = Where.parse(List.of("dur>1"));
    Matcher slow = WhereMatchers.compile(PatternSpec.literal(""), false, where);
    assertThat(count(slow, false, plain()).output()).endsWith("(dur)\n/b\t1\t2\n");
  }

  @Test
  void whatCannotBeReadIsSkippedAndSaid() throws IOException {
    assertThat(count(OF_A, false, folder.resolve("none"), plain()))
        .isEqualTo(new Result(false, "path\tcount\tsum(dur)\n/a\t2\t1\n"));
  }
}
