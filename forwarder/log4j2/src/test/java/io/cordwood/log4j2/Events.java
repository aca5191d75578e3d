package io.cordwood.log4j2;

import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.core.impl.Log4jLogEvent;
import org.apache.logging.log4j.message.SimpleMessage;

/** Events that no logger made. */
final class Events {
  private Events() {}

  static LogEvent of(String message) {
    return Log4jLogEvent.newBuilder()
        .setLoggerName("app")
        .setLevel(Level.INFO)
        .setMessage(new SimpleMessage(message))
        .build();
  }
}
