package io.cordwood.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cordwood.common.file.CrashingFilesystem;
import io.cordwood.common.file.PowerLoss;
import io.cordwood.common.file.PowerLoss.Survival;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Loses power behind every single change that a short life of an installation makes to its disk:
 * taking records in, consuming, compacting, retaining. The node is real, but its disk keeps a log,
 * from which each state is made that such a loss may leave; then nodes are started over that state.
 *
 * <p>A record is promised from the moment at which its ingest segment is flushed, or at which a
 * store shows it, or at which durable mode acknowledges it, until its time is over. Whatever is
 * promised at the loss is there after it, under one ULID.
 */
final class PowerLossTest {
  private static final int BURSTS = 4;
  private static final int RECORDS_A_BURST = 12;

  /** Together enough for a file to be kept for another segment. */
  private static final int LARGE_RECORDS = 75;

  private static final int LARGE_BYTES = 64 << 10;
  private static final int MOST_SHOWN = 60;

  @TempDir private Path folder;

  private final CrashingFilesystem disk = new CrashingFilesystem();
  private final List<Promise> promises = new ArrayList<>();

  /** What is found over each state that was tried: many losses leave the same one. */
  private final Map<Map<Path, Integer>, Set<String>> recovered = new HashMap<>();

  private final SplittableRandom random =
      new SplittableRandom(Long.getLong("cordwood.seed", 20_261_121L));

  /** Records that are safe behind so many changes, and until so many. */
  private record Promise(List<String> records, int from, int until) {
    boolean isKeptAt(int point) {
      return from <= point && point < until;
    }
  }

  @Test
  void whateverWasPromisedIsThereOnceAfterALossOfPowerAtAnyMoment() throws IOException {
    Path home = Files.createDirectory(folder.resolve("home"));
    live(home);
    losePowerAtEachPointFrom(0, home);
    assertThat(promises).hasSize(2 + 2 * BURSTS);
  }

  /** The file of a committed segment holds another one, with the old batches still behind it. */
  @Test
  void whateverWasPromisedIsThereOnceIfFilesAreReused() throws IOException {
    Path home = Files.createDirectory(folder.resolve("home"));
    List<String> large =
        IntStream.range(0, LARGE_RECORDS)
            .mapToObj(i -> "large record " + i + " " + "x".repeat(LARGE_BYTES))
            .toList();
    int from;
    try (var node = new InProcessNode(home, disk, 0)) {
      node.send(large);
      awaitStored(node, large);
      await().until(() -> isThere(home.resolve("ingest"), ".spare"));
      from = disk.point();
      promises.add(new Promise(large, from, Integer.MAX_VALUE));
      keepDurablePromises(node);
      assertThat(disk.reopened()).isPositive();
    }
    losePowerAtEachPointFrom(from, home);
  }

  private static boolean isThere(Path where, String ending) throws IOException {
    try (Stream<Path> files = Files.list(where)) {
      return files.anyMatch(file -> file.toString().endsWith(ending));
    }
  }

  private void losePowerAtEachPointFrom(int from, Path home) throws IOException {
    int points = disk.point();
    var loss = new PowerLoss(disk, from);
    for (int point = from; point <= points; point++) {
      loss.goOnTo(point);
      for (Survival survival : Survival.values()) {
        assertPromisesAreKept(point, survival, found(home, loss.state(survival, random)));
      }
    }
    System.out.printf("PowerLossTest: %d changes, %d states%n", points - from, recovered.size());
  }

  /** What nodes find that are started over a state. */
  private Set<String> found(Path home, Map<Path, ByteBuffer> state) throws IOException {
    Map<Path, Integer> hashes = new HashMap<>();
    state.forEach((path, content) -> hashes.put(path, content.hashCode()));
    Set<String> known = recovered.get(hashes);
    if (known != null) {
      return known;
    }
    Path copy = folder.resolve("state");
    if (Files.exists(copy)) {
      delete(copy);
    }
    Files.createDirectory(copy);
    for (Map.Entry<Path, ByteBuffer> file : state.entrySet()) {
      Path path = copy.resolve(home.relativize(file.getKey()));
      Files.createDirectories(path.getParent());
      Files.write(path, file.getValue().array());
    }
    Set<String> found = new HashSet<>();
    for (String record : InProcessNode.recovered(copy).values()) {
      assertThat(found.add(shortened(record))).as("only one %s", shortened(record)).isTrue();
    }
    recovered.put(hashes, found);
    return found;
  }

  private static void delete(Path tree) throws IOException {
    try (Stream<Path> files = Files.walk(tree)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  private static String shortened(String record) {
    return record.length() <= MOST_SHOWN
        ? record
        : record.substring(0, MOST_SHOWN) + " " + record.hashCode();
  }

  private void live(Path home) throws IOException {
    List<String> old = records("old", 3 * RECORDS_A_BURST);
    int stored;
    try (var node = new InProcessNode(home, disk, 0)) {
      node.send(old);
      awaitStored(node, old);
      stored = disk.point();
    }
    promises.add(new Promise(old, stored, disk.point()));
    List<String> flushed = records("flushed", RECORDS_A_BURST);
    try (var ingest = InProcessNode.startIngest(home, disk, new SimpleMeterRegistry())) {
      InProcessNode.send(ingest, flushed);
    }
    promises.add(new Promise(flushed, disk.point(), Integer.MAX_VALUE));
    try (var node = new InProcessNode(home, disk, bytesIn(home.resolve("store")) - 1)) {
      awaitStored(node, flushed);
      await().until(() -> Collections.disjoint(node.stored().values(), old));
      for (int burst = 0; burst < BURSTS; burst++) {
        List<String> records = records("burst " + burst, RECORDS_A_BURST);
        node.send(records);
        awaitStored(node, records);
        promises.add(new Promise(records, disk.point(), Integer.MAX_VALUE));
      }
      keepDurablePromises(node);
      await().until(() -> node.compactions() > 0);
    }
  }

  /** What is acknowledged in durable mode is promised from that moment on. */
  private void keepDurablePromises(InProcessNode node) throws IOException {
    try (Sender sender = new Sender(node.durablePort())) {
      for (int burst = 0; burst < BURSTS; burst++) {
        List<String> records = records("durable " + burst, 2);
        sender.send(String.join("\n", records) + "\n");
        assertThat(sender.answer()).isEqualTo("ack " + 2 * (burst + 1) + "\n");
        promises.add(new Promise(records, disk.point(), Integer.MAX_VALUE));
      }
    }
  }

  private static void awaitStored(InProcessNode node, List<String> records) {
    await()
        .pollInterval(Duration.ofMillis(10))
        .until(() -> node.stored().values().containsAll(records));
  }

  private static long bytesIn(Path store) throws IOException {
    try (Stream<Path> files = Files.list(store)) {
      return files
          .filter(file -> file.toString().endsWith(".flushed"))
          .mapToLong(file -> file.toFile().length())
          .sum();
    }
  }

  private static List<String> records(String what, int count) {
    return IntStream.range(0, count).mapToObj(i -> what + " record number " + i).toList();
  }

  private void assertPromisesAreKept(int point, Survival survival, Set<String> found) {
    for (Promise promise : promises) {
      if (promise.isKeptAt(point)) {
        assertThat(found)
            .as("%s at %d", survival, point)
            .containsAll(promise.records.stream().map(PowerLossTest::shortened).toList());
      }
    }
  }
}
