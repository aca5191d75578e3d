package io.cordwood.it;

import static org.awaitility.Awaitility.await;

import io.cordwood.common.testing.Patience;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * One of Cordwood's programs, run as a process by the launcher, as its users run it. The launcher
 * becomes the program, so the process is the JVM. What it prints is kept in memory.
 *
 * <p>{@link #close} kills it, and whatever it started.
 */
final class Program implements AutoCloseable {
  /** Far beyond what anything takes on a busy machine; a test that waits so long has failed. */
  static final Duration LONG = Patience.LONG;

  /** Of this build. */
  static final Path LAUNCHER = Path.of("../cordwood").toAbsolutePath().normalize();

  /** The folder with the jars of this build. */
  static final Path JARS = Path.of("../dist/target").toAbsolutePath().normalize();

  /** Nothing is left in the home of who runs the tests. */
  private static final Map<String, String> VARIABLES =
      Map.of("CORDWOOD_CACHE", "off", "CORDWOOD", LAUNCHER.toString());

  private final Process process;
  private final Output out;
  private final Output err;

  /**
   * Most of what a process takes that lives for seconds is the compilers: without the optimizing
   * one, and with the other one's usual numbers of calls instead of the launcher's.
   */
  static final String FOR_SECONDS =
      "-XX:TieredStopAtLevel=1 -XX:Tier3InvocationThreshold=200"
          + " -XX:Tier3MinInvocationThreshold=100 -XX:Tier3CompileThreshold=2000";

  /** What the launcher gives a node of a machine with 2 GiB, whatever this one has. */
  static final String OF_A_SMALL_MACHINE = "-Xmx256m -XX:MaxDirectMemorySize=192m";

  private static final Set<String> ROLES = Set.of("ingest", "store", "query", "ingeststore");

  private Program(ProcessBuilder builder, Map<String, String> variables) throws IOException {
    builder.environment().keySet().removeIf(name -> name.startsWith("CORDWOOD_"));
    builder.environment().putAll(VARIABLES);
    builder.environment().putAll(variables);
    this.process = builder.start();
    this.out = new Output(process.getInputStream());
    this.err = new Output(process.getErrorStream());
  }

  /**
   * How a program ended.
   *
   * @param output all of standard output
   * @param errors all of standard error, as text
   */
  record Result(int exitCode, byte[] output, String errors) {
    String text() {
      return new String(output, StandardCharsets.UTF_8);
    }
  }

  /** Starts {@code cordwood} with arguments. */
  static Program start(String... arguments) throws IOException {
    return startBy("exec \"$@\"", arguments);
  }

  /**
   * Starts it from a shell.
   *
   * @param script ends with the command {@code exec} of something that becomes {@code "$@"}
   */
  static Program startBy(String script, String... arguments) throws IOException {
    return startBy(script, LAUNCHER, arguments);
  }

  /** Starts that of another build likewise. */
  static Program startBy(String script, Path launcher, String... arguments) throws IOException {
    String options = launcher.equals(LAUNCHER) ? ClassArchive.options(arguments[0]) : "";
    return startBy(script, launcher, options, arguments);
  }

  /** Starts it with options for its JVM. */
  static Program startWith(String options, String... arguments) throws IOException {
    return startBy("exec \"$@\"", LAUNCHER, options, arguments);
  }

  private static Program startBy(String script, Path launcher, String options, String... arguments)
      throws IOException {
    List<String> command = new ArrayList<>(List.of("sh", "-c", script, "sh", launcher.toString()));
    command.addAll(List.of(arguments));
    return new Program(
        new ProcessBuilder(command),
        Map.of("CORDWOOD_JAVA_OPTS", (optionsOf(arguments[0]) + " " + options).strip()));
  }

  private static String optionsOf(String command) {
    return ROLES.contains(command) ? FOR_SECONDS + " " + OF_A_SMALL_MACHINE : FOR_SECONDS;
  }

  /**
   * Starts a script with the launcher in {@code $CORDWOOD}; what that runs has all compilers, as
   * users have them.
   */
  static Program shell(Path folder, String script) throws IOException {
    return shell(folder, script, ClassArchive.cache().toString());
  }

  /** The same with another folder for what lets searches start faster. */
  static Program shell(Path folder, String script, String cache) throws IOException {
    var shell = new ProcessBuilder("sh", "-euc", script).directory(folder.toFile());
    return new Program(shell, Map.of("CORDWOOD_CACHE", cache));
  }

  /** Runs {@code cordwood} to its end, without input. */
  static Result run(String... arguments) throws IOException {
    try (Program program = start(arguments)) {
      program.in().close();
      return program.end();
    }
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
    return out.text();
  }

  /** What it printed on standard error so far. */
  String err() {
    return err.text();
  }

  /** Stops reading standard output, as {@code head} does. */
  void closeOut() throws IOException {
    process.getInputStream().close();
  }

  /** Waits for a text on standard output; fails with all that was printed if the process ends. */
  Matcher awaitOut(Pattern text) {
    await()
        .pollInterval(Duration.ofMillis(10))
        .until(() -> text.matcher(out()).find() || !isAlive());
    Matcher found = text.matcher(out());
    if (!found.find()) {
      throw new AssertionError("expected " + text + ", found an ended process: " + out() + err());
    }
    return found;
  }

  /** Waits for a text on standard error. */
  void awaitErr(String text) {
    await().alias("'" + text + "' on standard error").until(() -> err().contains(text));
  }

  /** SIGTERM; what it prints from then on is kept too. */
  void terminate() {
    process.toHandle().destroy();
  }

  /** SIGSTOP: it does nothing until {@link #resume}, and its connections stay. */
  void pause() throws IOException {
    Tool.run("kill", "-STOP", Long.toString(pid()));
  }

  void resume() throws IOException {
    Tool.run("kill", "-CONT", Long.toString(pid()));
  }

  /** SIGKILL, and waits until the process is gone. */
  void kill() {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
    end();
  }

  /** Waits for its end. */
  int exitCode() {
    return end().exitCode();
  }

  /** Waits for its end, and for the end of all that it prints. */
  Result end() {
    return end(1);
  }

  /** The same of a script, whose steps may take as long as a program each. */
  Result end(int steps) {
    try {
      if (!process.waitFor(steps * LONG.toSeconds(), TimeUnit.SECONDS)) {
        throw new AssertionError("expected the process to end: " + out() + err());
      }
      out.awaitEnd();
      err.awaitEnd();
      return new Result(process.exitValue(), out.bytes(), err());
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

  /** The files of the native libraries that it has loaded. */
  Set<String> libraries() throws IOException {
    try (Stream<String> lines = Files.lines(proc("maps"))) {
      return lines
          .filter(line -> line.contains(".so"))
          .map(line -> line.substring(line.indexOf('/')))
          .collect(Collectors.toSet());
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

  /** Reads a stream to its end on a thread of its own, so that the process never waits. */
  private static final class Output {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final Thread thread;

    Output(InputStream stream) {
      // Not a virtual one: it would hold a carrier as long as it waits for the process.
      thread = Thread.ofPlatform().daemon().start(() -> read(stream));
    }

    private void read(InputStream stream) {
      byte[] buffer = new byte[8192];
      try (stream) {
        for (int count = stream.read(buffer); count >= 0; count = stream.read(buffer)) {
          synchronized (bytes) {
            bytes.write(buffer, 0, count);
          }
        }
      } catch (IOException e) {
        if (!String.valueOf(e.getMessage()).contains("closed")) {
          throw new UncheckedIOException(e);
        }
      }
    }

    byte[] bytes() {
      synchronized (bytes) {
        return bytes.toByteArray();
      }
    }

    String text() {
      return new String(bytes(), StandardCharsets.UTF_8);
    }

    void awaitEnd() throws InterruptedException {
      thread.join();
    }
  }
}
