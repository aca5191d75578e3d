package io.cordwood.forwarder;

/**
 * The logging framework's own status channel, in which an appender reports. Called by the
 * forwarder's thread, at most twice in 30 s as long as it runs, by the thread that stops it, and
 * once by one that appends packed events.
 */
public interface AppenderStatus {
  void info(String message);

  /** Something that may mend itself: no node is reached. */
  void warn(String message);

  /** Records are lost. */
  void error(String message);
}
