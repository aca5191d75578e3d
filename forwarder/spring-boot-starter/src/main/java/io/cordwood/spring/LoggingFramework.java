package io.cordwood.spring;

import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** The framework that Spring Boot has initialized, with an appender or without. */
interface LoggingFramework {
  /** The name of the appender that the starter attaches. */
  String APPENDER = "cordwood";

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
