package io.cordwood.logback;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs and ends, and stops nothing. */
public final class LoggingProgram {
  private LoggingProgram() {}

  /**
   * Runs it.
   *
   * @param args how many events
   */
  public static void main(String[] args) {
    Logger logger = LoggerFactory.getLogger("app");
    for (int i = 0; i < Integer.parseInt(args[0]); i++) {
      logger.info("event {}", i);
    }
  }
}
