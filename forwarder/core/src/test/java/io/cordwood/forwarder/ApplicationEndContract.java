package io.cordwood.forwarder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cordwood.forwarder.TestNode.Behaviour;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Applications as processes, which end without stopping their logging. */
public abstract class ApplicationEndContract extends AppenderFixture {
  @TempDir private Path folder;

  /** Logs {@code event 0}, {@code event 1} and so on, as many as its argument says, and returns. */
  protected abstract Class<?> program();

  /** A system property that names the framework's configuration. */
  protected abstract String property();

  /** The text of the file. */
  protected abstract String configuration(AppenderXml appender);

  @Override
  protected Application start(AppenderXml appender) {
    throw new UnsupportedOperationException("the applications are processes");
  }

  private int run(AppenderXml appender, int events) throws IOException, InterruptedException {
    Path file = Files.writeString(folder.resolve("logging.xml"), configuration(appender));
    Process process = LoggingProcess.of(program(), property(), file, events).inheritIO().start();
    try {
      assertThat(process.waitFor(LONG.toSeconds(), TimeUnit.SECONDS)).as("it ends").isTrue();
      return process.exitValue();
    } finally {
      process.destroyForcibly();
    }
  }

  @Test
  void applicationThatJustEndsLosesNothing() throws Exception {
    int events = 2000;
    assertThat(run(appender().set("stopTimeout", "1m"), events)).isZero();
    assertThat(received())
        .isEqualTo(IntStream.range(0, events).mapToObj(i -> "event " + i).toList());
  }

  @Test
  void nodeThatNeverAnswersLeavesTheEventsToTheSpool() throws Exception {
    node.behaviour = Behaviour.DEAF;
    Path spool = folder.resolve("spool");
    AppenderXml appender = appender().set("spoolDir", spool.toString()).set("stopTimeout", "10s");
    assertThat(run(appender, 2000)).isZero();
    node.release();
    ForwarderOptions next =
        options().spool(new SpoolOptions(spool, SpoolOptions.DEFAULT_BYTES)).build();
    try (Forwarder forwarder = Forwarder.start(next, ForwarderListener.NONE)) {
      await().atMost(LONG).until(() -> forwarder.counters().acknowledged() == 2000);
      assertThat(forwarder.counters().spool().recovered()).isEqualTo(2000);
    }
    assertThat(received()).hasSize(2000).contains("event 0", "event 1999");
  }

  @Test
  void nodeThatNeverAnswersHoldsNoEndUp() throws Exception {
    node.behaviour = Behaviour.DEAF;
    assertThat(run(appender().set("stopTimeout", "200ms"), 2000)).isZero();
    assertThat(received()).isEqualTo(List.of());
    node.release();
  }
}
