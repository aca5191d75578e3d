package io.cordwood.cli.terminal;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Standard output by way of a program that shows it a screen at a time. That is started with the
 * first byte, so nothing comes between when nothing is found; it reads no faster than who looks at
 * it. Closing waits until it has ended, and so does Ctrl-C. One thread.
 */
final class Pager extends OutputStream {
  private static final String USUAL = "less";

  private final String command;
  private @Nullable Process process;

  Pager(String command) {
    this.command = command;
  }

  /**
   * The program that is wanted.
   *
   * @param environment variables by name; null: not set
   * @return null: none
   */
  static @Nullable String command(Function<String, @Nullable String> environment) {
    String wanted = environment.apply("PAGER");
    if (wanted == null) {
      return has(USUAL, environment.apply("PATH")) ? USUAL : null;
    }
    boolean none = wanted.isBlank() || wanted.equals("cat") || isDumb(environment);
    return none ? null : wanted;
  }

  private static boolean isDumb(Function<String, @Nullable String> environment) {
    return "dumb".equals(environment.apply("TERM"));
  }

  private static boolean has(String program, @Nullable String path) {
    for (String folder : path == null ? new String[0] : path.split(":", -1)) {
      if (!folder.isEmpty() && Files.isExecutable(Path.of(folder, program))) {
        return true;
      }
    }
    return false;
  }

  private OutputStream in() throws IOException {
    if (process == null) {
      var pager = new ProcessBuilder("sh", "-c", command);
      pager.redirectOutput(Redirect.INHERIT).redirectError(Redirect.INHERIT);
      // Ends by itself if one screen is enough, shows colours, leaves the screen as it is.
      pager.environment().putIfAbsent("LESS", "FRX");
      process = pager.start();
      Runtime.getRuntime().addShutdownHook(new Thread(this::end, "pager"));
    }
    return process.getOutputStream();
  }

  @Override
  public void write(int b) throws IOException {
    in().write(b);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    in().write(bytes, offset, length);
  }

  @Override
  public void flush() throws IOException {
    if (process != null) {
      process.getOutputStream().flush();
    }
  }

  @Override
  public void close() {
    end();
  }

  private void end() {
    if (process == null) {
      return;
    }
    try {
      process.getOutputStream().close();
    } catch (IOException e) {
      // It has ended, or will read no more.
    }
    process.onExit().join();
  }
}
