package io.cordwood.cli.files;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.luben.zstd.Zstd;
import io.cordwood.cli.records.RecordPrinter;
import io.cordwood.common.segment.Batch;
import io.cordwood.common.segment.Records;
import io.cordwood.common.segment.SegmentFiles;
import io.cordwood.common.segment.Topic;
import io.cordwood.query.fields.Where;
import io.cordwood.query.fields.WhereMatchers;
import io.cordwood.query.match.Matcher;
import io.cordwood.query.match.Matchers;
import io.cordwood.query.match.PatternSpec;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class FileGrepTest {
  private static final FileGrep.Wanted ALL =
      wanted(false, FileGrep.Show.RECORDS, false, Long.MAX_VALUE, 0, 0);

  @TempDir private Path folder;

  static FileGrep.Wanted wanted(
      boolean invert, FileGrep.Show show, boolean prefixed, long first, int before, int after) {
    var label = new LineLabel(prefixed, false, false, false);
    var context = new FileGrep.Context(before, after);
    return new FileGrep.Wanted(invert, show, label, false, (byte) '\n', first, context, null);
  }

  private record Result(int code, String output) {}

  private static Result grep(FileGrep.Wanted wanted, String pattern, Path... files)
      throws IOException {
    return grep(wanted, Matchers.compile(PatternSpec.literal(pattern)), files);
  }

  private static Result grep(FileGrep.Wanted wanted, Matcher matcher, Path... files)
      throws IOException {
    var out = new ByteArrayOutputStream();
    var printer = new RecordPrinter(out, true, new RecordPrinter.Style(null, false, null));
    int code =
        new FileGrep(matcher, wanted, printer)
            .run(List.of(files).stream().map(Path::toString).toList(), FileTree.FLAT)
            .exitCode();
    return new Result(code, out.toString(StandardCharsets.UTF_8));
  }

  private Path file(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text);
  }

  @Test
  void linesThatMatchArePrinted() throws IOException {
    Path file = file("a", "one\ntwo\nthree\nno end: two");
    assertThat(grep(ALL, "two", file)).isEqualTo(new Result(0, "two\nno end: two\n"));
    assertThat(grep(ALL, "four", file)).isEqualTo(new Result(1, ""));
    assertThat(grep(ALL, "", file("empty", ""))).isEqualTo(new Result(1, ""));
  }

  @Test
  void linesThatDoNotMatchArePrintedIfAskedFor() throws IOException {
    var inverted = wanted(true, FileGrep.Show.RECORDS, false, 2, 0, 0);
    assertThat(grep(inverted, "t", file("a", "one\ntwo\n\nthree\nfour\n")))
        .isEqualTo(new Result(0, "one\n\n"));
  }

  @Test
  void filesHaveNoLabels() throws IOException {
    Path file = file("a", "pod=web-1\n@pod=web-1\nother\n");
    PatternSpec every = PatternSpec.literal("");
    Where label = Where.parse(List.of("@pod=web-1"));
    assertThat(grep(ALL, WhereMatchers.compile(every, false, label), file).output()).isEmpty();
    Where other = Where.parse(List.of("@pod!=web-1"));
    assertThat(grep(ALL, WhereMatchers.compile(every, false, other), file).output()).isEmpty();
    Where none = Where.parse(List.of("@pod?!=web-1 and pod=web-1"));
    assertThat(grep(ALL, WhereMatchers.compile(every, false, none), file).output())
        .isEqualTo("pod=web-1\n");
    Where quoted = Where.parse(List.of("\"@pod\"=web-1"));
    assertThat(grep(ALL, WhereMatchers.compile(every, false, quoted), file).output())
        .isEqualTo("@pod=web-1\n");
  }

  @Test
  void conditionsOnFieldsHoldOfWhatIsFound() throws IOException {
    Path file = file("a", "level=error a=1\nlevel=info error=1\n{\"level\":\"error\",\"a\":2}");
    Where where = Where.parse(List.of("level=error"));
    PatternSpec pattern = PatternSpec.literal("a=1");
    assertThat(
            grep(ALL, WhereMatchers.compile(PatternSpec.literal(""), false, where), file).output())
        .isEqualTo("level=error a=1\n{\"level\":\"error\",\"a\":2}\n");
    assertThat(grep(ALL, WhereMatchers.compile(pattern, false, where), file).output())
        .isEqualTo("level=error a=1\n");
    assertThat(grep(ALL, WhereMatchers.compile(pattern, true, where), file).output())
        .isEqualTo("{\"level\":\"error\",\"a\":2}\n");
  }

  @Test
  void namesAndCountsAreOfEachFile() throws IOException {
    Path a = file("a", "x\ny\nx\n");
    Path b = file("b", "y\n");
    var prefixed = wanted(false, FileGrep.Show.RECORDS, true, Long.MAX_VALUE, 0, 0);
    assertThat(grep(prefixed, "y", a, b).output()).isEqualTo(a + ":y\n" + b + ":y\n");
    var counted = wanted(false, FileGrep.Show.COUNT, true, Long.MAX_VALUE, 0, 0);
    assertThat(grep(counted, "x", a, b)).isEqualTo(new Result(0, a + ":2\n" + b + ":0\n"));
    var names = wanted(false, FileGrep.Show.NAME, true, Long.MAX_VALUE, 0, 0);
    assertThat(grep(names, "x", a, b)).isEqualTo(new Result(0, a + "\n"));
    var first = wanted(false, FileGrep.Show.RECORDS, false, 1, 0, 0);
    assertThat(grep(first, "", a, b).output()).isEqualTo("x\ny\n");
  }

  @Test
  void packedFilesAreRead() throws IOException {
    String text = "needle 1\nhay\n".repeat(50_000) + "needle 2";
    Path gzip = folder.resolve("a.gz");
    for (String part : List.of(text.substring(0, 1000), text.substring(1000))) {
      var bytes = new ByteArrayOutputStream();
      try (var out = new GZIPOutputStream(bytes)) {
        out.write(part.getBytes(StandardCharsets.UTF_8));
      }
      Files.write(
          gzip,
          bytes.toByteArray(),
          java.nio.file.StandardOpenOption.CREATE,
          java.nio.file.StandardOpenOption.APPEND); // a file of several members
    }
    Path zstd = folder.resolve("a.zst");
    Files.write(zstd, Zstd.compress(text.getBytes(StandardCharsets.UTF_8)));
    assertThat(grep(ALL, "needle 2", gzip, zstd).output()).isEqualTo("needle 2\nneedle 2\n");
    var counted = wanted(false, FileGrep.Show.COUNT, false, Long.MAX_VALUE, 0, 0);
    assertThat(grep(counted, "needle", gzip, zstd).output()).isEqualTo("50001\n50001\n");
  }

  @ParameterizedTest
  @ValueSource(ints = {5, 500})
  void tornPackedFileIsAnErrorAndWhatItHoldsIsSearched(int torn) throws IOException {
    var bytes = new ByteArrayOutputStream();
    try (var out = new GZIPOutputStream(bytes)) {
      for (int i = 0; i < 20_000; i++) {
        out.write(("line " + i + "\n").getBytes(StandardCharsets.UTF_8));
      }
    }
    Path file = folder.resolve("a.gz");
    Files.write(file, java.util.Arrays.copyOf(bytes.toByteArray(), bytes.size() - torn));
    Result result = grep(ALL, "line 7\n".strip(), file);
    assertThat(result.code()).isEqualTo(2);
    assertThat(result.output()).startsWith("line 7\n");
  }

  @Test
  void segmentsAreSearchedAndTheirDamageIsAnError() throws IOException {
    List<Batch> batches = List.of(new Records(3).batch(Topic.DEFAULT, 50));
    byte[] segment = SegmentFiles.storeSegment(batches);
    Path file = Files.write(folder.resolve("segment"), segment);
    var counted = wanted(false, FileGrep.Show.COUNT, false, Long.MAX_VALUE, 0, 0);
    String count = batches.getFirst().records() + "\n";
    assertThat(grep(counted, "", file)).isEqualTo(new Result(0, count));
    segment[segment.length / 3] ^= 1;
    Files.write(file, segment);
    assertThat(grep(counted, "", file).code()).isEqualTo(2);
  }

  @Test
  void filesThatCannotBeReadStopNothing() throws IOException {
    Path file = file("a", "x\n");
    var errors = new ByteArrayOutputStream();
    PrintStream before = System.err;
    System.setErr(new PrintStream(errors, true, StandardCharsets.UTF_8));
    try {
      assertThat(grep(ALL, "x", folder.resolve("missing"), folder, file))
          .isEqualTo(new Result(2, "x\n"));
    } finally {
      System.setErr(before);
    }
    assertThat(errors.toString(StandardCharsets.UTF_8))
        .contains("missing: no such file")
        .contains(folder + ": expected a file, found a folder");
  }
}
