package io.cordwood.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.common.file.Filesystem;
import io.cordwood.common.segment.StoreSegment;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Data folders of the releases, made by {@code src/test/resources/golden/make}, are opened by this
 * build, with all that is in them.
 */
final class GoldenDataIT {
  private static final Path GOLDEN = Path.of("src/test/resources/golden");
  private static final String FOR_EVER = "36500d";

  @TempDir private Path folder;

  static List<String> releases() throws IOException {
    try (Stream<Path> files = Files.list(GOLDEN)) {
      return files
          .map(file -> String.valueOf(file.getFileName()))
          .filter(name -> name.endsWith(".tar.gz"))
          .map(name -> name.replace(".tar.gz", ""))
          .sorted()
          .toList();
    }
  }

  @Test
  void thereIsOneOfARelease() throws IOException {
    assertThat(releases()).contains("0.1.0");
  }

  @Test
  void thereIsOneWithSettledSegmentsBesideOthers() throws IOException {
    unpack("0.1.0-settled");
    Set<Boolean> settled = new HashSet<>();
    try (Stream<Path> files = Files.list(folder.resolve("data/store"))) {
      for (Path file : files.filter(f -> f.toString().endsWith(".flushed")).toList()) {
        StoreSegment segment = StoreSegment.open(Filesystem.real().open(file));
        settled.add(segment.isSettled());
        segment.release();
      }
    }
    assertThat(settled).containsExactlyInAnyOrder(true, false);
  }

  private void unpack(String release) throws IOException {
    String archive = GOLDEN.resolve(release + ".tar.gz").toString();
    Tool.run("tar", "-xzmf", archive, "-C", folder.toString());
  }

  /** With the time of now, since a store deletes files that are older than it keeps records. */
  @ParameterizedTest
  @MethodSource("releases")
  void allRecordsOfAReleaseAreThereAndMoreCanFollow(String release) throws IOException {
    unpack(release);
    List<String> expected = lines(GOLDEN.resolve(release + ".ndjson.gz"));
    String[] flags = {"--retention", FOR_EVER, "--flush-age", "100ms"};
    try (NodeProcess node = NodeProcess.start(folder, flags)) {
      assertThat(records(node)).containsExactlyElementsOf(expected);
      node.send("of this build\n");
      node.awaitStored(expected.size() + 1L);
      List<String> more = records(node);
      assertThat(more.subList(0, expected.size())).containsExactlyElementsOf(expected);
      assertThat(more.getLast()).endsWith("\"record\":\"of this build\"}");
      node.kill();
      try (NodeProcess again = node.startAgain(folder)) {
        assertThat(again.count("")).isEqualTo(expected.size() + 1L);
      }
    }
  }

  private static List<String> lines(Path packed) throws IOException {
    try (var in = new GZIPInputStream(Files.newInputStream(packed))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
    }
  }

  private static List<String> records(NodeProcess node) throws IOException {
    List<String> lines = node.get("/read?format=json").lines().toList();
    assertThat(lines.getLast()).contains("\"verdict\":\"complete\"");
    return lines.subList(0, lines.size() - 1);
  }
}
