package io.cordwood.forwarder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Configurations, good, bad and changing, and events that the appender itself brings about. */
public abstract class AppenderLifeContract extends AppenderFixture {
  private static final int RELOADS = Integer.getInteger("cordwood.reloads", 50);

  /** An appender whose layout or encoder throws for each event with the text {@code bad}. */
  protected abstract Application startWithThrowingLayout(AppenderXml appender);

  /** Three appenders that have the same settings and get the same events. */
  protected abstract Application startThree(AppenderXml appender);

  @Test
  void appendersThatAreStoppedTogetherWaitNoLongerThanOne() {
    node.behaviour = TestNode.Behaviour.SILENT;
    Application application = startThree(appender().set("stopTimeout", "400ms"));
    application.log("one");
    application.close();
    assertThat(application.status())
        .filteredOn(said -> said.contains("1 records were not acknowledged within 400 ms"))
        .hasSize(3)
        .filteredOn(said -> said.contains("since another appender was stopped"))
        .hasSize(2);
  }

  @Test
  void reconfigurationLeavesNoThreadAndNoConnection() {
    List<String> expected = new ArrayList<>();
    try (Application application = start(appender())) {
      for (int i = 0; i < RELOADS; i++) {
        expected.add("event " + i);
        application.log("event " + i);
        application.reconfigure(appender());
      }
      await().atMost(LONG).until(() -> node.open() <= 1);
      await().atMost(LONG).until(() -> threadsNamed("cordwood-forwarder") == 1);
    }
    assertThat(received()).isEqualTo(expected);
    await().atMost(LONG).until(() -> threadsNamed("cordwood-forwarder") == 0);
    await().atMost(LONG).until(() -> node.open() == 0);
  }

  @Test
  void statusThatIsLoggedFeedsNoLoop() throws IOException {
    node.close();
    try (Application application = start(appender().set("memory", "2MiB"))) {
      application.logStatus();
      for (int i = 0; i < 4000; i++) {
        application.log("io.cordwood.forwarder", "x".repeat(1000), null);
      }
      await().atMost(LONG).until(() -> application.counters().dropped(DropReason.OWN_THREAD) > 0);
      assertThat(application.counters().appended()).isBetween(4001L, 4010L);
      startNodeAgain();
      awaitAcknowledged(application, 1000);
    }
  }

  @Test
  void eventWhoseLayoutThrowsIsLostAloneAndCounted() {
    try (Application application = startWithThrowingLayout(appender())) {
      application.log("before");
      for (int i = 0; i < 100; i++) {
        application.log("bad");
      }
      application.log("after");
      awaitAcknowledged(application, 2);
      assertThat(application.counters().dropped(DropReason.NOT_ENCODED)).isEqualTo(100);
      assertLedgerHolds(application.counters());
      assertThat(
              application.status().stream().filter(s -> s.contains("this layout throws")).count())
          .isBetween(1L, 5L);
    }
    assertThat(received()).contains("before", "after").doesNotContain("bad");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "targets  | ''       | expected targets such as \"log1,log2:7652\", found none",
        "targets  | a,b:x    | expected host:port, found b:x",
        "topic    | -        | expected a topic like [A-Za-z0-9][A-Za-z0-9._-]{0,127}, found -",
        "mode     | bulk     | expected mode durable or fast, found \"bulk\"",
        "memory   | 1MiB     | expected memory of 2MiB..1GiB, found \"1MiB\"",
        "memory   | lots     | expected memory such as 64KiB or 16MiB, found \"lots\"",
        "spoolSize | 1GiB    | expected spoolSize with spoolDir, found it without",
        "whenFull | wait     | expected whenFull one of block, drop-newest, drop-oldest",
        "linger   | 5        | expected linger such as 20ms, 5s or 2m, found \"5\"",
        "linger   | 2d       | expected linger of 0s..1d, found \"2d\"",
        "ackTimeout | 0s     | expected ackTimeout of 1ms..1d, found \"0s\"",
        "stopTimeout | 2h    | expected stopTimeout of 0s..1h, found \"2h\""
      })
  void wrongSettingIsToldAndTheApplicationGoesOn(String name, String value, String error) {
    try (Application application = start(appender().set(name, value))) {
      application.log("an event that has no appender");
      assertThat(application.status()).anyMatch(s -> s.contains(error));
    }
    assertThat(received()).isEmpty();
  }
}
