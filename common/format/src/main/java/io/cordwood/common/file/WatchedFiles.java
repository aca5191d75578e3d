package io.cordwood.common.file;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Files that are read again when they have changed, once two looks in a row see them alike: one
 * that is written in place is empty for a moment, and half of it later. What could not be read is
 * tried at each look until it is read: what helps, such as {@code chown}, need not change a file.
 * Not for several threads.
 */
public final class WatchedFiles {
  static final Duration REPEATED = Duration.ofMinutes(1);

  private static final String CHANGES = "lastModifiedTime,size,fileKey";

  private final List<Path> files;
  private final LongSupplier nanoTime;
  private List<Map<String, Object>> read;
  private List<Map<String, Object>> seen;
  private @Nullable String trouble;
  private long saidNanos;

  /** Reads the files, or throws. */
  @FunctionalInterface
  public interface Reading<T> {
    T read() throws IOException;
  }

  /** As they are now: to be made before the files are read for the first time. */
  public WatchedFiles(Path... files) {
    this(System::nanoTime, files);
  }

  WatchedFiles(LongSupplier nanoTime, Path... files) {
    this.files = List.of(files);
    this.nanoTime = nanoTime;
    this.read = stamps();
    this.seen = read;
  }

  /**
   * Looks once.
   *
   * @param reading is called if a file differs from what was read last, and not from the last look
   * @param taken is given what was read, unless a file has changed meanwhile
   * @param failed is given the reason if one of them fails: at once, when the reason changes, and
   *     once a minute
   */
  public <T> void look(Reading<T> reading, Consumer<T> taken, Consumer<String> failed) {
    List<Map<String, Object>> now = stamps();
    boolean isStill = now.equals(seen);
    seen = now;
    if (now.equals(read)) {
      trouble = null;
    } else if (isStill) {
      take(now, reading, taken, failed);
    }
  }

  private <T> void take(
      List<Map<String, Object>> now,
      Reading<T> reading,
      Consumer<T> taken,
      Consumer<String> failed) {
    try {
      T contents = reading.read();
      if (stamps().equals(now)) {
        taken.accept(contents);
        read = now;
        trouble = null;
      }
    } catch (IOException e) {
      say(FileTrouble.explain(e), failed);
    } catch (RuntimeException | Error e) {
      say(e.toString(), failed);
    }
  }

  private void say(String why, Consumer<String> failed) {
    long now = nanoTime.getAsLong();
    if (!why.equals(trouble) || now - saidNanos >= REPEATED.toNanos()) {
      trouble = why;
      saidNanos = now;
      failed.accept(why);
    }
  }

  private List<Map<String, Object>> stamps() {
    return files.stream().map(WatchedFiles::stamp).toList();
  }

  /** Differs once a file was written, replaced, or given to somebody; empty if none can be seen. */
  private static Map<String, Object> stamp(Path file) {
    boolean knowsChanges = file.getFileSystem().supportedFileAttributeViews().contains("unix");
    try {
      return Files.readAttributes(file, knowsChanges ? "unix:ctime," + CHANGES : CHANGES);
    } catch (IOException e) {
      return Map.of();
    }
  }
}
