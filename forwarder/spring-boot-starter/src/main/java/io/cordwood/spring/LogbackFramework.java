package io.cordwood.spring;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.encoder.Encoder;
import ch.qos.logback.core.spi.AppenderAttachable;
import io.cordwood.logback.CordwoodAppender;
import java.util.Iterator;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import org.springframework.boot.logging.logback.StructuredLogEncoder;

/** Logback, in its one context. */
final class LogbackFramework implements LoggingFramework {
  private static final String PATTERN =
      "%d{yyyy-MM-dd'T'HH:mm:ss.SSSXXX} %5p "
          + ProcessHandle.current().pid()
          + " --- [%t] %logger : %m%replace( %X){' $', ''}%n";

  private final LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();

  @Override
  public @Nullable AttachedAppender attached() {
    CordwoodAppender<?> found = find(root());
    if (found == null) {
      found =
          context.getLoggerList().stream()
              .map(LogbackFramework::find)
              .filter(Objects::nonNull)
              .findFirst()
              .orElse(null);
    }
    return found == null ? null : new AttachedAppender(found::counters, found::flush);
  }

  private Logger root() {
    return context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
  }

  /** An asynchronous appender has others in turn. */
  private static @Nullable CordwoodAppender<?> find(AppenderAttachable<?> of) {
    for (Iterator<? extends Appender<?>> each = of.iteratorForAppenders(); each.hasNext(); ) {
      Appender<?> appender = each.next();
      if (appender instanceof CordwoodAppender<?> found && found.isStarted()) {
        return found;
      }
      CordwoodAppender<?> inner =
          appender instanceof AppenderAttachable<?> outer ? find(outer) : null;
      if (inner != null) {
        return inner;
      }
    }
    return null;
  }

  @Override
  public void attach(CordwoodProperties properties, BooleanSupplier isOpen) {
    attach(properties);
    // The kinds of events differ from version to version; whichever comes after a reset will do.
    context.addConfigurationEventListener(event -> {
      if (isOpen.getAsBoolean() && attached() == null) {
        attach(properties);
      }
    });
  }

  private void attach(CordwoodProperties properties) {
    var appender = new CordwoodAppender<ILoggingEvent>();
    appender.setContext(context);
    appender.setName(APPENDER);
    properties.settings().forEach(appender::configure);
    appender.setEncoder(encoder(properties.format()));
    appender.start();
    root().addAppender(appender);
  }

  private Encoder<ILoggingEvent> encoder(String format) {
    if (!format.equals(CordwoodProperties.TEXT)) {
      return structured(format);
    }
    var encoder = new PatternLayoutEncoder();
    encoder.setContext(context);
    encoder.setPattern(PATTERN);
    encoder.start();
    return encoder;
  }

  /** Spring Boot's own, which has been there since 3.4. */
  private Encoder<ILoggingEvent> structured(String format) {
    var encoder = new StructuredLogEncoder();
    encoder.setContext(context);
    encoder.setFormat(format);
    encoder.start();
    return encoder;
  }
}
