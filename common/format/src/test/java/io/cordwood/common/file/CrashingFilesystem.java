package io.cordwood.common.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The real disk, with a log of every change, from which {@link PowerLoss} makes the states in which
 * a loss of power may leave it. A change stands in the log before the call that made it returns, so
 * whatever a caller promises afterwards has its reason in the log before that moment.
 *
 * <p>Safe for many threads; one change is made at a time.
 */
public final class CrashingFilesystem extends PassThroughFilesystem {
  /** One call that changed something, or made a change durable. */
  sealed interface Change {
    /** A new, empty file; files are numbered, since names change. */
    record Created(int file, Path path) implements Change {}

    /** A file that was there is written from its start; its number is another from now on. */
    record Reopened(int file, Path path) implements Change {}

    record Written(int file, long offset, byte[] bytes) implements Change {}

    /** Cut behind what was written since it was opened; not forced. */
    record Cut(int file, long bytes) implements Change {}

    record Forced(int file) implements Change {}

    /** Cut, and forced. */
    record Truncated(Path path, long bytes) implements Change {}

    record Renamed(Path from, Path to) implements Change {}

    record Deleted(Path path) implements Change {}

    record FolderForced(Path folder) implements Change {}
  }

  private final List<Change> changes = new ArrayList<>();
  private final Object lock = new Object();
  private int opened;

  /** How many changes there were; as a point in time, that behind the last of them. */
  public int point() {
    synchronized (lock) {
      return changes.size();
    }
  }

  /** How many times a file that was there was opened to be overwritten. */
  public long reopened() {
    return between(0, point()).stream().filter(Change.Reopened.class::isInstance).count();
  }

  List<Change> between(int from, int to) {
    synchronized (lock) {
      return List.copyOf(changes.subList(from, to));
    }
  }

  private interface Step {
    void run() throws IOException;
  }

  private void make(Change change, Step step) throws IOException {
    synchronized (lock) {
      step.run();
      changes.add(change);
    }
  }

  @Override
  public WritableFile create(Path file) throws IOException {
    synchronized (lock) {
      WritableFile created = files.create(file);
      changes.add(new Change.Created(opened, file));
      return new Logged(opened++, created);
    }
  }

  @Override
  public WritableFile overwrite(Path file) throws IOException {
    synchronized (lock) {
      WritableFile reopened = files.overwrite(file);
      changes.add(new Change.Reopened(opened, file));
      return new Logged(opened++, reopened);
    }
  }

  @Override
  public void truncate(Path file, long bytes) throws IOException {
    make(new Change.Truncated(file, bytes), () -> files.truncate(file, bytes));
  }

  @Override
  public void rename(Path from, Path to) throws IOException {
    make(new Change.Renamed(from, to), () -> files.rename(from, to));
  }

  @Override
  public void delete(Path file) throws IOException {
    make(new Change.Deleted(file), () -> files.delete(file));
  }

  @Override
  public void forceFolder(Path folder) throws IOException {
    make(new Change.FolderForced(folder), () -> {});
  }

  private final class Logged extends PassThroughFile {
    private final int number;

    Logged(int number, WritableFile file) {
      super(file);
      this.number = number;
    }

    @Override
    public void cut() throws IOException {
      make(new Change.Cut(number, file.size()), file::cut);
    }

    @Override
    public void force() throws IOException {
      make(new Change.Forced(number), () -> {});
    }

    private int writeOne(ByteBuffer source) throws IOException {
      synchronized (lock) {
        long offset = file.size();
        ByteBuffer copy = source.duplicate();
        int count = file.write(source);
        byte[] bytes = new byte[count];
        copy.get(bytes);
        changes.add(new Change.Written(number, offset, bytes));
        return count;
      }
    }

    @Override
    public long write(ByteBuffer[] sources, int offset, int length) throws IOException {
      long count = 0;
      for (int i = offset; i < offset + length; i++) {
        while (sources[i].hasRemaining()) {
          count += writeOne(sources[i]);
        }
      }
      return count;
    }
  }
}
