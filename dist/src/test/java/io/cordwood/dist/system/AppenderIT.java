package io.cordwood.dist.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.joran.JoranConfigurator;
import io.cordwood.forwarder.ForwarderCounters;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.apache.logging.log4j.core.LoggerContext;
import org.apache.logging.log4j.core.config.ConfigurationSource;
import org.apache.logging.log4j.core.config.xml.XmlConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code kill -9} of a node to which applications log by Log4j 2 and by Logback, again and again;
 * {@code -Dcordwood.rounds=N} says how often, {@code -Dcordwood.seed=N} chooses the moments.
 */
final class AppenderIT {
  private static final int KILLS = Integer.getInteger("cordwood.rounds", 10);
  private static final int EVENTS_A_LIFE = 400;

  @TempDir private Path folder;

  @Test
  void nodeThatIsKilledAgainAndAgainLosesAndDoublesNoEvent() throws Exception {
    Random random = new Random(Seed.of(AppenderIT.class));
    NodeProcess node = NodeProcess.start(folder);
    String target = "localhost:" + node.durablePort();
    List<Application> applications = List.of(log4j(target), logback(target));
    try {
      for (int kill = 0; kill < KILLS; kill++) {
        int first = kill * EVENTS_A_LIFE;
        int then = first + EVENTS_A_LIFE / 2;
        applications.forEach(a -> a.log(first, then));
        int most = first + random.nextInt(EVENTS_A_LIFE / 2);
        await()
            .atMost(Program.LONG)
            .until(() -> applications.getFirst().counters().get().acknowledged() >= most);
        applications.forEach(a -> a.log(then, first + EVENTS_A_LIFE));
        node.kill();
        node = node.startAgain(folder);
      }
      for (Application application : applications) {
        application.assertFoundIn(node, KILLS * EVENTS_A_LIFE);
      }
    } finally {
      applications.forEach(a -> a.stop().run());
      node.close();
    }
  }

  /** Something that logs, by a framework of this name. */
  private record Application(
      String name, Consumer<String> logger, Supplier<ForwarderCounters> counters, Runnable stop) {

    void log(int first, int end) {
      IntStream.range(first, end).forEach(i -> logger.accept("%s event %d".formatted(name, i)));
    }

    void assertFoundIn(NodeProcess node, int events) throws IOException {
      await().atMost(Program.LONG).until(() -> counters.get().acknowledged() == events);
      assertThat(node.find(name + " event"))
          .isEqualTo(IntStream.range(0, events).mapToObj(i -> name + " event " + i).toList());
      assertThat(counters.get().droppedRecords()).isZero();
    }
  }

  private static ByteArrayInputStream text(String configuration, String target) {
    String xml = configuration.replace("TARGET", target);
    return new ByteArrayInputStream(xml.getBytes(StandardCharsets.UTF_8));
  }

  private static Application log4j(String target) throws IOException {
    String xml =
        """
        <Configuration>
          <Appenders>
            <Cordwood name="cordwood" targets="TARGET"><PatternLayout pattern="%m%n"/></Cordwood>
          </Appenders>
          <Loggers><Root level="info"><AppenderRef ref="cordwood"/></Root></Loggers>
        </Configuration>
        """;
    LoggerContext context = new LoggerContext("application");
    var source = new ConfigurationSource(text(xml, target));
    context.start(new XmlConfiguration(context, source));
    io.cordwood.log4j2.CordwoodAppender appender =
        Objects.requireNonNull(context.getConfiguration().getAppender("cordwood"));
    return new Application(
        "log4j", context.getLogger("app")::info, appender::counters, context::stop);
  }

  private static Application logback(String target) throws Exception {
    String xml =
        """
        <configuration>
          <appender name="cordwood" class="io.cordwood.logback.CordwoodAppender">
            <targets>TARGET</targets>
            <encoder><pattern>%msg%n</pattern></encoder>
          </appender>
          <root level="info"><appender-ref ref="cordwood"/></root>
        </configuration>
        """;
    var context = new ch.qos.logback.classic.LoggerContext();
    var configurator = new JoranConfigurator();
    configurator.setContext(context);
    configurator.doConfigure(text(xml, target));
    var appender =
        (io.cordwood.logback.CordwoodAppender<?>)
            Objects.requireNonNull(context.getLogger("ROOT").getAppender("cordwood"));
    return new Application(
        "logback", context.getLogger("app")::info, appender::counters, context::stop);
  }
}
