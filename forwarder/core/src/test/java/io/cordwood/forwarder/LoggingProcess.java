package io.cordwood.forwarder;

import java.nio.file.Path;

/** An application that logs, in a process of its own with the class path of the tests. */
public final class LoggingProcess {
  private LoggingProcess() {}

  /**
   * The process, to be started.
   *
   * @param program has a main method whose argument is the number of events
   * @param property names the logging framework's configuration
   */
  public static ProcessBuilder of(
      Class<?> program, String property, Path configuration, int events) {
    return new ProcessBuilder(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-XX:TieredStopAtLevel=1",
        "-cp",
        System.getProperty("java.class.path"),
        "-D" + property + "=" + configuration,
        program.getName(),
        Integer.toString(events));
  }
}
