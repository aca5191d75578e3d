package io.cordwood.cli.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cordwood.common.segment.Batch;
import io.cordwood.common.segment.Records;
import io.cordwood.common.segment.Topic;
import io.cordwood.common.testing.ChildJvm;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.wire.Delimiter;
import io.cordwood.common.wire.Labels;
import io.cordwood.query.SegmentFixture;
import io.cordwood.query.TestCluster;
import io.cordwood.query.logql.Logql;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs the commands of {@code docs/questions.md} in one process, and compares what they print with
 * {@code answers.txt}, and those of {@code docs/moving.md} with {@code moved.txt}: each line that
 * begins with {@code $} is a command, and what it prints stands below. ULIDs and times of this year
 * are compared by their form.
 */
final class QuestionsTest {
  private static final Pattern ROW =
      Pattern.compile("(?m)^\\| (.*?) \\|(?: .* \\|)? `cordwood (.*)` \\|$");
  private static final Pattern MOMENT =
      Pattern.compile("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(?:\\.\\d+)?Z");
  private static final String FIXED = "2026-03-01T";

  @TempDir private Path folder;

  private static Batch at(
      String time, String topic, Map<String, String> labels, String... records) {
    return at(Instant.parse(FIXED + time + "Z"), topic, records).labelled(Labels.of(labels));
  }

  private static Batch at(Instant time, String topic, String... records) {
    return Records.batch(
        new Topic(topic),
        Delimiter.NUL,
        Ulid.firstOf(time.toEpochMilli()),
        Stream.of(records).map(r -> r.getBytes(StandardCharsets.UTF_8)).toList());
  }

  private static Batch request(String time, String service, String pod, String level, String rest) {
    return at(time, service, Map.of("pod", pod), json(time, service, level, rest));
  }

  private static String json(String time, String service, String level, String rest) {
    return "{\"@timestamp\":\"%s%sZ\",\"level\":\"%s\",\"service\":\"%s\",%s}"
        .formatted(FIXED, time, level, service, rest);
  }

  private static List<Batch> firstBatches() {
    String spring = " 1 --- [main] c.acme.Legacy : ";
    return List.of(
        request(
            "12:00:00",
            "checkout",
            "web-1",
            "INFO",
            "\"trace_id\":\"t-1\",\"user_id\":\"u1\",\"path\":\"/cart\",\"status\":200,"
                + "\"duration_ms\":12,\"message\":\"request handled in 12 ms\""),
        at(
            "12:00:05",
            "legacy",
            Map.of(),
            FIXED + "12:00:05.000Z  INFO" + spring + "started",
            FIXED
                + "12:00:06.000Z ERROR"
                + spring
                + "java.lang.IllegalStateException: boom 5\n\tat com.acme.Svc.m0(Svc.java:24)",
            FIXED + "12:00:07.000Z  WARN" + spring + "java.io.IOException: reset",
            FIXED + "12:00:08.000Z ERROR" + spring + "java.lang.IllegalStateException: boom 6"),
        // It comes after what it happened before.
        at(
            "12:00:25",
            "pay",
            Map.of("pod", "web-2"),
            json(
                "12:00:10",
                "pay",
                "INFO",
                "\"trace_id\":\"t-1\",\"user_id\":\"u2\",\"path\":\"/charge\",\"status\":200,"
                    + "\"duration_ms\":40,\"message\":\"request handled in 40 ms\"")),
        request(
            "12:00:20",
            "checkout",
            "web-1",
            "ERROR",
            "\"trace_id\":\"t-1\",\"user_id\":\"u2\",\"path\":\"/pay\",\"status\":503,"
                + "\"duration_ms\":950,\"message\":\"payment timeout after 900 ms\""));
  }

  private static List<Batch> laterBatches() {
    Instant now = Instant.now();
    return List.of(
        at(
            "12:00:30",
            "web",
            Map.of(),
            "10.0.0.1 - - [01/Mar/2026:12:00:30 +0000] \"GET /index HTTP/1.1\" 200 17",
            "10.0.0.1 - - [01/Mar/2026:12:00:31 +0000] \"GET /missing HTTP/1.1\" 404 5",
            "10.0.0.2 - - [01/Mar/2026:12:00:32 +0000] \"GET /health HTTP/1.1\" 200 2"),
        request(
            "12:01:10",
            "checkout",
            "web-1",
            "ERROR",
            "\"trace_id\":\"t-2\",\"user_id\":\"u1\",\"path\":\"/pay\",\"status\":502,"
                + "\"duration_ms\":700,\"message\":\"payment timeout after 700 ms\""),
        request(
            "12:01:20",
            "pay",
            "web-2",
            "INFO",
            "\"trace_id\":\"t-2\",\"user_id\":\"u3\",\"path\":\"/health\",\"status\":200,"
                + "\"duration_ms\":1,\"message\":\"health\""),
        at(
            now.minusSeconds(24 * 3600),
            "live",
            "{\"level\":\"error\",\"message\":\"nearly full\"}"),
        at(now.minusSeconds(300), "live", "{\"level\":\"error\",\"message\":\"disk full\"}"));
  }

  private static List<Batch> batches() {
    return Stream.of(firstBatches(), laterBatches()).flatMap(List::stream).toList();
  }

  @Test
  void eachQuestionIsAnsweredByItsCommand() throws Exception {
    List<String> commands = commands("questions.md");
    assertThat(commands).hasSizeGreaterThanOrEqualTo(40);
    try (var gzip = new GZIPOutputStream(Files.newOutputStream(folder.resolve("old.log.gz")))) {
      gzip.write("ERROR a\nINFO b\nERROR c\n".getBytes(StandardCharsets.US_ASCII));
    }
    String last = "\"path\":\"/pay\",\"status\":502";
    assertThat(run(commands, last)).isEqualTo(resource("answers.txt"));
  }

  @Test
  void whatIsAskedElsewhereIsAnsweredByItsCommand() throws Exception {
    List<String> commands = commands("moving.md");
    assertThat(commands).hasSizeGreaterThanOrEqualTo(12);
    assertThat(run(commands, "3\n")).isEqualTo(resource("moved.txt"));
    assertThat(rows("moving.md").map(row -> unquoted(row.group(1))))
        .allSatisfy(logql -> assertThat(Logql.parse(logql)).isNotNull());
  }

  private static List<String> commands(String document) throws IOException {
    return rows(document).map(row -> row.group(2)).toList();
  }

  private static Stream<MatchResult> rows(String document) throws IOException {
    return ROW.matcher(Files.readString(Path.of("../docs", document))).results();
  }

  private static String unquoted(String cell) {
    return cell.substring(1, cell.length() - 1).replace("\\|", "|");
  }

  private static String resource(String name) throws IOException {
    try (var in = QuestionsTest.class.getResourceAsStream(name)) {
      return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private String run(List<String> commands, String last) throws Exception {
    try (var cluster = new TestCluster(1)) {
      cluster.store("store", new SegmentFixture(1, 1, batches()));
      return plain(run(commands, cluster.nodes.getFirst().port(), last));
    }
  }

  /** All commands, each with what it prints; the last one need have no end. */
  private String run(List<String> commands, int port, String last) throws Exception {
    List<String> lines = commands.stream().map(line -> words(line, port)).toList();
    Path file = Files.write(folder.resolve("commands"), lines);
    Path out = folder.resolve("out");
    ProcessBuilder builder = ChildJvm.of(List.of(), QuestionRunner.class, file.toString());
    builder.directory(folder.toFile()).redirectErrorStream(true).redirectOutput(out.toFile());
    Process process = builder.start();
    try {
      await().until(() -> !process.isAlive() || answered(out).size() == commands.size());
      await().until(() -> !process.isAlive() || answered(out).getLast().contains(last));
    } finally {
      process.destroyForcibly();
      process.waitFor();
    }
    List<String> printed = answered(out);
    var all = new StringBuilder();
    for (int i = 0; i < commands.size(); i++) {
      String answer = i < printed.size() ? printed.get(i) : "no answer\n";
      all.append("$ ").append(commands.get(i)).append('\n').append(answer);
    }
    return all.toString();
  }

  private static List<String> answered(Path out) {
    try {
      return List.of(Files.readString(out).split(Pattern.quote(QuestionRunner.END), -1));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String words(String command, int port) {
    List<String> words = new ArrayList<>();
    StringBuilder word = new StringBuilder();
    boolean isQuoted = false;
    for (char c : (command + " ").toCharArray()) {
      if (c == '\'') {
        isQuoted = !isQuoted;
      } else if (c == ' ' && !isQuoted) {
        words.add(word.toString());
        word.setLength(0);
      } else {
        word.append(c);
      }
    }
    if (!command.endsWith(".gz")) {
      words.add("--node=localhost:" + port);
    }
    return String.join(QuestionRunner.SEPARATOR, words);
  }

  /** Times but those of the fixture, by their form alone. */
  private static String plain(String text) {
    return MOMENT
        .matcher(text.replace("\r", ""))
        .replaceAll(time -> time.group().startsWith(FIXED) ? time.group() : "TIME");
  }
}
