package io.cordwood.forwarder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cordwood.common.wire.Labels;
import io.cordwood.common.wire.Origin;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A node that refuses one topic: its batches go back to their maker, and others arrive. */
final class RefusedTopicsTest extends RefusalsFixture {
  private static final String TOO_MANY =
      "expected at most 2 topics besides default since this node was started, found one more: c";

  private PreparedBatch batch(String topic) {
    return batch(topic, new Origin(topic, Labels.of(Map.of("n", String.valueOf(made + 1)))));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        TOO_MANY,
        "expected a topic of the token shop, found c",
        "expected at most 9 MiB a day of the topic c",
        "at byte 77: expected a batch with checksum 00000001, found 00000002"
      })
  void goBackInOrderAndTheOthersArrive(String why) {
    node.refusals.put("c", why);
    try (Forwarder forwarder = Forwarder.start(options().build(), listener)) {
      List.of("a", "c", "b", "c", "a", "c").forEach(topic -> forwarder.send(batch(topic)));
      await().atMost(LONG).until(() -> acknowledged.size() == 3 && told.size() == 1);
      assertThat(acknowledged).containsExactly("a1", "b3", "a5");
      assertThat(back).containsExactly("c2", "c4", "c6");
      assertThat(told).containsExactly("c: error: " + why);
      forwarder.send(batch("c"));
      assertThat(back).as("later ones, without asking the node").endsWith("c7");
      node.refusals.clear();
      forwarder.admit(new Origin("c", Labels.NONE));
      forwarder.send(batch("c"));
      await().atMost(LONG).until(() -> acknowledged.contains("c8"));
      ForwarderCounters counters = forwarder.counters();
      assertThat(counters.appended()).isEqualTo(counters.acknowledged()).isEqualTo(4);
      assertThat(counters.pendingBytes()).isZero();
      assertThat(counters.connections().refusals().values())
          .containsOnly(0L, 1L)
          .containsOnlyOnce(1L);
    }
  }

  @Test
  void ofAnUploadGoBackAndItsOthersArrive() {
    node.behaviour = TestNode.Behaviour.ACK_AT_END;
    node.refusals.put("c", TOO_MANY);
    try (Forwarder forwarder = start(options().uploadBytes(ForwarderOptions.MIN_UPLOAD_BYTES))) {
      List.of("a", "c", "b").forEach(topic -> forwarder.send(batch(topic)));
      await().atMost(LONG).until(() -> acknowledged.size() == 2);
      assertThat(acknowledged).containsExactly("a1", "b3");
      assertThat(back).containsExactly("c2");
    }
  }

  @Test
  void ofMakersThatDoNotTakeThemBackAreKeptAndTriedAgain() {
    node.refusals.put("default", TOO_MANY.replace(": c", ": default"));
    try (Forwarder forwarder = Forwarder.start(options().build(), listener)) {
      sendLines(forwarder, "line\n");
      await().atMost(LONG).until(() -> forwarder.counters().refusals(RefusalReason.TOPIC) > 2);
      assertThat(told).isEmpty();
      node.refusals.clear();
      flush(forwarder);
      assertThat(archive.records()).containsExactly("line");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "expected a token, found one not known here                            | TOKEN",
        "expected a token with the scope ingest, found the token a without     | TOKEN",
        "expected a first line such as CORDWOOD/1 token=cw_…, found none       | TOKEN",
        "expected a topic of the token shop, found default                     | TOPIC",
        "expected a topic of the token shop, found TLS                         | TOPIC",
        "expected labels of the token shop, found others, named [team]         | LABELS",
        "expected labels of the token topic, found others, named []            | LABELS",
        "expected a token with the scope ingest, found the token topic without | TOKEN",
        "this node asks for a token, which syslog cannot show; it is taken so   | TOKEN",
        "expected messages, found a preamble, for the fast, durable or bulk port | FOREIGN",
        "this port speaks TLS, and what came is plain text: connect with TLS   | TLS",
      })
  void finalRefusalsByAllTargetsAreToldAndCounted(String why, RefusalReason reason)
      throws IOException {
    List<String> hopeless = new CopyOnWriteArrayList<>();
    List<Boolean> worked = new CopyOnWriteArrayList<>();
    ForwarderListener hearing =
        new ForwarderListener() {
          @Override
          public void refusedByAll(String said, boolean hasWorked) {
            worked.add(hasWorked);
            hopeless.add(said);
          }
        };
    try (TestNode other = new TestNode(new Archive());
        Forwarder forwarder = Forwarder.start(options().target(other.target()).build(), hearing)) {
      sendLines(forwarder, "line\n");
      flush(forwarder);
      node.refusals.put("default", why);
      other.refusals.put("default", "the node is being closed");
      sendLines(forwarder, "another\n");
      await().atMost(LONG).until(() -> forwarder.counters().refusals(RefusalReason.OTHER) > 2);
      assertThat(hopeless).isEmpty();
      other.refusals.put("default", why);
      await().atMost(LONG).until(() -> !hopeless.isEmpty());
      assertThat(hopeless.get(0)).startsWith("error: " + why.substring(0, 20));
      assertThat(worked.get(0)).isTrue();
      assertThat(forwarder.counters().refusals(reason)).isPositive();
      forwarder.close(Duration.ZERO);
    }
  }
}
