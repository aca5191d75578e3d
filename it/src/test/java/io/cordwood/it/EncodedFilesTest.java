package io.cordwood.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cordwood.agent.follow.FollowLog;
import io.cordwood.agent.follow.FollowOptions;
import io.cordwood.agent.follow.Follower;
import io.cordwood.agent.follow.LabelRule;
import io.cordwood.agent.follow.Multiline;
import io.cordwood.agent.follow.TopicRule;
import io.cordwood.cli.program.CommandRun;
import io.cordwood.cli.transfer.ImportCommand;
import io.cordwood.common.file.Filesystem;
import io.cordwood.common.testing.Patience;
import io.cordwood.forwarder.Forwarder;
import io.cordwood.forwarder.ForwarderListener;
import io.cordwood.forwarder.ForwarderOptions;
import io.cordwood.forwarder.Target;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files in other encodings: a node has what {@code cordwood grep FILE} reads. */
final class EncodedFilesTest {
  private static final Duration LONG = Patience.LONG;

  @TempDir private Path folder;
  private InProcessNode node;

  @BeforeEach
  void start() throws IOException {
    node = new InProcessNode(Files.createDirectory(folder.resolve("node")), Filesystem.real(), 0);
  }

  @AfterEach
  void stop() throws IOException {
    node.close();
  }

  private void write(String file, boolean marked, Charset encoding, String text)
      throws IOException {
    var bytes = new ByteArrayOutputStream();
    bytes.writeBytes((marked ? "\ufeff" : "").getBytes(encoding));
    bytes.writeBytes(text.getBytes(encoding));
    append(file, bytes.toByteArray());
  }

  private void append(String file, byte[] bytes) throws IOException {
    Files.write(log(file), bytes, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  private Path log(String file) {
    return folder.resolve(file + ".log");
  }

  private void forward() throws IOException {
    ForwarderOptions options =
        ForwarderOptions.builder().target(new Target("127.0.0.1", node.durablePort())).build();
    try (Forwarder forwarder = Forwarder.start(options, ForwarderListener.NONE);
        Follower once =
            Follower.open(
                new FollowOptions(
                    List.of(folder.resolve("*.log").toString()),
                    folder.resolve("checkpoint"),
                    TopicRule.template("app"),
                    LabelRule.NONE,
                    FollowOptions.Reading.of(Multiline.NONE),
                    true,
                    8 << 20),
                forwarder,
                new FollowLog(_ -> {}))) {
      once.run();
      assertThat(once.drain(LONG)).isTrue();
    }
  }

  private void assertStored(List<String> lines) {
    await().until(() -> node.stored().size() >= lines.size());
    assertThat(node.stored().values()).containsExactlyInAnyOrderElementsOf(lines);
  }

  @Test
  void linesAreStoredInUtf8AlsoThoseThatComeLater() throws IOException {
    List<String> expected = new ArrayList<>();
    for (Charset encoding :
        List.of(StandardCharsets.UTF_16LE, StandardCharsets.UTF_16BE, StandardCharsets.UTF_8)) {
      for (boolean marked : new boolean[] {true, false}) {
        String name = encoding.name() + marked;
        write(name, marked, encoding, name + "\n\ntwo \u65e5\u672c \ud83d\ude00\nunfin");
        expected.addAll(List.of(name, "two \u65e5\u672c \ud83d\ude00", "unfin"));
      }
    }
    List<String> many =
        IntStream.range(0, 15_000).mapToObj(i -> i + " " + "\u65e5".repeat(40)).toList();
    write("more than a batch", true, StandardCharsets.UTF_16LE, String.join("\n", many) + "\n");
    expected.addAll(many);
    write("no text", true, StandardCharsets.UTF_16LE, "a\n");
    append("no text", new byte[] {0x3d, (byte) 0xd8, 'b', 0, '\n', 0});
    write("no text", false, StandardCharsets.UTF_16LE, "c\n");
    expected.addAll(List.of("a", "?b", "c")); // Half a character, which UTF-8 has no bytes for.
    forward();
    write("UTF-16LEtrue", false, StandardCharsets.UTF_16LE, "ished \u00e9\nlast\n");
    write("UTF-16BEfalse", false, StandardCharsets.UTF_16BE, "ished \u00e9\nlast\n");
    expected.addAll(List.of("ished \u00e9", "last", "ished \u00e9", "last"));
    forward();
    assertStored(expected);
  }

  @Test
  void anImportOfThemIsAllThereOnceHoweverOftenItIsRun() throws IOException {
    String text = "2024-02-29 10:00:00 CET one \u65e5\n\tat two\n";
    write("a", true, StandardCharsets.UTF_16BE, text);
    for (int i = 0; i < 2; i++) {
      CommandRun run =
          CommandRun.of(
              "import",
              new ImportCommand(),
              "--file",
              log("a").toString(),
              "127.0.0.1:" + node.durablePort());
      assertThat(run.code()).as(run.err()).isZero();
      assertThat(run.err())
          .contains("2 lines of 1 files, from 2024-02-29T09:00:00Z to 2024-02-29T09:00:00Z")
          .contains("1 had no time and got that of the line before");
    }
    assertStored(List.of("2024-02-29 10:00:00 CET one \u65e5", "\tat two"));
  }
}
