package io.cordwood.cli.terminal;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Standard output as bytes. Unlike {@link System#out} it says when nobody reads any more, by a
 * {@link ClosedException}, which a command takes for its orderly end.
 */
public final class StandardOutput extends OutputStream {
  private final OutputStream out;

  /** The process's own, without a buffer. */
  public StandardOutput() {
    this(new FileOutputStream(FileDescriptor.out));
  }

  /** Bytes that go somewhere else. */
  public StandardOutput(OutputStream out) {
    this.out = out;
  }

  /** Nothing more can be written, whatever it is and wherever it is from. */
  public static class FailedException extends IOException {
    private static final long serialVersionUID = 1;

    FailedException(IOException cause) {
      super("cannot write to standard output: " + cause.getMessage(), cause);
    }
  }

  /** The reader of standard output has left, as {@code head} does. */
  public static final class ClosedException extends FailedException {
    private static final long serialVersionUID = 1;

    ClosedException(IOException cause) {
      super(cause);
    }
  }

  /**
   * Writes a text whole, harmless to a terminal. That nobody reads it any more is no error.
   *
   * @throws FailedException if it cannot be written
   */
  public static void print(CharSequence text) throws IOException {
    try (OutputStream out = new StandardOutput().safe()) {
      out.write(text.toString().getBytes(StandardCharsets.UTF_8));
    } catch (ClosedException e) {
      // The reader has enough.
    }
  }

  /** A stream for bytes from anywhere, which makes them harmless to a terminal. */
  public OutputStream safe() {
    return isTerminal() ? new TerminalSafeOutput(this) : this;
  }

  /** Whether standard output is a terminal. */
  public static boolean isTerminal() {
    return isTerminal("/proc/self/fd/1");
  }

  /** Whether standard error is one. */
  public static boolean isErrorTerminal() {
    return isTerminal("/proc/self/fd/2");
  }

  @SuppressWarnings("SystemConsoleNull") // its contract still allows null
  private static boolean isTerminal(String stream) {
    try {
      String target = Files.readSymbolicLink(Path.of(stream)).toString();
      return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty");
    } catch (IOException | UnsupportedOperationException e) {
      // No /proc here: the console is the next best witness.
      java.io.Console console = System.console();
      return console != null && console.isTerminal();
    }
  }

  @Override
  public void write(int b) throws IOException {
    write(new byte[] {(byte) b}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    try {
      out.write(bytes, offset, length);
    } catch (IOException e) {
      throw isBrokenPipe(e) ? new ClosedException(e) : new FailedException(e);
    }
  }

  @Override
  public void flush() throws IOException {
    try {
      out.flush();
    } catch (IOException e) {
      throw isBrokenPipe(e) ? new ClosedException(e) : new FailedException(e);
    }
  }

  /** Whether a pager shows what is written. */
  public boolean isPaged() {
    return out instanceof Pager;
  }

  /** Waits for the end of a pager. Standard output itself stays open. */
  @Override
  public void close() throws IOException {
    try {
      flush();
    } finally {
      if (out instanceof Pager pager) {
        pager.close();
      }
    }
  }

  private static boolean isBrokenPipe(IOException e) {
    String message = String.valueOf(e.getMessage());
    return message.contains("Broken pipe")
        || message.contains("Connection reset")
        || message.contains("Stream closed"); // of a pager that has ended
  }
}
