package io.cordwood.forwarder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

final class LoggingForwarderTest extends NodeFixture {
  private static final Duration DAY = Duration.ofDays(1);

  private final List<String> said = new CopyOnWriteArrayList<>();

  private final AppenderStatus status =
      new AppenderStatus() {
        @Override
        public void info(String message) {
          said.add(message);
        }

        @Override
        public void warn(String message) {
          said.add(message);
        }

        @Override
        public void error(String message) {
          said.add(message);
        }
      };

  private LoggingForwarder startWithARecord() {
    LoggingForwarder forwarder = LoggingForwarder.start(options().build(), status, () -> false);
    forwarder.append(bytes("event"), 0, 5);
    return forwarder;
  }

  private static Thread stop(LoggingForwarder forwarder) {
    return Thread.startVirtualThread(() -> forwarder.stop(DAY, new StopTime()));
  }

  @Test
  void aStopAfterAWaitInVainWaitsNotAgain() {
    node.behaviour = TestNode.Behaviour.SILENT;
    LoggingForwarder forwarder = startWithARecord();
    forwarder.await(Duration.ofMillis(50));
    assertThat(said)
        .containsExactly("1 records were not acknowledged within 50 ms; sending goes on");
    Thread stop = stop(forwarder);
    await().atMost(LONG).until(() -> !stop.isAlive());
    assertThat(forwarder.counters().dropped(DropReason.CLOSED)).isOne();
  }

  @Test
  void aStopWaitsAgainOnceTheNodeAnswers() {
    node.behaviour = TestNode.Behaviour.LATE;
    LoggingForwarder forwarder = startWithARecord();
    forwarder.await(Duration.ofMillis(50));
    node.release();
    await().atMost(LONG).until(() -> forwarder.counters().acknowledged() == 1);
    node.behaviour = TestNode.Behaviour.ACK;
    forwarder.append(bytes("event"), 0, 5);
    Thread stop = stop(forwarder);
    await().atMost(LONG).until(() -> !stop.isAlive());
    assertThat(forwarder.counters().acknowledged()).isEqualTo(2);
    assertThat(archive.count()).isEqualTo(2);
  }
}
