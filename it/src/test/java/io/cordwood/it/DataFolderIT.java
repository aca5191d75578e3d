package io.cordwood.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cordwood.common.file.Filesystem;
import io.cordwood.common.segment.Batch;
import io.cordwood.common.segment.SegmentBatches;
import io.cordwood.common.segment.SegmentFiles;
import io.cordwood.common.segment.StoreSegment;
import io.cordwood.common.testing.Seed;
import io.cordwood.common.wire.BatchScanner;
import io.cordwood.common.wire.CorruptException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Starts over data folders in which somebody, or a broken disk, has been at work: on segments of
 * every state that a killed node leaves. {@code -Dcordwood.starts=N} for more of them.
 */
final class DataFolderIT {
  private static final int STARTS = Integer.getInteger("cordwood.starts", 3);
  private static final int BURSTS = 4;
  private static final int BATCHES = 10;
  private static final Pattern TAKEN = Pattern.compile("[0-9A-Z]{26}\\.[a-z]+");
  private static final Pattern STORED = Pattern.compile("[0-9A-Z]{26}-[0-9A-Z]{26}\\.flushed");

  /** Of records that no store has, in a file that is large enough to be used again. */
  private static final int LARGE_RECORDS = 100;

  private static final int LARGE_BYTES = 60_000;

  @TempDir private Path folder;

  private final Set<String> sent = new HashSet<>();
  private final long seed = Seed.of(DataFolderIT.class);
  private final Random random = new Random(seed);

  @Test
  void nodeStartsFromMutatedFoldersAndFindsAllThatIsIntact() throws IOException {
    Path original = Files.createDirectory(folder.resolve("original"));
    leaveStoreSegments(original);
    settleHalf(segments(original));
    leaveFlushedPendingAndActive(original);
    leaveReused(original);
    assertThat(kinds(original))
        .containsOnlyKeys(
            "store.flushed",
            "store.settled",
            "ingest.flushed",
            "ingest.pending",
            "ingest.active",
            "ingest.reused");
    for (int start = 0; start < STARTS; start++) {
      Path home = folder.resolve("start" + start);
      copy(original, home);
      mutate(home);
      assertIntactIsFound(home, "beside " + start);
    }
  }

  private void assertIntactIsFound(Path home, String beside) throws IOException {
    Set<String> intact = intact(home);
    try (NodeProcess node = NodeProcess.start(home)) {
      node.send(beside + "\n");
      node.awaitCount(beside, 1);
      List<String> found = node.find("record ");
      Set<String> distinct = Set.copyOf(found);
      assertThat(distinct).as("each once, seed %d", seed).hasSize(found.size());
      assertThat(missing(intact, distinct)).as("intact, seed %d", seed).isEmpty();
      assertThat(missing(distinct, sent)).as("never sent, seed %d", seed).isEmpty();
      assertThat(node.program().err()).as("log, seed %d", seed).doesNotContain("\tat ");
    }
  }

  private static List<String> missing(Set<String> expected, Set<String> found) {
    return expected.stream().filter(record -> !found.contains(record)).toList();
  }

  private void leaveStoreSegments(Path home) throws IOException {
    try (NodeProcess node = NodeProcess.start(home)) {
      for (int burst = 0; burst < BURSTS; burst++) {
        node.send(lines("stored in " + burst, 1000, ""));
        node.awaitStored(1000L * (burst + 1));
      }
    }
  }

  /** A store settles none that are as small. */
  private static void settleHalf(List<Path> stored) throws IOException {
    for (Path file : stored.subList(0, stored.size() / 2)) {
      Files.write(file, SegmentFiles.settled(Files.readAllBytes(file)));
    }
  }

  /** Ingest segments that no store has seen, some of them claimed, and one that is appended to. */
  private void leaveFlushedPendingAndActive(Path home) throws IOException {
    try (NodeProcess node = NodeProcess.start("ingest", home, "--flush-age=5m", "--lease=1h")) {
      for (int burst = 0; burst < BURSTS; burst++) {
        sendSegment(node, lines("taken in " + burst, 1000, ""));
      }
      node.request("POST", "/ingest/claim?max=2");
      sendBatchesAndKill(node, "active");
    }
  }

  private void sendBatchesAndKill(NodeProcess node, String what) throws IOException {
    try (Sender sender = node.connect()) {
      for (int batch = 1; batch <= BATCHES; batch++) {
        sender.send(lines(what + " in " + batch, 100, ""));
        node.awaitCount(what, 100L * batch);
      }
      node.kill();
    }
  }

  /** More than there are: what a store has taken can be there still, not yet committed. */
  private static void sendSegment(NodeProcess node, String lines) throws IOException {
    double before = node.metric("cordwood_ingest_segments");
    node.send(lines);
    await().until(() -> node.metric("cordwood_ingest_segments") > before);
  }

  /** One that is appended to in the file of a segment that was committed. */
  private void leaveReused(Path home) throws IOException {
    Path elsewhere = Files.createDirectory(folder.resolve("reused"));
    try (NodeProcess node = NodeProcess.start("ingest", elsewhere, "--flush-age=5m")) {
      sendSegment(node, lines("large", LARGE_RECORDS, "x".repeat(LARGE_BYTES)));
      String claimed = node.request("POST", "/ingest/claim").body();
      node.request("POST", "/ingest/commit?id=" + claimed.substring(0, claimed.indexOf(' ')));
      await().until(() -> isKept(elsewhere.resolve("data/ingest")));
      sendBatchesAndKill(node, "reused");
    }
    for (Path file : segments(elsewhere)) {
      Files.move(file, home.resolve("data/ingest").resolve(file.getFileName()));
    }
  }

  /** The file of what was committed, for another segment. */
  private static boolean isKept(Path ingest) throws IOException {
    try (Stream<Path> files = Files.list(ingest)) {
      return files.anyMatch(file -> extension(file).matches("\\.(spare|reused)"));
    }
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.toList()) {
        Files.copy(file, to.resolve(from.relativize(file)));
      }
    }
  }

  private String lines(String what, int count, String more) {
    var text = new StringBuilder();
    for (int i = 0; i < count; i++) {
      String record = "record " + i + " " + what + more;
      sent.add(record);
      text.append(record).append('\n');
    }
    return text.toString();
  }

  private static List<Path> segments(Path home) throws IOException {
    List<Path> found = new ArrayList<>();
    for (String tier : List.of("ingest", "store")) {
      Path where = home.resolve("data").resolve(tier);
      if (Files.exists(where)) {
        try (Stream<Path> files = Files.list(where)) {
          files
              .filter(file -> extension(file).matches("\\.(active|reused|flushed|pending)"))
              .sorted()
              .forEach(found::add);
        }
      }
    }
    return found;
  }

  private static String tier(Path file) {
    return file.getName(file.getNameCount() - 2).toString();
  }

  private static String extension(Path file) {
    String name = file.getFileName().toString();
    return name.substring(Math.max(0, name.lastIndexOf('.')));
  }

  /** By tier and state. */
  private static Map<String, List<Path>> kinds(Path home) throws IOException {
    Map<String, List<Path>> kinds = new TreeMap<>();
    for (Path file : segments(home)) {
      String state = isSettled(file) ? ".settled" : extension(file);
      kinds.computeIfAbsent(tier(file) + state, _ -> new ArrayList<>()).add(file);
    }
    return kinds;
  }

  private static boolean isSettled(Path file) throws IOException {
    if (!tier(file).equals("store")) {
      return false;
    }
    StoreSegment segment = StoreSegment.open(Filesystem.real().open(file));
    try {
      return segment.isSettled();
    } finally {
      segment.release();
    }
  }

  /** Changes about half of the files of each kind. */
  private void mutate(Path home) throws IOException {
    for (List<Path> files : kinds(home).values()) {
      Collections.shuffle(files, random);
      for (Path file : files.subList(0, (files.size() + random.nextInt(2)) / 2)) {
        mutateFile(file);
      }
    }
  }

  private void mutateFile(Path file) throws IOException {
    byte[] content = Files.readAllBytes(file);
    int at = random.nextInt(content.length);
    String name = file.getFileName().toString();
    String extension = extension(file);
    switch (random.nextInt(8)) {
      case 0 -> Files.write(file, Arrays.copyOf(content, at));
      case 1 -> {
        content[at] ^= (byte) (1 << random.nextInt(8));
        Files.write(file, content);
      }
      case 2 -> Files.delete(file);
      case 3 ->
          Files.write(file.resolveSibling(name.replace(extension, "-2" + extension)), content);
      case 4 -> Files.move(file, file.resolveSibling("garbage " + name));
      case 5 -> Files.move(file, file.resolveSibling(name.replace(extension, ".pending")));
      case 6 -> {
        random.nextBytes(content);
        Files.write(file, content);
      }
      default -> Files.write(file, Arrays.copyOf(content, content.length + 1 + at));
    }
  }

  /** The records of all batches that are whole, in files that have the name of a segment. */
  private static Set<String> intact(Path home) throws IOException {
    Set<String> records = new HashSet<>();
    for (Path file : segments(home)) {
      String name = file.getFileName().toString();
      if (tier(file).equals("store") && STORED.matcher(name).matches()) {
        readStored(file, records);
      } else if (tier(file).equals("ingest") && TAKEN.matcher(name).matches()) {
        readTaken(file, records);
      }
    }
    return records;
  }

  private static void readStored(Path path, Set<String> records) throws IOException {
    StoreSegment segment;
    try {
      segment = StoreSegment.open(Filesystem.real().open(path));
    } catch (CorruptException e) {
      return; // what is left of it need not be found
    }
    try (var batches = new SegmentBatches(segment)) {
      for (@Nullable Batch batch = batches.next(); batch != null; batch = batches.next()) {
        addRecords(batch, records);
      }
    } catch (CorruptException e) {
      // neither
    } finally {
      segment.release();
    }
  }

  /** Of a file that is used again, what it held before is nobody's any more. */
  private static void readTaken(Path path, Set<String> records) throws IOException {
    try (var file = Filesystem.real().open(path)) {
      var scanner = new BatchScanner(file::read, 0, file.size());
      while (true) {
        switch (scanner.next()) {
          case BatchScanner.Intact intact -> addRecords(Batch.of(intact), records);
          case BatchScanner.Damage _ -> {}
          case BatchScanner.End _ -> {
            records.removeIf(record -> record.contains(" large"));
            return;
          }
        }
      }
    }
  }

  private static void addRecords(Batch batch, Set<String> records) {
    String text = StandardCharsets.UTF_8.decode(batch.payload().duplicate()).toString();
    text.lines().filter(line -> line.startsWith("record ")).forEach(records::add);
  }
}
