package io.cordwood.agent.follow;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Records of containers come back as they were printed, whatever runtimes write around them. */
final class ContainerFilesTest {
  @TempDir private Path folder;

  private Path file() {
    return folder.resolve("0.log");
  }

  private static String cri(int second, String rest) {
    return "2026-11-27T09:%02d:%02d.123456789Z %s\n".formatted(second / 60, second % 60, rest);
  }

  private void add(String... lines) throws IOException {
    for (String line : lines) {
      Files.writeString(file(), line, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }
  }

  private ContainerFixture fixture(LineFormat format, String multiline) throws IOException {
    return new ContainerFixture(file(), format, multiline);
  }

  @Test
  void piecesOfKubeletsFilesAreJoinedByStream() throws IOException {
    add(
        cri(1, "stdout P one "),
        cri(1, "stderr F two"),
        cri(1, "stdout P and "),
        cri(1, "stdout F three"),
        cri(2, "stdout F "),
        cri(2, "stderr F:x four five"));
    try (var file = fixture(LineFormat.auto, "")) {
      assertThat(file.read())
          .containsExactlyInAnyOrder("stdout one and three", "stderr two", "stderr four five");
      assertThat(file.counters.blankLines.sum()).isOne();
      assertThat(file.counters.linesUnlike.sum()).isZero();
    }
  }

  @Test
  void textsOfDockersFilesAreWithoutTheirEscapes() throws IOException {
    add(
        """
        {"log":"a \\"b\\" \\\\n \\u00e9\\ud83d\\ude00\\u003c\\n",\
        "stream":"stdout","time":"2026-11-27T09:00:00.1Z"}
        {"log":"part ","stream":"stderr","time":"2026-11-27T09:00:00.2Z"}
        {"log":"c\\n","stream":"stdout","attrs":{"tag":"x,}","n":[1,{"a":2}]},\
        "time":"2026-11-27T09:00:00.2Z"}
        {"log":"whole\\\\\\n","stream":"stderr","time":"2026-11-27T09:00:00.3Z"}
        {"log":"x \\ud83d y\\tz\\n","stream":"stderr","time":"2026-11-27T09:00:00.3Z"}
        """);
    try (var file = fixture(LineFormat.auto, "")) {
      assertThat(file.read())
          .containsExactlyInAnyOrder(
              "stdout a \"b\" \\n é😀<", "stdout c", "stderr part whole\\", "stderr x \uFFFD y\tz");
      assertThat(file.counters.linesUnlike.sum()).isZero();
    }
  }

  @Test
  void linesOfNoRuntimeAreKeptAndCounted() throws IOException {
    List<String> odd =
        List.of(
            "no time",
            "2026-11-27T09:00:00Z stdout",
            "2026-11-27T09:00:00Z stdout X text",
            "2026-11-27T09:00:00Z stdin F text",
            "2026-11-27T09:00:00Z stdout FP text",
            "{\"log\":\"a\\n\",\"stream\":\"stdout\",\"time\":\"2026-11-27T09:00:00Z\"}");
    add(cri(1, "stdout F first"));
    add(String.join("\n", odd) + "\n", "2026-13-27T09:00:00Z stdout F odd time\n");
    try (var file = fixture(LineFormat.auto, "")) {
      List<String> expected = new ArrayList<>(odd.stream().map(line -> "none " + line).toList());
      expected.addAll(List.of("stdout first", "stdout odd time"));
      assertThat(file.read()).containsExactlyInAnyOrderElementsOf(expected);
      assertThat(file.counters.linesUnlike.sum()).isEqualTo(odd.size());
      assertThat(file.counters.timesReplaced.sum()).isEqualTo(odd.size() + 1);
    }
  }

  @Test
  void eachBrokenLineOfDockerIsKept() throws IOException {
    String line =
        "{\"log\":\"a\\u0041\\n\",\"stream\":\"stdout\",\"time\":\"2026-11-27T09:00:00Z\"}";
    add(line + "\n");
    for (int length = 1; length < line.length(); length++) {
      add(line.substring(0, length) + "\n");
    }
    try (var file = fixture(LineFormat.auto, "")) {
      List<String> records = file.read();
      assertThat(records).hasSize(line.length()).startsWith("stdout aA");
      assertThat(file.counters.linesUnlike.sum()).isEqualTo(line.length() - 1);
    }
  }

  @Test
  void theFirstLineShowsTheFormat() throws IOException {
    add("2026-11-27T09:00:00Z std");
    try (var file = fixture(LineFormat.auto, "")) {
      assertThat(file.read()).as("not there yet").isEmpty();
    }
    add("out F text\n");
    try (var file = fixture(LineFormat.auto, "")) {
      assertThat(file.read()).containsExactly("stdout text");
    }
    try (var file = fixture(LineFormat.plain, "")) {
      assertThat(file.read()).containsExactly("none 2026-11-27T09:00:00Z stdout F text");
    }
    Files.writeString(file(), "a line\n" + cri(1, "stdout F text"));
    try (var file = fixture(LineFormat.auto, "")) {
      assertThat(file.read()).hasSize(2).allMatch(record -> record.startsWith("none "));
    }
    Files.writeString(file(), "{\"log\":\"an application's\",\"level\":1}\n");
    try (var file = fixture(LineFormat.auto, "")) {
      assertThat(file.read()).containsExactly("none {\"log\":\"an application's\",\"level\":1}");
    }
  }

  @Test
  void stackTraceIsOneRecordThoughTheOtherStreamIsWithinIt() throws IOException {
    add(
        cri(1, "stderr F Exception in thread \"main\" java.lang.IllegalStateException: x"),
        cri(1, "stdout F a"),
        cri(1, "stderr P \tat shop.Or"),
        cri(1, "stdout F b"),
        cri(1, "stderr F der.main(Order.java:1)"),
        cri(1, "stderr F "),
        cri(1, "stderr F Caused by: java.io.IOException: y"));
    try (var file = fixture(LineFormat.auto, "java")) {
      assertThat(file.read()).as("the trace may go on").isEmpty();
      add(cri(1, "stderr F \tat shop.Disk.read(Disk.java:2)"), cri(9, "stdout F c"));
      String trace =
          """
          stderr Exception in thread "main" java.lang.IllegalStateException: x
          \tat shop.Order.main(Order.java:1)

          Caused by: java.io.IOException: y
          \tat shop.Disk.read(Disk.java:2)\
          """;
      List<String> records = file.read(Duration.ofSeconds(5));
      assertThat(records).containsExactlyInAnyOrder(trace, "stdout a", "stdout b");
      assertThat(file.readAgain()).isEqualTo(records);
      file.end();
      assertThat(file.read()).containsExactly("stdout c");
    }
  }

  @Test
  void piecesThatNeverEndAreCutAtTheLimitAndCounted() throws IOException {
    String piece = "x".repeat(16 << 10);
    var lines = new StringBuilder();
    int pieces = 200;
    for (int i = 0; i < pieces; i++) {
      lines.append(cri(1, "stdout P " + piece));
    }
    add(lines.toString());
    try (var file = fixture(LineFormat.auto, "")) {
      List<String> records = file.read();
      assertThat(file.counters.longRecords.sum()).isEqualTo(records.size());
      file.end();
      records.addAll(file.read());
      assertThat(records).allMatch(record -> record.length() <= 1 << 20).hasSizeBetween(4, 5);
      assertThat(records.stream().mapToInt(record -> record.length() - "stdout ".length()).sum())
          .isEqualTo(pieces * piece.length());
    }
  }

  @Test
  void piecesOfBothStreamsThatNeverEndAreCutAndStayApart() throws IOException {
    var lines = new StringBuilder();
    int pieces = 200;
    for (int i = 0; i < pieces; i++) {
      boolean isOut = i % 3 > 0;
      lines.append(cri(1, (isOut ? "stdout P " : "stderr P ") + (isOut ? "o" : "e").repeat(16384)));
    }
    add(lines.toString());
    try (var file = fixture(LineFormat.auto, "java")) {
      List<String> records = file.read();
      file.end();
      records.addAll(file.read());
      assertThat(records)
          .hasSizeBetween(6, 12)
          .allMatch(record -> record.matches("stdout o+|stderr e+"));
      assertThat(records.stream().mapToInt(record -> record.length() - "stdout ".length()).sum())
          .isEqualTo(pieces * 16384);
      assertThat(file.readAgain()).isEqualTo(records);
    }
  }

  @Test
  void endThatDoesNotComeHoldsUpTheOtherStreamForFiveSeconds() throws IOException {
    add(cri(1, "stdout P prompt"), cri(2, "stderr F a"));
    try (var file = fixture(LineFormat.auto, "")) {
      assertThat(file.read()).isEmpty();
      add(cri(7, "stderr F b"));
      assertThat(file.read()).containsExactlyInAnyOrder("stdout prompt", "stderr a", "stderr b");
    }
  }

  /** Whatever is planned is made again as it was; nothing is lost, nothing is there twice. */
  @Test
  void recordsAreTheSameWhereverReadingStopsAndWhenTheyAreMadeAgain() throws IOException {
    var random = new Random(Long.getLong("cordwood.seed", 45));
    for (String multiline : List.of("", "java", "^\\S")) {
      for (int round = 0; round < 100; round++) {
        Files.deleteIfExists(file());
        String text = text(random);
        List<String> made = new ArrayList<>();
        List<String> whole;
        try (var file = fixture(LineFormat.cri, multiline)) {
          int at = 0;
          while (at < text.length()) {
            int to = Math.min(text.length(), at + 1 + random.nextInt(300));
            add(text.substring(at, to));
            made.addAll(file.read());
            at = to;
          }
          file.end();
          made.addAll(file.read());
          assertThat(file.readAgain()).isEqualTo(made);
        }
        try (var file = fixture(LineFormat.cri, multiline)) {
          file.end();
          whole = file.read();
        }
        assertThat(made).containsExactlyInAnyOrderElementsOf(whole);
      }
    }
  }

  private static String text(Random random) {
    var text = new StringBuilder();
    String[] lines = {
      "F java.lang.Error: x", "F \tat a.B.c(D.java:1)", "F ", "F word", "P half ", "F  indented"
    };
    for (int i = 0; i < 40; i++) {
      String stream = random.nextBoolean() ? "stdout " : "stderr ";
      text.append(cri(1, stream + lines[random.nextInt(lines.length)]));
    }
    text.append(cri(1, "stdout F end")).append(cri(1, "stderr F end"));
    return text.toString();
  }
}
