package io.cordwood.agent.follow;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files that a kubelet has rotated and compressed while nobody read them. */
final class UnpackedFilesTest {
  private static final Duration LONG = Duration.ofHours(1);

  @TempDir private Path folder;
  private FollowFixture follow;
  private @Nullable Path last;
  private int rotations;

  @BeforeEach
  void open() throws IOException {
    Files.createDirectories(folder.resolve("web"));
    follow = new FollowFixture(folder.resolve("checkpoint"), folder.resolve("web/*.log"));
  }

  @AfterEach
  void close() throws IOException {
    follow.close();
  }

  private static String cri(String rest) {
    return "2026-11-27T09:00:00.123456789Z " + rest + "\n";
  }

  private void add(String... lines) throws IOException {
    Files.writeString(
        folder.resolve("web/0.log"),
        String.join("", lines),
        StandardOpenOption.CREATE,
        StandardOpenOption.APPEND);
  }

  /** As a kubelet does it: what was rotated before is compressed first. */
  private void rotate() throws IOException {
    if (last != null) {
      try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(Path.of(last + ".gz")))) {
        Files.copy(last, out);
      }
      Files.delete(last);
    }
    last = folder.resolve("web/0.log.20261127-%06d".formatted(90_000 + rotations++));
    Files.move(folder.resolve("web/0.log"), last);
  }

  private List<String> unpacked() throws IOException {
    Path unpacked = folder.resolve("checkpoint.unpacked");
    if (!Files.exists(unpacked)) {
      return List.of();
    }
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(unpacked)))
        .isEqualTo("rwx------");
    try (var paths = Files.list(unpacked)) {
      return paths.map(path -> path.getFileName().toString()).toList();
    }
  }

  @Test
  void whatWasCompressedMeanwhileIsReadOnceAndJoined() throws IOException {
    add(cri("stdout F one"), cri("stdout P two "));
    assertThat(follow.records(LONG)).containsExactly("stdout one");
    follow.closeFiles();
    add(cri("stdout P and "));
    rotate();
    add(cri("stdout F three"), cri("stdout F four"));
    rotate();
    add(cri("stdout F five"));
    rotate();
    add(cri("stdout F six"));
    follow.restart();
    assertThat(follow.records(4, LONG))
        .containsExactlyInAnyOrder(
            "stdout two and three", "stdout four", "stdout five", "stdout six");
    assertThat(follow.counters.bytesLost.sum()).isZero();
    assertThat(follow.counters.json()).contains("\"files_unpacked\":2");
    follow.restart();
    add(cri("stdout F seven"));
    assertThat(follow.records(1, LONG)).containsExactly("stdout seven");
    assertThat(unpacked()).as("all of them has arrived").isEmpty();
  }

  @Test
  void whatWasReadBeforeItWasCompressedIsNotReadAgain() throws IOException {
    add(cri("stdout F one"));
    assertThat(follow.records(LONG)).containsExactly("stdout one");
    for (String line : List.of("two", "three", "four")) {
      rotate();
      add(cri("stdout F " + line));
      assertThat(follow.records(1, LONG)).containsExactly("stdout " + line);
    }
    follow.restart();
    assertThat(follow.records(LONG)).isEmpty();
  }

  @Test
  void brokenFilesAreSaidAndOthersGoOn() throws IOException {
    add(cri("stdout F " + "x".repeat(2000)));
    assertThat(follow.records(LONG)).hasSize(1);
    follow.closeFiles();
    rotate();
    add(cri("stdout F two"));
    rotate();
    Path packed = folder.resolve("web/0.log.20261127-090000.gz");
    byte[] bytes = Files.readAllBytes(packed);
    Files.write(packed, Arrays.copyOf(bytes, bytes.length - 12));
    Files.write(folder.resolve("web/0.log.20261127-100000.gz"), "nonsense".getBytes(UTF_8));
    add(cri("stdout F three"));
    follow.restart();
    assertThat(follow.records(1, LONG)).containsExactly("stdout three");
    assertThat(follow.said).anyMatch(line -> line.contains("cannot be unpacked"));
    assertThat(unpacked()).isEmpty();
  }
}
