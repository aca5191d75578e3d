package io.cordwood.logback;

import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs and ends, and stops nothing. */
public final class LoggingProgram {
  private LoggingProgram() {}

  /**
   * Runs it.
   *
   * @param args how many events; with any more it ends when its standard input does
   */
  public static void main(String[] args) throws IOException {
    Logger logger = LoggerFactory.getLogger("app");
    for (int i = 0; i < Integer.parseInt(args[0]); i++) {
      logger.info("event {}", i);
    }
    while (args.length > 1 && System.in.read() >= 0) {
      Thread.onSpinWait();
    }
  }
}
