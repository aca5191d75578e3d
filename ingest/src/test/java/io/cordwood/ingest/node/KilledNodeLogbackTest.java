package io.cordwood.ingest.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Appender;
import io.cordwood.ingest.gelf.LogbackGelf;
import io.cordwood.ingest.loki.Loki4j;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Appenders of Logback send while the node is killed, and lose no more than their page says. */
final class KilledNodeLogbackTest extends KilledNodeFixture {
  /** The most records in a batch of loki4j, unless it is set. */
  private static final int BATCH = 1000;

  private static final int THREADS = 32;
  private static final int CONNECTIONS = 2;
  private static final int EVER = Integer.MAX_VALUE - 1;

  @Test
  void loki4jLosesAtMostTheBatchThatIsOnItsWay() throws Exception {
    LoggerContext logback = Loki4j.logback(node().apiPort(), true);
    var log = logback.getLogger("com.acme.App");
    send(i -> log.info("number {}", i));
    logback.stop();
    List<Integer> stored = stored();
    assertThat(stored).doesNotHaveDuplicates();
    assertThat(lost("loki4j", ALL, stored)).hasSizeLessThanOrEqualTo(BATCH);
  }

  /** Threads log, and wait while an event of theirs is tried again and again. */
  private void log(Appender<ILoggingEvent> appender, int threads) throws Exception {
    var context = new LoggerContext();
    Logger log = LogbackGelf.logger(context, appender);
    var logged = new AtomicInteger();
    try (var logging = Executors.newFixedThreadPool(threads)) {
      send(i -> {
        logging.execute(() -> {
          log.info("number {}", i);
          logged.incrementAndGet();
        });
        if (i == BEFORE_THE_KILL - 1) {
          await().atMost(PATIENCE).until(() -> logged.get() > BEFORE_THE_KILL / 2);
        }
      });
    }
    context.stop();
  }

  @Test
  void logbackGelfLosesNothingOverHttpAndDoublesAtMostWhatIsOnItsWay() throws Exception {
    var appender = LogbackGelf.http(node().apiPort());
    appender.setMaxRetries(EVER);
    appender.setRetryDelay(100);
    appender.setRequestTimeout((int) RunningNode.PATIENCE.toMillis());
    log(appender, THREADS);
    List<Integer> stored = stored();
    assertThat(lost("logback-gelf over HTTP", ALL, stored)).isEmpty();
    assertThat(stored).hasSizeLessThanOrEqualTo(RECORDS + THREADS);
  }

  /**
   * A thread logs. After the kill each record comes after the one before, until a write of each
   * connection has failed: the kernel takes some bytes for a connection whose end it has not heard
   * of, or only tells at the next write.
   *
   * @return the number of the record that was tried in vain on both connections
   */
  private int logOverTcp() throws Exception {
    var failures = new AtomicInteger();
    var appender = LogbackGelf.tcp(node().gelfPort(), failures::incrementAndGet);
    appender.setMaxRetries(EVER);
    appender.setRetryDelay(100);
    appender.setPoolSize(CONNECTIONS);
    appender.setReconnectInterval(-1);
    var context = new LoggerContext();
    Logger log = LogbackGelf.logger(context, appender);
    var logged = new AtomicInteger();
    var noticed = new AtomicInteger(EVER);
    try (var logging = Executors.newSingleThreadExecutor()) {
      send(i -> {
        logging.execute(() -> {
          failures.set(0);
          log.info("number {}", i);
          logged.incrementAndGet();
        });
        if (i == BEFORE_THE_KILL - 1) {
          await().atMost(PATIENCE).until(() -> logged.get() > BEFORE_THE_KILL / 2);
        }
        if (i >= BEFORE_THE_KILL && noticed.get() == EVER) {
          await()
              .pollDelay(Duration.ZERO)
              .pollInterval(Duration.ofMillis(1))
              .until(() -> logged.get() > i || failures.get() > CONNECTIONS);
          if (logged.get() <= i) {
            noticed.set(logged.get());
          }
        }
      });
    }
    context.stop();
    return noticed.get();
  }

  @Test
  void logbackGelfLosesOverTcpWhatIsOnItsWayAndNothingOnceWritesHaveFailed() throws Exception {
    int noticed = logOverTcp();
    assertThat(noticed).isLessThan(RECORDS);
    node().end(RECORDS - noticed);
    List<Integer> stored = stored();
    assertThat(stored).doesNotHaveDuplicates();
    assertThat(lost("logback-gelf over TCP", ALL, stored)).allMatch(i -> i < noticed);
  }
}
