package io.cordwood.it;

import static io.cordwood.dist.Cordwood.named;
import static org.assertj.core.api.Assertions.assertThat;

import com.github.luben.zstd.Zstd;
import io.cordwood.cli.program.Programs;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code cordwood import} and {@code cordwood export}, against a real node. */
final class TransferIT {
  /** Of all four segments' worth, so that an export is under way for a while. */
  private static final int MANY = 60_000;

  @TempDir private Path folder;

  /** Runs a command within this process: no test here is about its start. */
  private static Program.Result run(String command, String... arguments) {
    var errors = new ByteArrayOutputStream();
    PrintStream usual = System.err;
    System.setErr(new PrintStream(errors, true, StandardCharsets.UTF_8));
    try {
      var line = Programs.line("cordwood " + command, Objects.requireNonNull(named(command)));
      int exitCode = Programs.run(line, arguments);
      return new Program.Result(exitCode, new byte[0], errors.toString(StandardCharsets.UTF_8));
    } finally {
      System.setErr(usual);
    }
  }

  private static Program.Result importTo(NodeProcess node, String... arguments) {
    List<String> all = new ArrayList<>(List.of("--tz", "UTC"));
    all.addAll(List.of(arguments));
    all.add("localhost:" + node.durablePort());
    return run("import", all.toArray(String[]::new));
  }

  private static Program.Result export(NodeProcess node, String... arguments) {
    List<String> all = new ArrayList<>(List.of("--node", "localhost:" + node.apiPort()));
    all.addAll(List.of(arguments));
    return run("export", all.toArray(String[]::new));
  }

  private String file(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text).toString();
  }

  @Test
  void whatIsImportedHasItsOwnTimesIsThereOnceAndIsExportedByTopicAndTime() throws Exception {
    String text =
        """
        Log of the old machine
        2024-02-29 10:00:00,250 ERROR failed
        \tat com.example.Main.main(Main.java:17)

        2024-02-29 10:00:00,250 INFO again
        2024-03-01 10:00:00,000 INFO later
        """;
    String lines = text.replace("\n\n", "\n");
    Path packed = folder.resolve("other.log.gz");
    try (var gzip = new GZIPOutputStream(Files.newOutputStream(packed))) {
      gzip.write("29/Feb/2024:10:00:00 +0000 GET /\n".getBytes(StandardCharsets.UTF_8));
    }
    try (NodeProcess node = NodeProcess.start(folder)) {
      Program.Result imported = importTo(node, "--topic", "old", "--file", file("old.log", text));
      assertThat(imported.exitCode()).as(imported.errors()).isZero();
      assertThat(imported.errors())
          .contains("5 lines of 1 files, from 2024-02-29T10:00:00.250Z to 2024-03-01T10:00:00Z")
          .contains("2 had no time and got that of the line before");
      assertThat(
              importTo(node, "--topic", "web", "--time-pattern", "clf", "--file", packed + "")
                  .errors())
          .contains("1 lines of 1 files");
      assertThat(importTo(node, "--topic", "old", "--file", file("copy.log", text)).exitCode())
          .isZero();
      node.send("now\n");
      node.awaitStored(7);
      assertThat(node.count("")).isEqualTo(7);
      Path plain = folder.resolve("out.log");
      assertThat(export(node, "--topic", "old", "-o", plain.toString()).exitCode()).isZero();
      assertThat(plain).hasContent(lines);
      Path out = folder.resolve("out.ndjson.zst");
      String[] day = {"--utc", "--since", "2024-02-29", "--until", "2024-02-29T23:59:59Z"};
      Program.Result exported =
          export(node, day[0], day[1], day[2], day[3], day[4], "--json", "--zstd", "-o", out + "");
      assertThat(exported.exitCode()).isZero();
      assertThat(exported.errors()).contains("out.ndjson.zst: 5 records, ");
      assertThat(out.resolveSibling("out.ndjson.zst.part")).doesNotExist();
      byte[] bytes = Files.readAllBytes(out);
      List<String> objects =
          new String(Zstd.decompress(bytes, 1 << 20), StandardCharsets.UTF_8).lines().toList();
      assertThat(objects).hasSize(5);
      assertThat(objects.getFirst())
          .contains("\"time\":\"2024-02-29T10:00:00Z\",\"topic\":\"web\",\"record\":\"29/Feb");
      assertThat(objects.get(1))
          .contains("\"topic\":\"old\",\"record\":\"Log of the old machine\"");
    }
  }

  @Test
  void anExportGoesOnWhenItsNodeIsKilledAndComesBack() throws Exception {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < MANY; i++) {
      text.append(
          "2025-01-01 00:%02d:%02d.%03d record %d %s%n"
              .formatted(i / 6000, i / 100 % 60, i % 100, i, "x".repeat(200)));
    }
    NodeProcess node = NodeProcess.start(folder);
    String port = "localhost:" + node.durablePort();
    String file = file("many.log", text.toString());
    assertThat(Program.run("import", "--tz", "UTC", "--file", file, port).exitCode()).isZero();
    node.awaitStored(MANY);
    Path fifo = folder.resolve("out");
    assertThat(new ProcessBuilder("mkfifo", fifo.toString()).start().waitFor()).isZero();
    try (Program export =
        Program.startBy(
            "exec \"$@\" >" + fifo, "export", "--node", "localhost:" + node.apiPort())) {
      byte[] read = new byte[text.length()];
      try (var in = Files.newInputStream(fifo)) {
        int first = in.readNBytes(read, 0, 1 << 20);
        node.kill(); // More of the answer is left than sockets and pipes hold.
        node = node.startAgain(folder);
        int rest = in.readNBytes(read, first, read.length - first);
        assertThat(first + rest).isEqualTo(text.length());
        assertThat(in.read()).isEqualTo(-1);
      }
      assertThat(export.exitCode()).as(export.err()).isZero();
      assertThat(export.err()).contains("; going on after ");
      assertThat(new String(read, StandardCharsets.US_ASCII)).isEqualTo(text.toString());
    } finally {
      node.close();
    }
  }

  @Test
  void badInputChangesNothingAndIsNamed() throws Exception {
    try (NodeProcess node = NodeProcess.start(folder)) {
      String good = file("good.log", "2024-01-01 10:00:00 good\n");
      String none = file("none.log", "no time\n".repeat(3));
      assertThat(importTo(node, "--file", good, "--file", none).errors())
          .contains("none.log: expected a time in the first 256 bytes of a line")
          .contains("found none in 3 lines, which begin with \"no time\"");
      String future = file("future.log", "2024-01-01 10:00:00 a\n2999-01-01 10:00:00 b\n");
      assertThat(importTo(node, "--file", future).errors())
          .contains("future.log line 2: expected a time from 1970 on and at most a day ahead")
          .contains("found 2999-01-01T10:00:00Z");
      assertThat(importTo(node, "--file", folder.resolve("absent") + "").errors())
          .contains("absent: no such file or folder");
      assertThat(importTo(node, "--topic", "a b", "--file", good).errors())
          .contains("expected a topic");
      assertThat(importTo(node, "--time-pattern", "HH:mm", "--file", good).errors())
          .contains("--time-pattern: expected iso, clf, syslog, unix, or a pattern");
      assertThat(export(node, "-o", folder + "").errors()).contains("expected a file, found a");
      assertThat(export(node, "--json", "-z").errors()).contains("expected one of --json and -z");
      assertThat(node.count("")).isZero();
      Path out = folder.resolve("out.log");
      Program.Result nothing = export(node, "-o", out.toString());
      assertThat(nothing.exitCode()).isEqualTo(1);
      assertThat(out).isEmptyFile();
    }
    Files.writeString(folder.resolve("out.log"), "as before");
    assertThat(run("export", "--node", "localhost:1", "-o", folder + "/out.log").errors())
        .contains("localhost:1: cannot connect");
    assertThat(folder.resolve("out.log")).hasContent("as before");
  }
}
