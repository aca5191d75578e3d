package io.cordwood.forwarder;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Something that logs by a framework whose root logger has a Cordwood appender and no other. */
public interface Application extends AutoCloseable {
  /** Logs at the level INFO, by a logger of this name. */
  void log(String logger, String message, @Nullable Throwable thrown);

  /** Logs while the thread's context (MDC) has a value. */
  void logWith(String key, String value, String message);

  default void log(String message) {
    log("app", message, null);
  }

  /** Takes another configuration, as a running application does when its file has changed. */
  void reconfigure(AppenderXml appender);

  ForwarderCounters counters();

  /** What stands in the framework's status channel, oldest first. */
  List<String> status();

  /** Has each of the status channel's messages logged, as a careless application might. */
  void logStatus();

  /** Stops the framework, as the end of an application does. */
  @Override
  void close();
}
