package io.cordwood.dist.system;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One of Cordwood's programs, run as a process by the launcher, as its users run it. The launcher
 * becomes the program, so the process is the JVM. What it prints is kept in files of its folder.
 *
 * <p>{@link #close} kills it.
 */
final class Program implements AutoCloseable {
  /** Far beyond what anything takes on a busy machine; a test that waits so long has failed. */
  static final Duration LONG = Duration.ofSeconds(60);

  private static final Path LAUNCHER = Path.of("../cordwood").toAbsolutePath().normalize();

  private final Process process;
  private final Path out;
  private final Path err;

  private Program(Process process, Path out, Path err) {
    this.process = process;
    this.out = out;
    this.err = err;
  }

  /** Starts the launcher with these arguments, in a folder. */
  static Program start(Path folder, String... arguments) throws IOException {
    return startUnder(List.of(), folder, arguments);
  }

  /**
   * Starts it under limits.
   *
   * @param limits arguments of the shell's {@code ulimit}, each one limit, such as {@code -n 100}
   */
  static Program startUnder(List<String> limits, Path folder, String... arguments)
      throws IOException {
    var script = new StringBuilder();
    limits.forEach(limit -> script.append("ulimit ").append(limit).append(" && "));
    script.append("exec \"$0\" \"$@\"");
    List<String> command = new ArrayList<>();
    command.addAll(List.of("sh", "-c", script.toString(), LAUNCHER.toString()));
    command.addAll(List.of(arguments));
    Path out = Files.createTempFile(folder, "out", ".txt");
    Path err = Files.createTempFile(folder, "err", ".txt");
    var builder = new ProcessBuilder(command).directory(folder.toFile());
    builder.redirectOutput(out.toFile()).redirectError(err.toFile());
    builder.environment().remove("CORDWOOD_JAVA_OPTS");
    return new Program(builder.start(), out, err);
  }

  long pid() {
    return process.pid();
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** Standard input. */
  OutputStream in() {
    return process.getOutputStream();
  }

  /** What it printed on standard output so far. */
  String out() {
    return read(out);
  }

  /** What it printed on standard error so far. */
  String err() {
    return read(err);
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Waits for a text on standard output; fails with all that was printed if the process ends. */
  Matcher awaitOut(Pattern text) {
    await()
        .atMost(LONG)
        .pollInterval(Duration.ofMillis(20))
        .until(() -> text.matcher(out()).find() || !isAlive());
    Matcher found = text.matcher(out());
    if (!found.find()) {
      throw new AssertionError("expected " + text + ", found an ended process: " + out() + err());
    }
    return found;
  }

  /** Waits for a text on standard error. */
  void awaitErr(String text) {
    await()
        .alias("'" + text + "' on standard error")
        .atMost(LONG)
        .until(() -> err().contains(text));
  }

  /** SIGTERM. */
  void terminate() {
    process.destroy();
  }

  /** SIGKILL, and waits until the process is gone. */
  void kill() {
    process.destroyForcibly();
    exitCode();
  }

  /** Waits for its end. */
  int exitCode() {
    try {
      if (!process.waitFor(LONG.toSeconds(), TimeUnit.SECONDS)) {
        throw new AssertionError("expected the process to end: " + out() + err());
      }
      return process.exitValue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  /** Files that the process has open. */
  int openFiles() throws IOException {
    return entries("fd");
  }

  int threads() throws IOException {
    return entries("task");
  }

  private int entries(String folder) throws IOException {
    try (var names = Files.list(proc(folder))) {
      return (int) names.count();
    }
  }

  /** The most memory that the process had at any time, as the kernel counts it. */
  long peakMemoryBytes() throws IOException {
    String status = Files.readString(proc("status"));
    Matcher peak = Pattern.compile("VmHWM:\\s+(\\d+) kB").matcher(status);
    if (!peak.find()) {
      throw new AssertionError("expected VmHWM, found " + status);
    }
    return Long.parseLong(peak.group(1)) << 10;
  }

  /** Processor time taken so far, in hundredths of a second. */
  long processorTicks() throws IOException {
    String stat = Files.readString(proc("stat"));
    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
    return Long.parseLong(fields[11]) + Long.parseLong(fields[12]);
  }

  /** A file that the kernel keeps about the process. */
  Path proc(String name) {
    return Path.of("/proc", Long.toString(pid()), name);
  }

  @Override
  public void close() {
    kill();
  }
}
