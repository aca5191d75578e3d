package io.cordwood.spring;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.joran.JoranConfigurator;
import ch.qos.logback.core.joran.spi.JoranException;
import java.io.ByteArrayInputStream;
import java.io.PrintStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/** Applications with Logback, and without Log4j on their class path. */
final class LogbackStarterTest extends StarterContract {
  @Override
  void log(String message, @Nullable Throwable thrown) {
    MDC.put("traceId", "4bf9");
    LoggerFactory.getLogger("shop").info(message, thrown);
    MDC.remove("traceId");
  }

  @Override
  void printStatus(PrintStream to) {
    assertThat(to).as("a listener of Spring Boot's prints it there").isSameAs(System.err);
  }

  @Override
  void reload() {
    LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
    var configurator = new JoranConfigurator();
    configurator.setContext(context);
    context.reset();
    try {
      configurator.doConfigure(
          new ByteArrayInputStream(
              "<configuration><root level=\"info\"/></configuration>".getBytes(UTF_8)));
    } catch (JoranException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  void stopLogging() {
    ((LoggerContext) LoggerFactory.getILoggerFactory()).stop();
  }

  @Override
  String configuration(String target) {
    return """
    <configuration>
      <appender name="own" class="io.cordwood.logback.CordwoodAppender">
        <targets>%s</targets>
        <encoder><pattern>of a file: %%msg%%n</pattern></encoder>
      </appender>
      <appender name="async" class="ch.qos.logback.classic.AsyncAppender">
        <appender-ref ref="own"/>
      </appender>
      <root level="info"><appender-ref ref="async"/></root>
    </configuration>
    """
        .formatted(target);
  }
}
