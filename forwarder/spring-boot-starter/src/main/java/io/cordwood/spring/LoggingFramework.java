package io.cordwood.spring;

import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.boot.logging.log4j2.Log4J2LoggingSystem;
import org.springframework.boot.logging.logback.LogbackLoggingSystem;

/** The framework that Spring Boot has initialized, with an appender or without. */
interface LoggingFramework {
  /** The name of the appender that the starter attaches. */
  String APPENDER = "cordwood";

  /** Empty for a framework that no appender exists for. */
  static Optional<LoggingFramework> of(LoggingSystem system) {
    if (system instanceof LogbackLoggingSystem) {
      return Optional.of(new LogbackFramework());
    }
    return system instanceof Log4J2LoggingSystem
        ? Optional.of(new Log4jFramework())
        : Optional.empty();
  }

  /** The first appender of Cordwood's; null if there is none. */
  @Nullable AttachedAppender attached();

  /**
   * Starts an appender and attaches it to the root logger, again whenever the framework has taken
   * another configuration.
   *
   * @param isOpen whether it is to be attached again
   * @throws IllegalArgumentException when a property is wrong; then nothing is attached
   */
  void attach(CordwoodProperties properties, BooleanSupplier isOpen);
}
