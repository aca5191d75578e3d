package io.cordwood.common.testing;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Programs of tests in a JVM of their own, with the class path of the tests. */
public final class ChildJvm {
  private ChildJvm() {}

  /**
   * A program to be started; what it says on standard error stands beside what tests say.
   *
   * @param options of its JVM
   */
  public static ProcessBuilder of(List<String> options, Class<?> program, String... arguments) {
    List<String> words = new ArrayList<>();
    words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    words.add("-XX:+UseSerialGC");
    words.add("-XX:TieredStopAtLevel=1");
    words.add("--enable-native-access=ALL-UNNAMED");
    words.addAll(options);
    words.add("-cp");
    words.add(System.getProperty("java.class.path"));
    words.add(program.getName());
    words.addAll(Arrays.asList(arguments));
    return new ProcessBuilder(words).redirectError(ProcessBuilder.Redirect.INHERIT);
  }

  /**
   * Reads what a program says first, once it is ready.
   *
   * @param expected a regular expression
   * @throws IOException if it says something else; it is killed then
   */
  public static String firstLine(Process started, String expected) throws IOException {
    var out =
        new BufferedReader(
            new InputStreamReader(started.getInputStream(), StandardCharsets.US_ASCII));
    String line = String.valueOf(out.readLine());
    if (!line.matches(expected)) {
      started.destroyForcibly();
      throw new IOException("expected " + expected + ", found " + line);
    }
    return line;
  }
}
