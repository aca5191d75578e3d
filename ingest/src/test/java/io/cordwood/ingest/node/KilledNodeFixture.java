package io.cordwood.ingest.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cordwood.common.segment.Batch;
import io.cordwood.common.ulid.Ulid;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.IntConsumer;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/**
 * A node that is killed while numbered records are sent to it, and what it has of them then. {@code
 * -Dcordwood.records=N} says how many are sent.
 */
abstract class KilledNodeFixture {
  static final int RECORDS = Integer.getInteger("cordwood.records", 4_000);
  static final int BEFORE_THE_KILL = RECORDS / 2;

  static final List<Integer> ALL = IntStream.range(0, RECORDS).boxed().toList();

  /** For all of them. */
  static final Duration PATIENCE = RunningNode.PATIENCE.multipliedBy(Math.max(1, RECORDS / 10_000));

  private static final Pattern NUMBER = Pattern.compile("number (\\d+)\\b");

  @TempDir private Path folder;
  private NodeToKill node;

  @BeforeEach
  void start() throws IOException {
    node = new NodeToKill(folder);
  }

  @AfterEach
  void close() {
    node.close();
  }

  NodeToKill node() {
    return node;
  }

  /** Sends half, kills the node while that is on its way, and sends the rest. */
  void send(IntConsumer record) throws IOException {
    IntStream.range(0, BEFORE_THE_KILL).forEach(record);
    node.kill();
    IntStream.range(BEFORE_THE_KILL, RECORDS).forEach(record);
    node.startAgain();
  }

  /** Numbers that are stored, as {@link #records}. */
  List<Integer> stored() throws IOException {
    return records().stream().map(KilledNodeFixture::number).toList();
  }

  /** Records that are stored; batches that came twice under the same ULIDs once. */
  Collection<String> records() throws IOException {
    node.kill();
    var records = new TreeMap<Ulid, String>();
    try (var running = RunningNode.in(folder)) {
      await().untilAsserted(() -> assertThat(running.log().claims().waiting()).isPositive());
      for (Batch batch : running.consumeWaiting()) {
        Ulid ulid = batch.first();
        String text = StandardCharsets.UTF_8.decode(batch.payload().duplicate()).toString();
        for (String record : text.lines().toList()) {
          records.put(ulid, record);
          ulid = ulid.plus(1);
        }
      }
    }
    return records.values();
  }

  /** Those of the numbers that are not stored; prints how many that are, and how many are twice. */
  static Set<Integer> lost(String client, Collection<Integer> numbers, List<Integer> stored) {
    Set<Integer> found = new HashSet<>(stored);
    var lost = new TreeSet<Integer>();
    numbers.stream().filter(number -> !found.contains(number)).forEach(lost::add);
    System.out.printf(
        "%s: %d of %d, %d lost, %d twice%n",
        client, numbers.size(), RECORDS, lost.size(), stored.size() - found.size());
    return lost;
  }

  static int number(String record) {
    MatchResult found = NUMBER.matcher(record).results().findFirst().orElseThrow();
    return Integer.parseInt(found.group(1));
  }
}
