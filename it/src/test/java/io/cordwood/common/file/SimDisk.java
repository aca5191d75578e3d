package io.cordwood.common.file;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;

/**
 * The disk of a simulated process, in real files: times are those of its own clock, and each change
 * may be the last thing that the process does. One thread changes it.
 */
public final class SimDisk extends PassThroughFilesystem {
  private final InstantSource clock;
  private final Map<Path, Instant> modified = new HashMap<>();
  private Runnable beforeChange = () -> {};
  private boolean isOver;

  public SimDisk(InstantSource clock) {
    this.clock = clock;
  }

  /** A process starts to use it. */
  public void starts(Runnable beforeEachChange) {
    beforeChange = beforeEachChange;
    isOver = false;
  }

  /** The process is over: whatever is left of it changes nothing. */
  public void ends() {
    isOver = true;
  }

  private boolean changes() {
    if (!isOver) {
      beforeChange.run();
    }
    return !isOver;
  }

  @Override
  public WritableFile create(Path file) throws IOException {
    if (!changes()) {
      throw new IOException(file + ": the process is over");
    }
    modified.put(file, clock.instant());
    return super.create(file);
  }

  @Override
  public void rename(Path from, Path to) throws IOException {
    if (changes()) {
      files.rename(from, to);
      modified.put(to, modified.getOrDefault(from, clock.instant()));
      modified.remove(from);
    }
  }

  @Override
  public void delete(Path file) throws IOException {
    if (changes()) {
      files.delete(file);
      modified.remove(file);
    }
  }

  @Override
  public Instant modified(Path file) throws IOException {
    Instant real = files.modified(file);
    return modified.getOrDefault(file, real);
  }

  @Override
  public void setModified(Path file, Instant time) {
    if (!isOver) {
      modified.put(file, time);
    }
  }

  @Override
  public Closeable lock(Path folder) {
    return () -> {};
  }
}
