package io.cordwood.log4j2;

import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;

/** Logs and ends, and stops nothing. */
public final class LoggingProgram {
  private LoggingProgram() {}

  /**
   * Runs it.
   *
   * @param args how many events
   */
  public static void main(String[] args) {
    Logger logger = LogManager.getLogger("app");
    for (int i = 0; i < Integer.parseInt(args[0]); i++) {
      logger.info("event {}", i);
    }
  }
}
