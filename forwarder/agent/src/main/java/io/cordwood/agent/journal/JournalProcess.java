package io.cordwood.agent.journal;

import java.io.BufferedInputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A run of journalctl, whose entries are read by one thread; any thread may end it. */
final class JournalProcess {
  private static final File NOTHING = new File("/dev/null");

  private @Nullable Process process;
  private boolean isStopped;

  /** Takes entries one after the other. */
  @FunctionalInterface
  interface Reader {
    /** False if no more is taken. */
    boolean take(JournalEntry entry) throws InterruptedException;
  }

  /**
   * Starts it, and reads until it ends, or no more is taken.
   *
   * @return its exit code; 0 if it was stopped
   * @throws IOException when it cannot be started, or what it prints is no export of a journal
   */
  int read(List<String> command, Reader reader) throws IOException, InterruptedException {
    Process started = start(command);
    boolean isEnough = false;
    try (InputStream out = new BufferedInputStream(started.getInputStream(), 1 << 16)) {
      var export = new JournalExport(out);
      for (JournalEntry entry = export.next(); entry != null && !isEnough; ) {
        isEnough = !reader.take(entry);
        entry = isEnough ? null : export.next();
      }
    } catch (IOException e) {
      if (!isStopped()) {
        throw e;
      }
    } finally {
      end(started);
    }
    int code = started.waitFor();
    return isEnough || isStopped() ? 0 : code;
  }

  private synchronized Process start(List<String> command) throws IOException {
    Process started =
        new ProcessBuilder(command)
            .redirectInput(NOTHING)
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    process = started;
    if (isStopped) {
      end(started);
    }
    return started;
  }

  private synchronized boolean isStopped() {
    return isStopped;
  }

  /** Ends it, now or as soon as it begins. */
  synchronized void stop() {
    isStopped = true;
    if (process != null) {
      end(process);
    }
  }

  private static void end(Process running) {
    running.descendants().forEach(ProcessHandle::destroy);
    running.destroy();
  }
}
