package io.cordwood.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.joran.JoranConfigurator;
import io.cordwood.forwarder.ForwarderCounters;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.apache.logging.log4j.core.LoggerContext;
import org.apache.logging.log4j.core.config.ConfigurationSource;
import org.apache.logging.log4j.core.config.xml.XmlConfiguration;

/**
 * An application that logs to a node, by a framework's appender.
 *
 * @param name of the framework, which begins each event
 */
record LoggingApplication(
    String name, Consumer<String> logger, Supplier<ForwarderCounters> counters, Runnable stop) {

  void log(int first, int end) {
    IntStream.range(first, end).forEach(i -> logger.accept(event(i)));
  }

  private String event(int number) {
    return "%s event %d".formatted(name, number);
  }

  /** The first events in their order. */
  List<String> events(int count) {
    return IntStream.range(0, count).mapToObj(this::event).toList();
  }

  void awaitAcknowledged(int events) {
    await().until(() -> counters.get().acknowledged() == events);
  }

  void assertFoundIn(NodeProcess node, int events) throws IOException {
    awaitAcknowledged(events);
    await().untilAsserted(() -> assertThat(node.find(name + " event")).isEqualTo(events(events)));
    assertThat(counters.get().droppedRecords()).isZero();
  }

  private static ByteArrayInputStream text(
      String configuration, String target, String authorities) {
    String xml = configuration.replace("TARGET", target).replace("AUTHORITIES", authorities);
    return new ByteArrayInputStream(xml.getBytes(StandardCharsets.UTF_8));
  }

  /**
   * By Log4j 2.
   *
   * @param authorities file with them, for a target with TLS; else empty
   */
  static LoggingApplication log4j(String target, String authorities) throws IOException {
    return log4jWith(target, authorities.isEmpty() ? "" : " tlsCa=\"" + authorities + "\"");
  }

  /**
   * The same with further settings.
   *
   * @param settings as attributes
   */
  static LoggingApplication log4jWith(String target, String settings) throws IOException {
    String xml =
        """
        <Configuration>
          <Appenders>
            <Cordwood name="cordwood" targets="TARGET"AUTHORITIES>
              <PatternLayout pattern="%m%n"/>
            </Cordwood>
          </Appenders>
          <Loggers><Root level="info"><AppenderRef ref="cordwood"/></Root></Loggers>
        </Configuration>
        """;
    LoggerContext context = new LoggerContext("application");
    context.start(
        new XmlConfiguration(context, new ConfigurationSource(text(xml, target, settings))));
    io.cordwood.log4j2.CordwoodAppender appender =
        Objects.requireNonNull(context.getConfiguration().getAppender("cordwood"));
    return new LoggingApplication(
        "log4j", context.getLogger("app")::info, appender::counters, context::stop);
  }

  /** By Logback, as {@link #log4j}. */
  static LoggingApplication logback(String target, String authorities) throws Exception {
    String xml =
        """
        <configuration>
          <appender name="cordwood" class="io.cordwood.logback.CordwoodAppender">
            <targets>TARGET</targets>AUTHORITIES
            <encoder><pattern>%msg%n</pattern></encoder>
          </appender>
          <root level="info"><appender-ref ref="cordwood"/></root>
        </configuration>
        """;
    String trusted = authorities.isEmpty() ? "" : "<tlsCa>" + authorities + "</tlsCa>";
    var context = new ch.qos.logback.classic.LoggerContext();
    var configurator = new JoranConfigurator();
    configurator.setContext(context);
    configurator.doConfigure(text(xml, target, trusted));
    var appender =
        (io.cordwood.logback.CordwoodAppender<?>)
            Objects.requireNonNull(context.getLogger("ROOT").getAppender("cordwood"));
    return new LoggingApplication(
        "logback", context.getLogger("app")::info, appender::counters, context::stop);
  }
}
