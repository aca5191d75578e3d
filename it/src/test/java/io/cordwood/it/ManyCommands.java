package io.cordwood.it;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Runs many command lines in one JVM, by the jar of all programs and {@link CommandLines}. */
final class ManyCommands {
  private static final String ENDS = String.valueOf(CommandLines.END);
  private static final List<String> JAVA =
      List.of(
          Path.of(System.getProperty("java.home"), "bin", "java").toString(),
          "-XX:+UseSerialGC",
          "-XX:TieredStopAtLevel=1",
          "-Xmx256m",
          "-Xlog:disable",
          "-cp",
          Program.JARS.resolve("cordwood.jar") + File.pathSeparator + "target/test-classes",
          CommandLines.class.getName());

  private ManyCommands() {}

  /** The result of each, in the same order; none is given any input. */
  static List<Program.Result> run(List<String[]> lines) throws IOException {
    Path out = Files.createTempFile("commands", ".out");
    Path err = Files.createTempFile("commands", ".err");
    try {
      run(lines, out, err);
      return results(lines.size(), Files.readAllBytes(out), Files.readString(err));
    } finally {
      Files.delete(out);
      Files.delete(err);
    }
  }

  private static void run(List<String[]> lines, Path out, Path err) throws IOException {
    String between = String.valueOf(CommandLines.BETWEEN_WORDS);
    Stream<String> arguments = lines.stream().map(words -> String.join(between, words));
    ProcessBuilder builder =
        new ProcessBuilder(Stream.concat(JAVA.stream(), arguments).toList())
            .redirectInput(new File("/dev/null"))
            .redirectOutput(out.toFile())
            .redirectError(err.toFile());
    builder.environment().keySet().removeIf(name -> name.startsWith("CORDWOOD_"));
    Process process = builder.start();
    try {
      if (!process.waitFor(Program.LONG.toSeconds(), TimeUnit.SECONDS)) {
        throw new AssertionError("expected an end, found: " + Files.readString(err));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    } finally {
      process.destroyForcibly();
    }
  }

  private static List<Program.Result> results(int count, byte[] out, String err) {
    // One character for each byte: an exit code is found, and all else is as it was.
    String[] outputs = new String(out, StandardCharsets.ISO_8859_1).split(ENDS, -1);
    String[] errors = err.split(ENDS, -1);
    int expected = 2 * count + 1;
    if (outputs.length != expected || errors.length != expected) {
      throw new AssertionError(
          "expected %d command lines to end, found %d on standard output, %d on standard error: %s"
              .formatted(count, outputs.length / 2, errors.length / 2, err));
    }
    List<Program.Result> results = new ArrayList<>();
    for (int i = 0; i < 2 * count; i += 2) {
      byte[] output = outputs[i].getBytes(StandardCharsets.ISO_8859_1);
      results.add(new Program.Result(Integer.parseInt(outputs[i + 1]), output, errors[i]));
    }
    return results;
  }
}
