package io.cordwood.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cordwood.common.net.FreePorts;
import io.cordwood.query.Answer;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A store that comes back at its old address with an empty disk has not what the old one had, and
 * nobody may take its answers for the old one's.
 */
final class ReplacedDiskIT {
  private static final int STORES = 3;
  private static final int RECORDS = 200;
  private static final Duration ASKED = Duration.ofSeconds(4);

  @TempDir private Path folder;
  private final List<Integer> gossip =
      IntStream.rangeClosed(0, STORES).mapToObj(_ -> FreePorts.next()).toList();
  private final List<NodeProcess> stores = new ArrayList<>();
  private NodeProcess ingest;

  @BeforeEach
  void start() throws IOException {
    ingest = NodeProcess.start("ingest", folder.resolve("i"), flags(STORES).toArray(String[]::new));
    for (int i = 0; i < STORES; i++) {
      stores.add(startStore(i, "s" + i, FreePorts.next()));
    }
  }

  @AfterEach
  void stop() {
    stores.forEach(NodeProcess::close);
    ingest.close();
  }

  private List<String> flags(int number) {
    List<String> flags =
        new ArrayList<>(List.of("--gossip-profile=local", "--gossip-port=" + gossip.get(number)));
    gossip.forEach(port -> flags.add("--peer=127.0.0.1:" + port));
    return flags;
  }

  private NodeProcess startStore(int number, String home, int apiPort) throws IOException {
    List<String> flags = flags(number);
    flags.addAll(List.of("--replication-factor=2", "--repair-after=1h", "--api-port=" + apiPort));
    return NodeProcess.start("store", folder.resolve(home), flags.toArray(String[]::new));
  }

  @Test
  void whileTheOnlyOtherHolderIsPausedNoAnswerIsCalledComplete() throws IOException {
    StringBuilder lines = new StringBuilder();
    IntStream.range(0, RECORDS).forEach(i -> lines.append("record ").append(i).append('\n'));
    ingest.upload(lines.toString());
    await().until(() -> holders().size() == 2 && own(ingest) == 0);
    int wiped = holders().getFirst();
    NodeProcess paused = stores.get(holders().getLast());

    paused.program().pause();
    NodeProcess old = stores.get(wiped);
    old.kill();
    stores.set(wiped, startStore(wiped, "new-disk", old.apiPort()));
    List<NodeProcess> asked = new ArrayList<>(stores);
    asked.add(ingest);
    asked.remove(paused);
    long end = System.nanoTime() + ASKED.toNanos();
    while (System.nanoTime() < end) {
      for (NodeProcess node : asked) {
        Answer answer = Answer.get(node.apiPort(), "/query?count=true&time_limit=100ms&q=record");
        assertThat(answer.field("verdict"))
            .as("%s found, missing: %s", answer.text(), answer.field("missing"))
            .isNotEqualTo("complete");
      }
    }
    paused.program().resume();
    for (NodeProcess node : asked) {
      await().until(() -> node.count("record") == RECORDS);
    }
  }

  /** The numbers of the stores that have all records themselves. */
  private List<Integer> holders() throws IOException {
    List<Integer> holders = new ArrayList<>();
    for (int i = 0; i < STORES; i++) {
      if (own(stores.get(i)) == RECORDS) {
        holders.add(i);
      }
    }
    return holders;
  }

  private static long own(NodeProcess node) throws IOException {
    return Long.parseLong(node.query("here=true&count=true&q=record").strip());
  }
}
