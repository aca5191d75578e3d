package io.cordwood.forwarder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cordwood.common.wire.Labels;
import io.cordwood.common.wire.Origin;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A node that refuses some labels: their batches go back, and others of the topic arrive. */
final class RefusedLabelsTest extends RefusalsFixture {
  private static final String WHY =
      "expected labels of the token topic, found others, named [team]";

  private static Origin origin(String team) {
    return new Origin("c", team.isEmpty() ? Labels.NONE : Labels.of(Map.of("team", team)));
  }

  private PreparedBatch batch(String team) {
    return batch(team, origin(team));
  }

  @Test
  void goBackAndOthersOfTheTopicArrive() {
    node.refusals.put("c\nteam=pay", WHY);
    node.refusals.put("c\n", WHY);
    try (Forwarder forwarder = Forwarder.start(options().build(), listener)) {
      List.of("shop", "pay", "shop", "", "pay").forEach(team -> forwarder.send(batch(team)));
      await().atMost(LONG).until(() -> acknowledged.size() == 2 && told.size() == 2);
      assertThat(acknowledged).containsExactly("shop1", "shop3");
      assertThat(back).containsExactly("pay2", "pay5", "4");
      assertThat(told)
          .containsExactly(
              "c with the labels {team=pay}: error: " + WHY, "c with the labels {}: error: " + WHY);
      forwarder.send(batch("pay"));
      assertThat(back).as("later ones, without asking the node").endsWith("pay6");
      node.refusals.clear();
      forwarder.admit(origin("pay"));
      forwarder.send(batch("pay"));
      forwarder.send(batch(""));
      await().atMost(LONG).until(() -> acknowledged.contains("pay7"));
      assertThat(back).endsWith("8");
      assertThat(forwarder.counters().refusals(RefusalReason.LABELS)).isEqualTo(2);
      assertThat(forwarder.counters().pendingBytes()).isZero();
    }
  }

  /** The node does not say which of an upload they are. */
  @ParameterizedTest
  @ValueSource(
      strings = {WHY, "at byte 77: expected a batch with checksum 00000001, found 00000002"})
  void ofAnUploadAreFoundAndItsOthersArrive(String why) {
    node.behaviour = TestNode.Behaviour.ACK_AT_END;
    node.refusals.put("c\nteam=pay", why);
    var other = new Origin("d", Labels.NONE);
    try (Forwarder forwarder = start(options().uploadBytes(ForwarderOptions.MIN_UPLOAD_BYTES))) {
      forwarder.send(batch("d", other));
      forwarder.send(batch("pay"));
      forwarder.send(batch("d", other));
      forwarder.send(batch("d", other));
      await().atMost(LONG).until(() -> acknowledged.size() == 3);
      assertThat(acknowledged).containsExactly("d1", "d3", "d4");
      assertThat(back).containsExactly("pay2");
      assertThat(node.uploads).as("large ones again").hasSize(2);
    }
  }
}
