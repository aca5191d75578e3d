package io.cordwood.cli.transfer;

import static io.cordwood.cli.transfer.ScriptedNode.CLOSED;
import static io.cordwood.cli.transfer.ScriptedNode.broken;
import static io.cordwood.cli.transfer.ScriptedNode.refusal;
import static io.cordwood.cli.transfer.ScriptedNode.whole;
import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.cli.program.CommandRun;
import io.cordwood.common.ulid.Ulid;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Exports from nodes that misbehave: sockets that answer with bytes. */
final class ExportTest {
  private static final String COMPLETE = "cordwood-verdict: complete";
  private static final String DOUBTFUL = "cordwood-verdict: possibly-incomplete";
  private static final String STOPPED = "cordwood-stopped: the limit of records was reached";
  private static final String MISSING = "cordwood-missing: store s3 ../.. no answer for 10 s";

  @TempDir private Path folder;

  private static String ulid(int second) {
    return Ulid.firstOf(1_700_000_000_000L + 1000L * second).toString();
  }

  /** What was not searched, from a second on. */
  private static String unsearched(int second) {
    return "cordwood-unsearched: " + ulid(second) + "-" + Ulid.MAX;
  }

  private static String record(int second, String topic) {
    return "{\"ulid\":\"%s\",\"time\":\"x\",\"topic\":\"%s\",\"record\":\"%d %s\"}\n"
        .formatted(ulid(second), topic, second, topic);
  }

  private static String records(int... seconds) {
    StringBuilder all = new StringBuilder();
    Arrays.stream(seconds).forEach(second -> all.append(record(second, "t")));
    return all.toString();
  }

  private static String counted(long records, String verdict) {
    return whole(records + "\n", verdict, "cordwood-matches: " + records);
  }

  private Path out() {
    return folder.resolve("out.log");
  }

  private Path part() {
    return folder.resolve("out.log.part");
  }

  private CommandRun export(ScriptedNode node, String... more) {
    List<String> all = new ArrayList<>(List.of("--node", node.address(), "-o", out().toString()));
    all.addAll(List.of(more));
    return CommandRun.of("export", new ExportCommand(), all.toArray(String[]::new));
  }

  private void assertWhole(CommandRun run, String lines) {
    assertThat(run.code()).as(run.err()).isZero();
    assertThat(out()).hasContent(lines);
    assertThat(part()).doesNotExist();
  }

  private void assertLacking(CommandRun run, String why) {
    assertThat(run.code()).as(run.err()).isEqualTo(2);
    assertThat(run.err()).contains(why);
    assertThat(out()).doesNotExist();
    assertThat(part()).exists();
  }

  @Test
  void aNodeThatAStoppedAnswerLackedIsNotForgottenWhenTheNextOneIsComplete() throws IOException {
    try (var node =
        new ScriptedNode(
            whole(records(1, 2), DOUBTFUL, STOPPED, MISSING),
            whole(records(2, 5), COMPLETE),
            counted(4, COMPLETE))) {
      CommandRun run = export(node, "--topic", "t");
      assertLacking(run, "store s3 ../.. no answer for 10 s");
      assertThat(run.err()).contains("expected the 2 that were written, found 4");
      assertThat(part()).hasContent("1 t\n2 t\n5 t\n");
      assertThat(node.requests().get(1)).contains("from=" + ulid(2)).contains("topic=t");
      assertThat(node.requests().get(2))
          .contains("count=true")
          .contains("to=" + ulid(2))
          .contains("topic=t");
    }
  }

  /** Its records are on others, too. */
  @Test
  void aNodeThatAStoppedAnswerLackedIsNotMissedIfAllThatIsThereWasWritten() throws IOException {
    try (var node =
        new ScriptedNode(
            whole(records(1, 2), DOUBTFUL, STOPPED, MISSING),
            whole(records(2, 5), COMPLETE),
            counted(2, COMPLETE))) {
      assertWhole(export(node), "1 t\n2 t\n5 t\n");
    }
  }

  @Test
  void anAnswerThatBreaksOffIsCountedAgain() throws IOException {
    for (int found : new int[] {2, 3}) {
      try (var node =
          new ScriptedNode(
              broken(records(1, 2)), whole(records(2, 5), COMPLETE), counted(found, COMPLETE))) {
        CommandRun run = export(node);
        if (found == 2) {
          assertWhole(run, "1 t\n2 t\n5 t\n");
          Files.delete(out());
        } else {
          assertLacking(run, "expected the 2 that were written, found 3");
        }
        assertThat(run.err()).contains("; going on after " + ulid(2));
      }
    }
  }

  @Test
  void aCountThatLacksANodeProvesNothing() throws IOException {
    try (var node =
        new ScriptedNode(
            broken(records(1)),
            whole(records(1), COMPLETE),
            whole("1\n", DOUBTFUL, MISSING, "cordwood-matches: 1"))) {
      assertLacking(export(node), "store s3 ../.. no answer for 10 s");
    }
  }

  /** Both topics have a record with the ULID at which the answer breaks off. */
  @Test
  void recordsOfTwoTopicsWithOneUlidAreEachThereOnceAcrossABreak() throws IOException {
    String both = record(2, "a") + record(2, "b");
    try (var node =
        new ScriptedNode(
            broken(record(1, "a") + record(2, "a")),
            whole(both + record(3, "a"), COMPLETE),
            counted(3, COMPLETE))) {
      assertWhole(export(node), "1 a\n2 a\n2 b\n3 a\n");
    }
  }

  /** Batches of two senders may have one ULID in one topic, and are told apart by their labels. */
  @Test
  void recordsOfOneUlidWithDifferentLabelsAreEachThereOnceAcrossABreak() throws IOException {
    String plain = record(2, "a");
    String web = labelled(2, "web");
    try (var node =
        new ScriptedNode(
            broken(record(1, "a") + plain),
            whole(plain + web + labelled(2, "db") + record(3, "a"), COMPLETE),
            counted(4, COMPLETE))) {
      assertWhole(export(node), "1 a\n2 a\n2 web\n2 db\n3 a\n");
    }
  }

  private static String labelled(int second, String pod) {
    return "{\"ulid\":\"%s\",\"topic\":\"a\",\"labels\":{\"pod\":\"%s\"},\"record\":\"%d %s\"}\n"
        .formatted(ulid(second), pod, second, pod);
  }

  /** A node that is too late: others gave what is after what it still had to give. */
  @Test
  void whatAStoppedAnswerDidNotSearchBeforeItsLastRecordIsCounted() throws IOException {
    try (var node =
        new ScriptedNode(
            whole(records(1, 4), DOUBTFUL, "cordwood-stopped: time was up", unsearched(2)),
            whole(records(4, 5), COMPLETE),
            counted(3, COMPLETE))) {
      assertLacking(export(node), "expected the 2 that were written, found 3");
    }
  }

  @Test
  void anExportGoesOnAfterAStoppedAnswerAlthoughItsNodeIsAwayForAWhile() throws IOException {
    try (var node =
        new ScriptedNode(
            whole(records(1), DOUBTFUL, STOPPED, unsearched(2)),
            CLOSED,
            refusal("503 Service Unavailable"),
            refusal("429 Too Many Requests"),
            whole(records(1, 2), DOUBTFUL, STOPPED, unsearched(3)),
            CLOSED,
            whole(records(2, 3), COMPLETE))) {
      CommandRun run = export(node);
      assertWhole(run, "1 t\n2 t\n3 t\n");
      assertThat(run.err()).containsOnlyOnce("going on after " + ulid(1));
      assertThat(node.requests()).hasSize(7);
    }
  }

  @Test
  void anAnswerWithoutAVerdictIsNotComplete() throws IOException {
    try (var node = new ScriptedNode(whole(records(1)))) {
      assertLacking(export(node), "expected a verdict after the records, found none");
    }
  }

  @Test
  void aStoppedAnswerWithoutANewRecordEndsAnExport() throws IOException {
    try (var node =
        new ScriptedNode(
            whole(records(1), DOUBTFUL, STOPPED, unsearched(2)),
            whole(records(1), DOUBTFUL, STOPPED, unsearched(2)))) {
      assertLacking(export(node), "the limit of records was reached");
    }
  }

  @Test
  void aLineThatIsNoJsonIsAskedForAgain() throws IOException {
    try (var node =
        new ScriptedNode(
            whole(records(1) + "Bad Gateway\n", COMPLETE),
            whole(records(1, 2), COMPLETE),
            counted(1, COMPLETE))) {
      assertWhole(export(node), "1 t\n2 t\n");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {CLOSED, "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<html>"})
  void aNodeThatDoesNotAnswerLeavesAnUnfinishedFileAsItIs(String answer) throws IOException {
    Files.writeString(part(), "of the export before");
    try (var node = new ScriptedNode(answer)) {
      CommandRun run = export(node);
      assertThat(run.code()).isEqualTo(2);
      assertThat(run.err()).contains(node.address());
    }
    assertThat(part()).hasContent("of the export before");
    assertThat(out()).doesNotExist();
  }

  /**
   * Two that write one file would make one of both, and the first to end would give it its name.
   */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aFileThatAnotherExportWritesIsLeftToIt(boolean packed) throws IOException {
    String[] more = packed ? new String[] {"--zstd"} : new String[0];
    String answer = whole(records(1, 2), COMPLETE);
    try (var first = new ExportFile(out(), packed);
        var node = new ScriptedNode(answer, answer)) {
      first.write("first".getBytes(StandardCharsets.US_ASCII), (byte) '\n');
      CommandRun second = export(node, more);
      assertThat(second.code()).isEqualTo(2);
      assertThat(second.err()).contains("out.log.part: expected no other export that writes it");
      first.finish();
      long bytes = Files.size(out());
      assertThat(part()).doesNotExist();
      assertThat(export(node, more).code()).as("while the one before has it open still").isZero();
      assertThat(Files.size(out())).isNotEqualTo(bytes);
    }
    assertThat(part()).doesNotExist();
  }

  @ParameterizedTest
  @ValueSource(strings = {"--node=:", "--since=nonsense", "--tls-ca=absent.pem"})
  void wrongArgumentsLeaveAnUnfinishedFileAsItIs(String argument) throws IOException {
    Files.writeString(part(), "of the export before");
    assertThat(
            CommandRun.of("export", new ExportCommand(), argument, "-o", out().toString()).code())
        .isEqualTo(2);
    assertThat(part()).hasContent("of the export before");
    assertThat(out()).doesNotExist();
  }
}
