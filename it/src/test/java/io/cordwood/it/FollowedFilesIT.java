package io.cordwood.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code cordwood forward --file}, as a process, to a node that is one. */
final class FollowedFilesIT {
  private static final String TRACE =
      """
      2026-11-25 10:00:00 ERROR payment failed
      java.lang.IllegalStateException: no account
      \tat shop.Pay.charge(Pay.java:12)
      \tat shop.Pay.main(Pay.java:5)
      Caused by: java.io.IOException: closed
      \t... 2 more
      """;

  @TempDir private Path folder;

  private Program follow(NodeProcess node, String... more) throws IOException {
    var arguments =
        new ArrayList<>(List.of("forward", "--checkpoint", folder.resolve("cp/file").toString()));
    arguments.addAll(List.of(more));
    arguments.add("localhost:" + node.durablePort());
    return Program.start(arguments.toArray(String[]::new));
  }

  private Path write(String name, String text) throws IOException {
    Path file = folder.resolve(name);
    Files.createDirectories(file.getParent());
    return Files.writeString(file, text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  private static String records(NodeProcess node, String topic) throws IOException {
    return node.query("topic=" + topic);
  }

  private static void awaitRecords(NodeProcess node, String topic, String expected) {
    await().untilAsserted(() -> assertThat(records(node, topic)).isEqualTo(expected));
  }

  /** Whatever is found, deleted, refused or odd: the other files go on. */
  @Test
  void filesComeAndGoAndNoneHoldsUpTheOthers() throws Exception {
    write("logs/old.log", "old 1\nold 2\n\nwithout an end");
    write("logs/-bad-.log", "bad\n");
    write("logs/folder.log/in.txt", "not this one\n");
    write("logs/packed.log.gz", "not this one\n");
    Path stats = folder.resolve("stats.json");
    String pattern = folder.resolve("logs/*.lo*").toString();
    try (NodeProcess node = NodeProcess.start(folder);
        Program forward =
            follow(
                node,
                "--file=" + pattern,
                "--file=" + folder.resolve("later/**/x.log"),
                "--topic={name}",
                "--stats-file=" + stats)) {
      awaitRecords(node, "old", "old 1\nold 2\nwithout an end\n");
      forward.awaitErr("later/**/x.log: nothing there yet; waiting for it");
      forward.awaitErr("-bad-.log: expected a topic of 1 to 128 characters");
      forward.awaitErr("packed.log.gz: packed files are not read");

      write("later/a/b/x.log", "deep\n");
      awaitRecords(node, "x", "deep\n");

      String longLine = "L".repeat((1 << 20) + 7);
      write("logs/long.log", "before\n" + longLine + "\nbehind\n");
      awaitRecords(
          node,
          "long",
          "before\n" + longLine.substring(0, 1 << 20) + "\n" + "L".repeat(7) + "\nbehind\n");

      write("logs/binary.log", "a\0b\r\n\0\0\nc\n");
      awaitRecords(node, "binary", "a\0b\r\n\0\0\nc\n");

      Path once = write("logs/once.log", "first content\n");
      awaitRecords(node, "once", "first content\n");
      Files.writeString(once, "2nd\n");
      awaitRecords(node, "once", "first content\n2nd\n");
      forward.awaitErr("once.log was truncated or replaced");
      Files.delete(once);
      write("logs/once.log", "third\n");
      awaitRecords(node, "once", "first content\n2nd\nthird\n");

      await()
          .untilAsserted(() ->
              assertThat(Files.readString(stats))
                  .contains("\"records_acknowledged\":14,", "\"long_lines\":1,", "\"errors\":1,")
                  .contains("\"blank_lines\":1,", "\"held_bytes\":0,", "\"behind_bytes\":0,"));
      forward.terminate();
      assertThat(forward.exitCode()).isEqualTo(143);
      assertThat(forward.err()).contains("14 lines of ").doesNotContain("Exception");
    }
  }

  @Test
  void stackTraceIsOneRecordAndRestartsSendNothingTwice() throws Exception {
    Path file = write("app.log", "2026-11-25 09:59:59 INFO up\n" + TRACE);
    String next = "2026-11-25 10:00:01 INFO next\n";
    try (NodeProcess node = NodeProcess.start(folder)) {
      try (Program forward =
          follow(node, "--file=" + file, "--topic=app", "--multiline=java", "--once")) {
        assertThat(forward.end().exitCode()).isZero();
      }
      assertThat(node.query("topic=app&count=true&q=")).isEqualTo("2\n");
      assertThat(node.query("topic=app&q=Caused")).isEqualTo(TRACE);

      write("app.log", next + TRACE);
      try (Program forward =
          follow(node, "--file=" + file, "--topic=app", "--multiline=^[0-9]{4}-")) {
        awaitRecords(node, "app", "2026-11-25 09:59:59 INFO up\n" + TRACE + next + TRACE);
        assertThat(node.query("topic=app&count=true&q=")).isEqualTo("4\n");
        forward.kill();
      }
      try (Program forward = follow(node, "--file=" + file, "--topic=app", "--once")) {
        assertThat(forward.end().exitCode()).isZero();
      }
      assertThat(node.query("topic=app&count=true&q=")).isEqualTo("4\n");
    }
  }

  @Test
  void fromTheEndIsForWhatIsThereAtFirst() throws Exception {
    write("logs/a.log", "old\n");
    try (NodeProcess node = NodeProcess.start(folder);
        Program forward =
            follow(
                node,
                "--file=" + folder.resolve("logs/*.log"),
                "--from=end",
                "--topic-pattern=/([^/]+)/[^/]+$")) {
      await().until(() -> Files.exists(folder.resolve("cp/file")));
      await().until(() -> Files.readString(folder.resolve("cp/file")).contains(" file 1 "));
      write("logs/a.log", "new\n");
      write("logs/b.log", "other\n");
      await().until(() -> node.count("") == 2);
      assertThat(records(node, "logs").lines()).containsExactlyInAnyOrder("new", "other");
      assertThat(forward.isAlive()).isTrue();
    }
  }

  /** More files than are kept open, through a node that is away for a while. */
  @Test
  void manyFilesAreReadWithFewOpen() throws Exception {
    int files = Integer.getInteger("cordwood.files", 2000);
    for (int i = 0; i < files; i++) {
      write("many/" + i + ".log", "many " + i + "\n");
    }
    NodeProcess node = NodeProcess.start(folder);
    node.close();
    try (Program forward = follow(node, "--file=" + folder.resolve("many/*.log"), "--once")) {
      forward.awaitErr("trying on");
      try (NodeProcess again = node.startAgain(folder)) {
        assertThat(forward.openFiles()).isLessThan(1000);
        assertThat(forward.end().exitCode()).isZero();
        again.awaitRecords(files);
        assertThat(again.find("many ")).doesNotHaveDuplicates();
      }
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--once                              | --once: expected with --file, found without",
        "--file=x --topic=a/b                | --topic: expected a topic of 1 to 128 characters",
        "--file=x --topic={node}             | --topic: expected {name}, {file}, {folder}, {namesp",
        "--file=x --topic-pattern=abc        | --topic-pattern: expected a group",
        "--file=x --multiline=perl           | --multiline: expected dotnet, go, java, node, php",
        "--file=x --multiline=(              | --multiline: expected a regular expression",
        "--file=[ --checkpoint=FOLDER/c      | --file: expected a pattern such as",
        "--file=x --checkpoint=FOLDER        | : expected a file, found a folder",
        "--file=x --checkpoint=/proc/none/cp | checkpoint /proc/none/cp: cannot be written: ",
        "--file=a.log b.log/c                | quote patterns: --file '/var/log/*.log'",
      })
  void whatCannotBeDoneIsRefusedAtTheStart(String flags, String error) throws IOException {
    String line = "forward localhost:1 " + flags.replace("FOLDER", folder.toString());
    Program.Result result = Program.run(line.strip().split(" +", -1));
    assertThat(result.exitCode()).isEqualTo(2);
    assertThat(result.errors()).contains(error);
  }

  @Test
  void checkpointHasOneUserAtATimeAndGarbageIsSetAside() throws Exception {
    Path checkpoint = folder.resolve("cp/file");
    Files.createDirectories(checkpoint.getParent());
    Files.write(checkpoint, "\0\1\2garbage\nand more\n".getBytes(UTF_8));
    Path file = write("app.log", "a line\n");
    String[] flags = {"--file=" + file};
    try (NodeProcess node = NodeProcess.start(folder);
        Program first = follow(node, flags)) {
      first.awaitErr("expected it to begin with 'cordwood-forward-checkpoint 1 bytes='");
      node.awaitRecords(1);
      try (Program second = follow(node, flags)) {
        Program.Result result = second.end();
        assertThat(result.exitCode()).isEqualTo(2);
        assertThat(result.errors()).contains("another process uses it");
      }
      assertThat(checkpoint.resolveSibling("file.damaged")).exists();
    }
  }

  @Test
  void endBySignalIsNoDefect() throws Exception {
    try (Program forward = Program.start("forward", "localhost:1")) {
      forward.in().write("a line\n".getBytes(UTF_8));
      forward.in().close();
      forward.awaitErr("trying on");
      forward.terminate();
      Program.Result result = forward.end();
      assertThat(result.exitCode()).isEqualTo(143);
      assertThat(result.errors())
          .contains("1 lines were not acknowledged")
          .doesNotContain("a defect", "Exception");
    }
  }

  @Test
  void progressIsShownOnATerminal() throws Exception {
    if (!Tool.hasScript()) {
      return;
    }
    Path file = write("app.log", "a line\n");
    try (NodeProcess node = NodeProcess.start(folder)) {
      String command =
          "exec \"$CORDWOOD\" forward --file='%s' --checkpoint='%s' localhost:%d"
              .formatted(file, folder.resolve("cp/file"), node.durablePort());
      try (Program shell =
          Program.shell(
              folder, "exec script -qec '%s' /dev/null".formatted(command.replace("'", "")))) {
        await()
            .until(() ->
                shell.out().contains("1 lines of 1 files, ")
                    && shell.out().contains("1 acknowledged, 0.0 MiB held, 0.0 MiB behind"));
      }
    }
  }
}
