package io.cordwood.it;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.opentest4j.TestAbortedException;

/**
 * A disk that fails to force, under a running program: {@code strace} lets the kernel answer EIO
 * instead, for files and folders. It is mended when this is closed.
 */
final class BrokenForces implements AutoCloseable {
  private static final String ATTACHED = " attached";

  private final Process strace;

  private BrokenForces(Process strace) {
    this.strace = strace;
  }

  /**
   * Breaks it from now on; skips the test where that is not possible.
   *
   * @param when which calls fail, as strace counts them, from 1 in each thread: {@code 3}, {@code
   *     3..5}, {@code 3+} for all from the third on
   */
  static BrokenForces in(Program program, String when) throws IOException {
    String inject = "inject=fsync,fdatasync:error=EIO:when=" + when;
    Path says = Files.createTempFile("strace", ".txt");
    var command =
        new ProcessBuilder(
            "strace", "-f", "-o", "/dev/null", "-p", Long.toString(program.pid()), "-e", inject);
    Process strace = startOrSkip(command.redirectError(says.toFile()));
    await().until(() -> !strace.isAlive() || Files.readString(says).contains(ATTACHED));
    assumeTrue(
        Files.readString(says).contains(ATTACHED),
        "force errors: not tested, since strace may not attach here");
    Files.delete(says);
    return new BrokenForces(strace);
  }

  private static Process startOrSkip(ProcessBuilder command) {
    try {
      return command.start();
    } catch (IOException e) {
      throw new TestAbortedException("force errors: not tested, since strace is not installed", e);
    }
  }

  /** Lets go of the program, which runs on. */
  @Override
  public void close() {
    strace.destroy();
    await().until(() -> strace.waitFor(1, TimeUnit.SECONDS));
  }
}
