package io.cordwood.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.forwarder.Target;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ForwardLogTest {
  private static final SocketAddress PEER = InetSocketAddress.createUnresolved("node", 7652);
  private static final String REFUSAL = "error: expected at most 2 topics, found one more: c";

  private final List<String> lines = new ArrayList<>();
  private long now;
  private int ends;
  private final ForwardLog log = log(true);

  private ForwardLog log(boolean isService) {
    return new ForwardLog(lines::add, () -> now, () -> ends++, isService);
  }

  private void refuse(int times) {
    for (int i = 0; i < times; i++) {
      log.connected(PEER);
      log.disconnected(PEER, REFUSAL, 7);
      now += Duration.ofSeconds(5).toNanos();
    }
  }

  @Test
  void aNodeThatRefusesAgainAndAgainIsToldOfOnceAMinute() {
    String told = "lost node/<unresolved>:7652: " + REFUSAL + "; 7 lines to send again";
    refuse(12);
    assertThat(lines).containsExactly(told, "connected to node/<unresolved>:7652");
    refuse(1);
    assertThat(lines).last().isEqualTo(told + "; the same 11 times more in the last minutes");
  }

  @Test
  void anotherReasonIsToldAtOnceAndSoIsTheWayBackFromIt() {
    refuse(3);
    lines.clear();
    log.disconnected(PEER, "Connection reset", 0);
    log.connected(PEER);
    assertThat(lines)
        .containsExactly(
            "lost node/<unresolved>:7652: Connection reset; 0 lines to send again",
            "connected to node/<unresolved>:7652");
  }

  @Test
  void aRefusedTopicIsToldOfOnceAMinute() {
    for (int i = 0; i < 13; i++) {
      log.topicRefused(PEER, "c", REFUSAL);
      log.connected(PEER);
      now += Duration.ofSeconds(5).toNanos();
    }
    String told = "node/<unresolved>:7652 refuses the topic c: " + REFUSAL;
    String waits = "; its lines wait, and are tried again";
    assertThat(lines)
        .containsExactly(
            told + waits, told + waits + "; the same 11 times more in the last minutes");
  }

  @Test
  void refusalsForGoodEndWhatHasNotWorkedOrEndsByItself() {
    log.refusedByAll("error: expected a token", true);
    assertThat(lines)
        .containsExactly("no target takes records: error: expected a token; trying on");
    assertThat(ends).as("of a service that has worked").isZero();
    log.refusedByAll("error: expected a token", false);
    log.refusedByAll("error: expected a token", false);
    assertThat(ends).as("of one that has not").isOne();
    log(false).refusedByAll("error: expected a token", true);
    assertThat(ends).as("of a command").isEqualTo(2);
  }

  @Test
  void aDefectEndsAServiceToo() {
    log.failed("java.lang.OutOfMemoryError");
    log.failed("java.lang.OutOfMemoryError");
    assertThat(ends).isOne();
  }

  @Test
  void aTargetThatIsNotThereIsToldOfOnceUntilOneIs() {
    Target target = new Target("node", 7652);
    log.connectFailed(target, "node:7652: unknown host", Duration.ZERO);
    log.connectFailed(target, "node:7652: unknown host", Duration.ZERO);
    log.connected(PEER);
    log.connected(PEER);
    assertThat(lines)
        .containsExactly(
            "node:7652: unknown host; trying on", "connected to node/<unresolved>:7652");
  }
}
