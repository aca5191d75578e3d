package io.cordwood.cli.client;

import io.cordwood.cli.terminal.StandardOutput;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * A line on a terminal that says how far a search has come, once that has taken a while. It is
 * drawn anew whenever the node says more, and gone before anything else is printed there. For one
 * thread; Ctrl-C comes from another one.
 */
public final class ProgressLine implements AnswerPieces.Watcher, AutoCloseable {
  private static final long PATIENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
  private static final String ERASE = "\r\033[K";

  /** So that a line that does not fit is cut instead of becoming two. */
  private static final String NO_WRAP = "\033[?7l";

  private static final String WRAP = "\033[?7h";

  private final PrintStream terminal;
  private final Beside beside;
  private final long beganNanos = System.nanoTime();
  private final ProgressText text = new ProgressText(beganNanos);
  private boolean hooked;
  private boolean drawn;
  private boolean over;

  /** The place where records go meanwhile. */
  enum Beside {
    /** To a file, so the line can stay. */
    A_FILE,
    /** To the terminal, so the line has to go before records come, and may come back. */
    THE_TERMINAL,
    /** To a program, which may print to the terminal from then on. */
    A_PROGRAM;

    /**
     * The place where standard output goes.
     *
     * @param paged whether through a pager
     */
    static Beside standardOutput(boolean paged) {
      Path out = Path.of("/proc/self/fd/1");
      if (paged) {
        return A_PROGRAM;
      }
      if (StandardOutput.isTerminal()) {
        return THE_TERMINAL;
      }
      return Files.isRegularFile(out) || isNothing(out) ? A_FILE : A_PROGRAM;
    }

    private static boolean isNothing(Path out) {
      try {
        return Files.isSameFile(out, Path.of("/dev/null"));
      } catch (IOException e) {
        return false;
      }
    }
  }

  ProgressLine(PrintStream terminal, Beside beside) {
    this.terminal = terminal;
    this.beside = beside;
  }

  @Override
  public void progress(String line) throws IOException {
    long now = System.nanoTime();
    if (now - beganNanos >= PATIENCE_NANOS) { // Till then it would cost more than it tells.
      draw(text.of(JsonProgress.of(line), now));
    }
  }

  private synchronized void draw(String shown) {
    if (over) {
      return;
    }
    if (!hooked) {
      hooked = true;
      Runtime.getRuntime().addShutdownHook(new Thread(this::close, "progress"));
    }
    terminal.print(ERASE + NO_WRAP + shown + WRAP);
    terminal.flush();
    drawn = true;
  }

  @Override
  public synchronized void piece() {
    if (beside != Beside.A_FILE) {
      erase();
    }
    over |= beside == Beside.A_PROGRAM;
  }

  private void erase() {
    if (drawn) {
      terminal.print(ERASE);
      terminal.flush();
      drawn = false;
    }
  }

  /** Erases it; it does not come back. */
  @Override
  public synchronized void close() {
    erase();
    over = true;
  }
}
