package io.cordwood.dist.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cordwood.common.file.Filesystem;
import io.cordwood.dist.CommandRun;
import io.cordwood.dist.follow.FollowLog;
import io.cordwood.dist.follow.FollowOptions;
import io.cordwood.dist.follow.Follower;
import io.cordwood.dist.follow.Multiline;
import io.cordwood.dist.follow.TopicRule;
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
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Files in other encodings: a node has what {@code cordwood grep FILE} reads. */
final class EncodedFilesTest {
  private static final Duration LONG = Duration.ofMinutes(1);

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

  private void write(boolean marked, Charset encoding, String text) throws IOException {
    var bytes = new ByteArrayOutputStream();
    bytes.writeBytes((marked ? "\ufeff" : "").getBytes(encoding));
    bytes.writeBytes(text.getBytes(encoding));
    Files.write(log(), bytes.toByteArray(), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  private Path log() {
    return folder.resolve("a.log");
  }

  private void forward() throws IOException {
    ForwarderOptions options =
        ForwarderOptions.builder().target(new Target("127.0.0.1", node.durablePort())).build();
    try (Forwarder forwarder = Forwarder.start(options, ForwarderListener.NONE);
        Follower once =
            Follower.open(
                new FollowOptions(
                    List.of(log().toString()),
                    folder.resolve("checkpoint"),
                    TopicRule.template("{name}"),
                    Multiline.NONE,
                    false,
                    true,
                    Duration.ofSeconds(1),
                    8 << 20),
                forwarder,
                new FollowLog(_ -> {}))) {
      once.run();
      assertThat(once.drain(LONG)).isTrue();
    }
  }

  private void assertStored(List<String> lines) {
    await().atMost(LONG).until(() -> node.stored().size() >= lines.size());
    assertThat(node.stored().values()).containsExactlyElementsOf(lines);
  }

  @ParameterizedTest
  @CsvSource({
    "true, UTF-16LE",
    "true, UTF-16BE",
    "true, UTF-8",
    "false, UTF-16LE",
    "false, UTF-16BE",
    "false, UTF-8"
  })
  void linesAreStoredInUtf8AlsoThoseThatComeLater(boolean marked, String name) throws IOException {
    Charset encoding = Charset.forName(name);
    write(marked, encoding, "one ERROR\n\ntwo \u65e5\u672c \ud83d\ude00\nunfin");
    forward();
    write(false, encoding, "ished \u00e9\nlast\n");
    forward();
    assertStored(
        List.of("one ERROR", "two \u65e5\u672c \ud83d\ude00", "unfin", "ished \u00e9", "last"));
  }

  /** Three bytes of UTF-8 for two of the file, in more than one batch. */
  @Test
  void longFilesAreTakenInParts() throws IOException {
    List<String> lines =
        IntStream.range(0, 20_000).mapToObj(i -> i + " " + "\u65e5".repeat(40)).toList();
    write(true, StandardCharsets.UTF_16LE, String.join("\n", lines) + "\n");
    forward();
    assertStored(lines);
  }

  /** One that is not well formed, and that UTF-8 has no bytes for. */
  @Test
  void halfACharacterIsReplacedAndShiftsNothing() throws IOException {
    write(true, StandardCharsets.UTF_16LE, "a\n");
    Files.write(log(), new byte[] {0x3d, (byte) 0xd8, 'b', 0, '\n', 0}, StandardOpenOption.APPEND);
    write(false, StandardCharsets.UTF_16LE, "c\n");
    forward();
    assertStored(List.of("a", "?b", "c"));
  }

  @Test
  void anImportOfThemIsAllThereOnceHoweverOftenItIsRun() throws IOException {
    write(true, StandardCharsets.UTF_16BE, "2024-02-29 10:00:00 CET one \u65e5\n\tat two\n");
    for (int i = 0; i < 2; i++) {
      CommandRun run =
          CommandRun.of("import", "--file", log().toString(), "127.0.0.1:" + node.durablePort());
      assertThat(run.code()).as(run.err()).isZero();
      assertThat(run.err())
          .contains("2 lines of 1 files, from 2024-02-29T09:00:00Z to 2024-02-29T09:00:00Z")
          .contains("1 had no time and got that of the line before");
    }
    assertStored(List.of("2024-02-29 10:00:00 CET one \u65e5", "\tat two"));
  }
}
