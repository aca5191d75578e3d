package io.cordwood.dist.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.common.file.Filesystem;
import io.cordwood.common.segment.Batch;
import io.cordwood.common.segment.BatchScanner;
import io.cordwood.common.segment.IngestSegmentHeader;
import io.cordwood.common.segment.SegmentBatches;
import io.cordwood.common.segment.StoreSegment;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Starts over data folders in which somebody, or a broken disk, has been at work. */
final class DataFolderIT {
  private static final int STARTS = 6;
  private static final int MUTATIONS_A_START = 7;
  private static final int BURSTS = 6;

  @TempDir private Path folder;

  private final Set<String> sent = new HashSet<>();

  @Test
  void nodeStartsFromMutatedFoldersAndFindsAllThatIsIntact() throws IOException {
    long seed = Seed.of(DataFolderIT.class);
    var random = new Random(seed);
    Path original = Files.createDirectory(folder.resolve("original"));
    fill(original);
    for (int start = 0; start < STARTS; start++) {
      Path home = folder.resolve("start" + start);
      copy(original, home);
      Set<String> intact = mutate(home, random);
      try (NodeProcess node = NodeProcess.start(home)) {
        String beside = "beside " + start;
        node.send(beside + "\n");
        node.awaitCount(beside, 1);
        node.awaitCount("record ", intact.size());
        List<String> found = node.find("record ");
        Set<String> distinct = Set.copyOf(found);
        assertThat(distinct).as("each once, seed %d", seed).hasSize(found.size());
        assertThat(missing(intact, distinct)).as("intact, seed %d", seed).isEmpty();
        assertThat(missing(distinct, sent)).as("never sent, seed %d", seed).isEmpty();
        assertThat(node.program().err()).as("log, seed %d", seed).doesNotContain("\tat ");
      }
    }
  }

  private static List<String> missing(Set<String> expected, Set<String> found) {
    return expected.stream().filter(record -> !found.contains(record)).toList();
  }

  /** Leaves store segments behind, and ingest segments that no store has seen. */
  private void fill(Path home) throws IOException {
    try (NodeProcess node = NodeProcess.start(home)) {
      for (int burst = 0; burst < BURSTS; burst++) {
        node.send(lines("stored in " + burst));
        node.awaitStored(1000L * (burst + 1));
      }
    }
    try (NodeProcess node = NodeProcess.start("ingest", home)) {
      for (int burst = 0; burst < BURSTS; burst++) {
        int before = segments(home).size();
        node.send(lines("taken in " + burst));
        org.awaitility.Awaitility.await()
            .atMost(Program.LONG)
            .until(() -> segments(home).size() > before);
      }
    }
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.toList()) {
        Files.copy(file, to.resolve(from.relativize(file)));
      }
    }
  }

  private String lines(String what) {
    var text = new StringBuilder();
    for (int i = 0; i < 1000; i++) {
      String record = "record " + i + " " + what;
      sent.add(record);
      text.append(record).append('\n');
    }
    return text.toString();
  }

  /** Looks at names alone: a running node's files may go at any moment. */
  private static List<Path> segments(Path home) throws IOException {
    List<Path> found = new ArrayList<>();
    for (String folder : List.of("ingest", "store")) {
      try (Stream<Path> files = Files.list(home.resolve("data").resolve(folder))) {
        files.filter(file -> file.toString().endsWith(".flushed")).sorted().forEach(found::add);
      }
    }
    return found;
  }

  /** Changes some files; the answer is the records of those that were let be. */
  private static Set<String> mutate(Path home, Random random) throws IOException {
    List<Path> files = new ArrayList<>(segments(home));
    java.util.Collections.shuffle(files, random);
    List<Path> changed = files.subList(0, Math.min(MUTATIONS_A_START, files.size()));
    Set<String> intact = new HashSet<>();
    for (Path file : files.subList(changed.size(), files.size())) {
      readRecords(file, intact);
    }
    for (Path file : changed) {
      mutateFile(file, random);
    }
    return intact;
  }

  private static void mutateFile(Path file, Random random) throws IOException {
    byte[] content = Files.readAllBytes(file);
    int at = random.nextInt(content.length);
    String name = file.getFileName().toString();
    switch (random.nextInt(8)) {
      case 0 -> Files.write(file, Arrays.copyOf(content, at));
      case 1 -> {
        content[at] ^= (byte) (1 << random.nextInt(8));
        Files.write(file, content);
      }
      case 2 -> Files.delete(file);
      case 3 -> Files.write(file.resolveSibling(name.replace(".flushed", "-2.flushed")), content);
      case 4 -> Files.move(file, file.resolveSibling("garbage " + name));
      case 5 -> Files.move(file, file.resolveSibling(name.replace(".flushed", ".pending")));
      case 6 -> {
        random.nextBytes(content);
        Files.write(file, content);
      }
      default -> Files.write(file, Arrays.copyOf(content, content.length + 1 + at));
    }
  }

  private static void readRecords(Path path, Set<String> records) throws IOException {
    var file = Filesystem.real().open(path);
    if (path.toString().contains("/data/store/")) {
      StoreSegment segment = StoreSegment.open(file);
      try (var batches = new SegmentBatches(segment)) {
        for (@Nullable Batch batch = batches.next(); batch != null; batch = batches.next()) {
          addRecords(batch, records);
        }
      } finally {
        segment.release();
      }
    } else {
      try (file) {
        BatchScanner scanner = IngestSegmentHeader.scan(file);
        while (scanner.next() instanceof BatchScanner.Intact(long _, Batch batch)) {
          addRecords(batch, records);
        }
      }
    }
  }

  private static void addRecords(Batch batch, Set<String> records) {
    String text = StandardCharsets.UTF_8.decode(batch.payload().duplicate()).toString();
    text.lines().filter(line -> line.startsWith("record ")).forEach(records::add);
  }
}
