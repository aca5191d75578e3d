package io.cordwood.cli.search;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/**
 * The reader of standard output. A command that may have nothing to write for hours learns only by
 * asking that its reader has left: {@code cordwood tail | head -1} ends when head does. Source:
 * poll(2). Only on Linux, and only of a pipe.
 */
final class OutputReader {
  private static final Duration PAUSE = Duration.ofMillis(250);
  private static final int STANDARD_OUTPUT = 1;
  private static final short POLLERR = 8;

  /** The size of the structure pollfd: a file, the events waited for, the events seen. */
  private static final int BYTES = 8;

  private static final int FOUND_AT = 6;

  private OutputReader() {}

  /** Runs something, on a thread of its own, when nobody reads any more. */
  public static void whenGone(Runnable action) {
    if (isPipe()) {
      Thread.ofPlatform().daemon().name("output-reader").start(() -> watch(action));
    }
  }

  private static boolean isPipe() {
    try {
      return Files.readSymbolicLink(Path.of("/proc/self/fd/1")).toString().startsWith("pipe:");
    } catch (IOException | UnsupportedOperationException e) {
      return false; // No /proc is here, and the next write will tell.
    }
  }

  @SuppressWarnings("restricted") // the launcher allows native access
  private static void watch(Runnable action) {
    Linker linker = Linker.nativeLinker();
    MethodHandle poll =
        linker.downcallHandle(
            linker.defaultLookup().findOrThrow("poll"),
            FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT));
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment file = arena.allocate(BYTES, JAVA_INT.byteAlignment());
      file.set(JAVA_INT, 0, STANDARD_OUTPUT);
      while ((found(poll, file) & POLLERR) == 0) {
        Thread.sleep(PAUSE);
      }
      action.run();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static short found(MethodHandle poll, MemorySegment file) {
    try {
      var _ = (int) poll.invokeExact(file, 1L, 0);
    } catch (Throwable e) {
      throw new IllegalStateException("poll", e);
    }
    return file.get(JAVA_SHORT, FOUND_AT);
  }
}
