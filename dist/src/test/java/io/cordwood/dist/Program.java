package io.cordwood.dist;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A process of the launcher at the top of the project, with its outputs. Ended when closed. */
final class Program implements AutoCloseable {
  /** Far more than anything here takes; only a hang reaches it. */
  private static final long MAX_SECONDS = 90;

  private static final Path LAUNCHER = Path.of("..", "cordwood").toAbsolutePath().normalize();

  private final Process process;
  private final Output output;
  private final Output errors;

  private Program(Process process) {
    this.process = process;
    this.output = new Output(process.getInputStream());
    this.errors = new Output(process.getErrorStream());
  }

  /**
   * How a program ended.
   *
   * @param output all of standard output
   * @param errors all of standard error, as text, less the JVM's own warning of its vector module
   */
  record Result(int exitCode, byte[] output, String errors) {
    String text() {
      return new String(output, StandardCharsets.UTF_8);
    }
  }

  /** Starts {@code cordwood} with arguments. */
  static Program start(String... arguments) throws IOException {
    List<String> command = new ArrayList<>(List.of(LAUNCHER.toString()));
    command.addAll(List.of(arguments));
    return new Program(new ProcessBuilder(command).start());
  }

  /** Starts a script with the launcher in {@code $CORDWOOD}. */
  static Program shell(Path folder, String script) throws IOException {
    ProcessBuilder shell = new ProcessBuilder("sh", "-euc", script).directory(folder.toFile());
    shell.environment().put("CORDWOOD", LAUNCHER.toString());
    return new Program(shell.start());
  }

  /** Runs {@code cordwood} to its end, without input. */
  static Result run(String... arguments) throws IOException {
    try (Program program = start(arguments)) {
      program.input().close();
      return program.await();
    }
  }

  /** Standard input. */
  OutputStream input() {
    return process.getOutputStream();
  }

  /** What came out so far. */
  String outputSoFar() {
    return output.text();
  }

  /** What was complained of so far. */
  String errorsSoFar() {
    return errors.text();
  }

  long pid() {
    return process.pid();
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** Stops reading standard output, as {@code head} does. */
  void closeOutput() throws IOException {
    process.getInputStream().close();
  }

  /** SIGTERM. */
  void stop() {
    process.destroy();
  }

  /** SIGKILL, and waits for the end. */
  void kill() {
    process.destroyForcibly();
    await();
  }

  /** Waits for the end. */
  Result await() {
    try {
      if (!process.waitFor(MAX_SECONDS, TimeUnit.SECONDS)) {
        throw new AssertionError("does not end; errors so far: " + errors.text());
      }
      return new Result(process.exitValue(), output.await(), ownErrors(errors.await()));
    } catch (InterruptedException e) {
      throw new AssertionError("interrupted", e);
    }
  }

  /** Less the line that the JVM prints of itself for each process with vectors. */
  private static String ownErrors(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8)
        .replaceFirst("^WARNING: Using incubator modules: .*\n", "");
  }

  @Override
  public void close() {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
  }

  /** Reads a stream to its end on a thread of its own, so that the process never waits. */
  private static final class Output {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final Thread thread;

    Output(InputStream stream) {
      thread = Thread.ofVirtual().start(() -> read(stream));
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

    String text() {
      synchronized (bytes) {
        return bytes.toString(StandardCharsets.UTF_8);
      }
    }

    byte[] await() throws InterruptedException {
      thread.join();
      synchronized (bytes) {
        return bytes.toByteArray();
      }
    }
  }
}
