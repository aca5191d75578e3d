package io.cordwood.logback;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.joran.JoranConfigurator;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import ch.qos.logback.core.joran.spi.JoranException;
import ch.qos.logback.core.status.Status;
import ch.qos.logback.core.status.StatusListener;
import io.cordwood.forwarder.AppenderXml;
import io.cordwood.forwarder.Application;
import io.cordwood.forwarder.ForwarderCounters;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** An application that logs by Logback, configured by XML. */
final class LogbackApplication implements Application {
  private final LoggerContext context = new LoggerContext();
  private final Listener listener = new Listener();
  private @Nullable CordwoodAppender<?> last;

  /**
   * @param configuration a whole file
   */
  LogbackApplication(String configuration) {
    context.setMDCAdapter(new LogbackMDCAdapter());
    configure(configuration);
  }

  /**
   * A file with one appender.
   *
   * @param encoder its element
   */
  static String configuration(AppenderXml appender, String encoder) {
    return """
    <configuration>
      <appender name="cordwood" class="io.cordwood.logback.CordwoodAppender">%s%s</appender>
      <root level="trace"><appender-ref ref="cordwood"/></root>
    </configuration>
    """
        .formatted(appender.elements(), encoder);
  }

  static String configuration(AppenderXml appender) {
    String thrown = appender.pattern().contains("%ex") ? "" : "%nopex";
    String pattern = appender.pattern() + thrown;
    return configuration(appender, "<encoder><pattern>" + pattern + "</pattern></encoder>");
  }

  void configure(String xml) {
    context.getStatusManager().add(listener);
    try {
      var configurator = new JoranConfigurator();
      configurator.setContext(context);
      configurator.doConfigure(new ByteArrayInputStream(xml.getBytes(StandardCharsets.UTF_8)));
    } catch (JoranException e) {
      throw new IllegalStateException(e);
    }
    if (context.getLogger("ROOT").getAppender("cordwood") instanceof CordwoodAppender<?> appender) {
      last = appender;
    }
  }

  LoggerContext context() {
    return context;
  }

  @Override
  public void log(String logger, String message, @Nullable Throwable thrown) {
    context.getLogger(logger).info(message, thrown);
  }

  @Override
  public void logWith(String key, String value, String message) {
    context.getMDCAdapter().put(key, value);
    log(message);
    context.getMDCAdapter().remove(key);
  }

  @Override
  public void reconfigure(AppenderXml appender) {
    context.reset();
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
  }

  private final class Listener implements StatusListener {
    final List<String> messages = new CopyOnWriteArrayList<>();
    volatile boolean logs;

    @Override
    public void addStatusEvent(Status status) {
      messages.add(status.getMessage() + ": " + status.getThrowable());
      if (logs) {
        context.getLogger("status").trace(status.getMessage());
      }
    }
  }
}
