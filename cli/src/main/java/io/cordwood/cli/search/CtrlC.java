package io.cordwood.cli.search;

/** The way in which people end a command that goes on for ever. */
final class CtrlC {
  private CtrlC() {}

  /**
   * From now on SIGINT ends this process at once, with an exit code of its own; what is not flushed
   * by then is not printed. Other signals do what they always do.
   */
  public static void endsWith(int exitCode) {
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  if (isInterrupted()) {
                    Runtime.getRuntime().halt(exitCode);
                  }
                },
                "ctrl-c"));
  }

  /** The JVM gives each signal a thread, of that name, that waits for the end of the process. */
  private static boolean isInterrupted() {
    ThreadGroup root = Thread.currentThread().getThreadGroup();
    for (ThreadGroup up = root.getParent(); up != null; up = up.getParent()) {
      root = up;
    }
    Thread[] threads = new Thread[root.activeCount() + 64];
    int found = root.enumerate(threads);
    for (int i = 0; i < found; i++) {
      if (threads[i].getName().equals("SIGINT handler")) {
        return true;
      }
    }
    return false;
  }
}
