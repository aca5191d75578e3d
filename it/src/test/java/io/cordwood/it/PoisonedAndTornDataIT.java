package io.cordwood.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cordwood.common.testing.BitFlips;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Data that stopped the systems before this one for good, also after a restart. */
final class PoisonedAndTornDataIT {
  private static final int MIB = 1 << 20;
  private static final List<String> TORN_STATES = List.of(".active", ".reused", ".pending");

  @TempDir private Path folder;

  @Test
  void longLinesHoldUpNothingBehindThemEvenAfterARestart() throws IOException {
    String line = "long 65501 " + "y".repeat(65_501 - 11);
    try (NodeProcess node = NodeProcess.start(folder)) {
      try (Sender sender = node.connect()) {
        byte[] part = "x".repeat(MIB).getBytes(java.nio.charset.StandardCharsets.US_ASCII);
        for (int i = 0; i < 100; i++) {
          sender.send(part);
        }
        sender.send("\nbehind 100 MiB\n" + line + "\nbehind 65501\n" + line + "\n");
        sender.send("behind all\n").end();
      }
      node.awaitCount("behind", 3);
      assertThat(node.find("behind"))
          .containsExactly("behind 100 MiB", "behind 65501", "behind all");
      assertThat(node.find("long 65501")).containsExactly(line, line);
      assertThat(node.count("xxxx")).isEqualTo(100);
      node.kill();
      try (NodeProcess again = node.startAgain(folder)) {
        again.send("behind the restart\n");
        again.awaitCount("behind", 4);
        assertThat(again.find("long 65501")).containsExactly(line, line);
        assertThat(again.count("xxxx")).isEqualTo(100);
      }
    }
  }

  /** One segment for each of several cuts, all of them there at one start. */
  @Test
  void tornIngestSegmentsLoseNothingButTheirTornBatch() throws IOException {
    List<Path> segments;
    int last;
    try (NodeProcess node = NodeProcess.start("ingest", folder, "--flush-age=5m")) {
      last = Sender.batch(records("s0 b3 ")).length;
      for (int segment = 0; segment < 8; segment++) {
        sendSegment(node, segment);
      }
      segments = ingestSegments();
      node.kill();
    }
    long whole = Files.size(segments.getFirst());
    List<Long> cuts =
        List.of(0L, 10L, 31L, 32L + 20, whole - last + 1, whole - last + 40, whole - 1, whole);
    for (int i = 0; i < cuts.size(); i++) {
      cut(segments.get(i), cuts.get(i), TORN_STATES.get(i % TORN_STATES.size()));
    }
    List<String> expected = new ArrayList<>();
    for (int segment = 4; segment < 8; segment++) {
      for (int batch = 0; batch < (segment == 7 ? 4 : 3); batch++) {
        expected.addAll(records("s" + segment + " b" + batch + " "));
      }
    }
    try (NodeProcess node = NodeProcess.start(folder)) {
      node.send("s9 sent after the start\n");
      expected.add("s9 sent after the start");
      node.awaitCount("s", expected.size());
      assertThat(node.find("")).containsExactlyInAnyOrderElementsOf(expected);
      node.program().awaitErr("torn");
      assertThat(node.program().err()).doesNotContain("Exception");
    }
  }

  /** No store is there to step over the damage. */
  @Test
  void damagedBatchHidesNoneBesideIt() throws IOException {
    try (NodeProcess node = NodeProcess.start("ingest", folder, "--flush-age=5m")) {
      sendSegment(node, 0);
      node.kill();
    }
    Path segment = ingestSegments().getFirst();
    byte[] content = Files.readAllBytes(segment);
    String text = new String(content, StandardCharsets.ISO_8859_1);
    content[text.indexOf("s0 b1 record 5")] ^= 1;
    Files.write(segment, content);
    try (NodeProcess node = NodeProcess.start("ingest", folder)) {
      assertThat(node.find("s0 b1")).isEmpty();
      assertThat(node.find("")).hasSize(30);
      String answer = node.request("GET", "/query?format=json&q=b3").body();
      assertThat(answer).contains("\"matches\":10").doesNotContain("\"verdict\":\"complete\"");
    }
  }

  /** Also when what is intact of it is in a new segment, and after a restart. */
  @Test
  void aDamagedSegmentOfTheOnlyStoreIsMissedUntilSomebodyDeletesIt() throws IOException {
    try (NodeProcess node = NodeProcess.start(folder)) {
      node.send(String.join("\n", records("s0 b3 ")) + "\n");
      node.awaitStored(10);
      node.stop();
    }
    Path stored = folder.resolve("data/store");
    Path segment = filesIn(stored, ".flushed").getFirst();
    BitFlips.flip(segment, -5); // Its index: what else was lost cannot be told.
    for (int start = 0; start < 2; start++) {
      try (NodeProcess node = NodeProcess.start(folder)) {
        assertThat(isComplete(node)).as("start %d", start).isFalse();
        await().until(() -> !filesIn(stored, ".damaged").isEmpty());
        assertThat(isComplete(node)).as("start %d, set aside", start).isFalse();
        node.stop();
      }
    }
    for (Path damaged : filesIn(stored, ".damaged")) {
      Files.delete(damaged);
    }
    try (NodeProcess node = NodeProcess.start(folder)) {
      assertThat(isComplete(node)).isTrue();
    }
  }

  private static boolean isComplete(NodeProcess node) throws IOException {
    return node.request("GET", "/query?format=json&q=b3")
        .body()
        .contains("\"verdict\":\"complete\"");
  }

  private static void sendSegment(NodeProcess node, int segment) throws IOException {
    try (Sender sender = node.connect()) {
      for (int batch = 0; batch < 4; batch++) {
        sender.send(Sender.batch(records("s" + segment + " b" + batch + " ")));
        assertThat(sender.answer()).isEqualTo("ack " + (batch + 1) * 10 + "\n");
      }
      sender.end();
    }
    await().until(() -> node.metric("cordwood_ingest_segments") == segment + 1);
  }

  private static List<String> records(String prefix) {
    return IntStream.range(0, 10).mapToObj(i -> prefix + "record " + i).toList();
  }

  private List<Path> ingestSegments() throws IOException {
    return filesIn(folder.resolve("data/ingest"), ".flushed");
  }

  private static List<Path> filesIn(Path where, String ending) throws IOException {
    try (Stream<Path> files = Files.list(where)) {
      return files
          .filter(file -> file.toString().endsWith(ending))
          .sorted(Comparator.naturalOrder())
          .toList();
    }
  }

  private static void cut(Path file, long bytes, String ending) throws IOException {
    byte[] content = Files.readAllBytes(file);
    Files.write(file, java.util.Arrays.copyOf(content, (int) bytes));
    Files.move(file, Path.of(file.toString().replace(".flushed", ending)));
  }

  @Test
  void tornLineIsNeverGluedToTheNextOne() throws IOException {
    try (NodeProcess node = NodeProcess.start(folder)) {
      try (Sender sender = node.connect()) {
        sender.send("a whole line\n").send("half of a li");
        await().until(() -> node.metric("cordwood_ingest_bytes_read_total") == 25);
        node.awaitCount("a whole line", 1);
        node.kill();
      }
      try (NodeProcess again = node.startAgain(folder)) {
        again.send("the next line\nwithout its end");
        again.send("and one more\n");
        again.awaitCount("", 4);
        assertThat(again.find(""))
            .containsExactly("a whole line", "the next line", "without its end", "and one more");
      }
    }
  }

  @Test
  void tornStoreFilesLoseNothingButTheirTornBlocks() throws IOException {
    List<String> large = randomLines("large ", 30_000);
    Set<String> sent = Set.copyOf(large);
    try (NodeProcess node = NodeProcess.start(folder, "--retention", "1d")) {
      node.send(String.join("\n", large) + "\n");
      node.awaitStored(large.size());
      await().until(() -> node.metric("cordwood_ingest_segments") == 0);
      node.kill();
    }
    Path store = folder.resolve("data/store");
    Path segment = filesIn(store, ".flushed").getLast();
    byte[] content = Files.readAllBytes(segment);
    int previous = 0;
    for (double part : new double[] {0.0, 0.4, 0.9}) {
      deleteFiles(store);
      Files.write(segment, java.util.Arrays.copyOf(content, (int) (content.length * part)));
      try (NodeProcess node = NodeProcess.start(folder)) {
        String here = "beside " + part;
        node.send(here + "\n");
        node.awaitCount(here, 1);
        List<String> found = node.find("large ");
        // AssertJ's isSubsetOf takes time with the product of the sizes.
        assertThat(found.stream().filter(line -> !sent.contains(line))).isEmpty();
        assertThat(found).doesNotHaveDuplicates();
        assertThat(found).hasSizeGreaterThanOrEqualTo(previous);
        previous = found.size();
        node.program().awaitErr("damaged");
        assertThat(node.program().err()).doesNotContain("\tat ");
      }
    }
    assertThat(previous).isGreaterThan(large.size() / 2);
  }

  private static void deleteFiles(Path store) throws IOException {
    for (Path file : filesIn(store, "ed")) {
      if (Files.isRegularFile(file)) {
        Files.delete(file);
      }
    }
  }

  private static List<String> randomLines(String prefix, int count) {
    var random = new Random(1);
    return IntStream.range(0, count)
        .mapToObj(i -> prefix + i + " " + Long.toHexString(random.nextLong()).repeat(4))
        .toList();
  }

  @Test
  void foreignFilesAndFoldersSurviveQueriesAndRestartsAndAreNamed() throws IOException {
    List<Path> foreign = new ArrayList<>();
    for (String tier : List.of("ingest", "store")) {
      Path where = Files.createDirectories(folder.resolve("data").resolve(tier));
      for (String name : List.of("x.flushed", "notes.txt", "backup.active", ".hidden")) {
        foreign.add(Files.writeString(where.resolve(name), "mine"));
      }
      Path inside = Files.createDirectories(where.resolve("old.flushed"));
      foreign.add(Files.writeString(inside.resolve("y.flushed"), "mine"));
    }
    for (int start = 1; start <= 2; start++) {
      try (NodeProcess node = NodeProcess.start(folder)) {
        node.send("start " + start + "\n");
        node.awaitCount("start", start);
        assertThat(node.find("")).hasSize(start);
        for (String name : List.of("x.flushed", "notes.txt", "backup.active", "old.flushed")) {
          node.program().awaitErr(name);
        }
        node.stop();
      }
      assertThat(foreign).allSatisfy(file -> assertThat(file).hasContent("mine"));
    }
  }
}
