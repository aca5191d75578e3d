package io.cordwood.log4j2;

import io.cordwood.forwarder.AppenderXml;
import io.cordwood.forwarder.Application;
import io.cordwood.forwarder.ForwarderCounters;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.ThreadContext;
import org.apache.logging.log4j.core.LoggerContext;
import org.apache.logging.log4j.core.config.Configuration;
import org.apache.logging.log4j.core.config.ConfigurationSource;
import org.apache.logging.log4j.core.config.xml.XmlConfiguration;
import org.apache.logging.log4j.status.StatusData;
import org.apache.logging.log4j.status.StatusListener;
import org.apache.logging.log4j.status.StatusLogger;
import org.jspecify.annotations.Nullable;

/** An application that logs by Log4j 2, configured by XML. */
final class Log4jApplication implements Application {
  private final LoggerContext context = new LoggerContext("application");
  private final Listener listener = new Listener();
  private @Nullable CordwoodAppender last;

  /**
   * @param configuration a whole file
   */
  Log4jApplication(String configuration) {
    StatusLogger.getLogger().registerListener(listener);
    configure(configuration);
  }

  /**
   * A file with one appender.
   *
   * @param layout its element
   */
  static String configuration(AppenderXml appender, String layout) {
    return """
    <Configuration>
      <Appenders><Cordwood name="cordwood"%s>%s</Cordwood></Appenders>
      <Loggers><Root level="trace"><AppenderRef ref="cordwood"/></Root></Loggers>
    </Configuration>
    """
        .formatted(appender.attributes(), layout);
  }

  static String configuration(AppenderXml appender) {
    return configuration(
        appender,
        "<PatternLayout pattern=\"%s\" alwaysWriteExceptions=\"false\"/>"
            .formatted(appender.pattern()));
  }

  void configure(String xml) {
    try {
      var text = new ByteArrayInputStream(xml.getBytes(StandardCharsets.UTF_8));
      Configuration configuration = new XmlConfiguration(context, new ConfigurationSource(text));
      context.start(configuration);
      if (configuration.getAppender("cordwood") instanceof CordwoodAppender appender) {
        last = appender;
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  LoggerContext context() {
    return context;
  }

  @Override
  public void log(String logger, String message, @Nullable Throwable thrown) {
    context.getLogger(logger).info("{}", message, thrown);
  }

  @Override
  public void logWith(String key, String value, String message) {
    ThreadContext.put(key, value);
    log(message);
    ThreadContext.remove(key);
  }

  @Override
  public void reconfigure(AppenderXml appender) {
    configure(configuration(appender));
  }

  @Override
  public ForwarderCounters counters() {
    return Objects.requireNonNull(last).counters();
  }

  @Override
  public List<String> status() {
    return listener.messages;
  }

  @Override
  public void logStatus() {
    listener.logs = true;
  }

  @Override
  public void close() {
    context.stop();
    StatusLogger.getLogger().removeListener(listener);
  }

  private final class Listener implements StatusListener {
    final List<String> messages = new CopyOnWriteArrayList<>();
    volatile boolean logs;

    @Override
    public void log(StatusData data) {
      messages.add(data.getFormattedStatus());
      if (logs) {
        context.getLogger("status").trace("{}", data.getMessage());
      }
    }

    @Override
    public Level getStatusLevel() {
      return Level.WARN;
    }

    @Override
    public void close() {}
  }
}
