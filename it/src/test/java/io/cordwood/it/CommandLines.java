package io.cordwood.it;

import io.cordwood.dist.Cordwood;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * A program that runs command lines one after another, each as the launcher lets a JVM of its own
 * run it, but for the end of the process. Behind each, both standard output and standard error get
 * an {@link #END} with the exit code.
 */
public final class CommandLines {
  /** Is around each exit code. */
  public static final char END = 0;

  /** Is between the words of a command line. */
  public static final char BETWEEN_WORDS = 31;

  private CommandLines() {}

  /** Each argument is a command line. */
  public static void main(String[] lines) throws IOException {
    List<OutputStream> both =
        List.of(new FileOutputStream(FileDescriptor.out), new FileOutputStream(FileDescriptor.err));
    for (String line : lines) {
      int exitCode = Cordwood.run(line.split(String.valueOf(BETWEEN_WORDS), -1));
      System.out.flush();
      System.err.flush();
      for (OutputStream each : both) {
        each.write((END + "" + exitCode + END).getBytes(StandardCharsets.US_ASCII));
      }
    }
    System.exit(0);
  }
}
