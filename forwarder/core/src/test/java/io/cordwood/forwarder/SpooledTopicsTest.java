package io.cordwood.forwarder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cordwood.common.wire.Labels;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A spool that a forwarder with another topic has left. */
final class SpooledTopicsTest extends NodeFixture {
  private final List<String> complaints = new CopyOnWriteArrayList<>();
  private final List<String> hopeless = new CopyOnWriteArrayList<>();
  private final ForwarderListener listener =
      new ForwarderListener() {
        @Override
        public void spoolFailed(String complaint) {
          complaints.add(complaint);
        }

        @Override
        public void refusedByAll(String reason, boolean hasWorked) {
          hopeless.add(reason);
        }
      };

  @TempDir private Path folder;

  private Forwarder start(String topic) {
    return start(topic, Labels.NONE);
  }

  private Forwarder start(String topic, Labels labels) {
    var spool = new SpoolOptions(folder, SpoolOptions.DEFAULT_BYTES);
    var options =
        options()
            .topic(topic)
            .labels(labels)
            .windowBytes(ForwarderOptions.MIN_WINDOW_WITH_SPOOL_BYTES);
    return Forwarder.start(options.spool(spool).build(), listener);
  }

  @AfterEach
  void awaitKeepers() {
    await().atMost(LONG).until(() -> AppenderFixture.threadsNamed(SpoolKeeper.THREAD_NAME) == 0);
  }

  private void leave(String topic, String record) throws IOException {
    leave(start(topic), record);
  }

  private void leave(Labels labels, String record) throws IOException {
    leave(start("web", labels), record);
  }

  private void leave(Forwarder forwarder, String record) throws IOException {
    await().until(() -> Files.exists(folder.resolve("lock")));
    forwarder.send(bytes(record));
    assertThat(forwarder.close(Duration.ZERO, LONG).isNothing()).isTrue();
    awaitKeepers();
  }

  private long files() throws IOException {
    try (Stream<Path> all = Files.list(folder)) {
      return all.filter(path -> path.toString().endsWith(SpoolFile.ENDING)).count();
    }
  }

  @Test
  void oneThatIsRefusedStaysThereAndTheOthersGoOn() throws IOException {
    node.close();
    leave("old", "of before");
    leave("new", "of today");
    startNodeAgain();
    node.refusals.put("old", "expected a topic of the token shop, found old");
    try (Forwarder forwarder = start("new")) {
      forwarder.send(bytes("of now"));
      flush(forwarder);
      assertThat(archive.records()).containsExactly("of today", "of now");
      assertThat(forwarder.counters().spool().records()).isOne();
      assertThat(forwarder.counters().refusals(RefusalReason.TOPIC)).isOne();
      assertThat(hopeless).isEmpty();
      await().untilAsserted(() -> assertThat(complaints).hasSize(1));
      assertThat(complaints.get(0)).contains("the topic old are refused").contains("found old");
      AppenderFixture.assertLedgerHolds(forwarder.counters());
    }
    awaitKeepers();
    assertThat(files()).isOne();
    node.refusals.clear();
    try (Forwarder forwarder = start("new")) {
      await().atMost(LONG).until(() -> archive.count() == 3);
      await().atMost(LONG).until(() -> forwarder.counters().spool().records() == 0);
    }
    awaitKeepers();
    assertThat(archive.records()).contains("of before");
    assertThat(files()).isZero();
  }

  @Test
  void labelsThatAreRefusedStayThereAndOthersOfTheTopicGoOn() throws IOException {
    node.close();
    leave(Labels.of(Map.of("team", "pay")), "of before");
    leave(Labels.of(Map.of("team", "shop")), "of today");
    startNodeAgain();
    String why = "expected labels of the token shop, found others, named [team]";
    node.refusals.put("web\nteam=pay", why);
    try (Forwarder forwarder = start("web", Labels.of(Map.of("team", "shop")))) {
      forwarder.send(bytes("of now"));
      flush(forwarder);
      assertThat(archive.records()).containsExactly("of today", "of now");
      assertThat(forwarder.counters().spool().records()).isOne();
      assertThat(hopeless).isEmpty();
      await().untilAsserted(() -> assertThat(complaints).hasSize(1));
      assertThat(complaints.get(0))
          .contains("the topic web with the labels {team=pay}")
          .contains(why);
    }
  }

  @Test
  void theTopicOfWhatIsAppendedIsTriedOn() throws IOException {
    node.close();
    leave("new", "of before");
    startNodeAgain();
    node.refusals.put("new", "expected a topic of the token shop, found new");
    try (Forwarder forwarder = start("new")) {
      await().atMost(LONG).until(() -> hopeless.size() > 1);
      assertThat(complaints).isEmpty();
      node.refusals.clear();
      flush(forwarder);
      assertThat(archive.records()).containsExactly("of before");
    }
  }
}
