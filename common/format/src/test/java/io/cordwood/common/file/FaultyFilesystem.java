package io.cordwood.common.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiPredicate;

/**
 * The real disk, with errors at chosen calls. A write that fails has written half of its bytes
 * before. Safe for many threads, if the plan is.
 */
public final class FaultyFilesystem extends PassThroughFilesystem {
  /** A kind of call that can fail. */
  public enum Call {
    CREATE,
    OPEN,
    WRITE,
    FORCE,
    TRUNCATE,
    RENAME,
    DELETE,
    TOUCH,
    FORCE_FOLDER
  }

  private final BiPredicate<Call, Long> plan;
  private final BiPredicate<Path, Long> unreadable;
  private final AtomicLong calls = new AtomicLong();
  private volatile long usableBytes = Long.MAX_VALUE;

  /**
   * @param plan whether a call fails, given its kind and its number, counted over all kinds from 0
   */
  public FaultyFilesystem(BiPredicate<Call, Long> plan) {
    this(plan, (_, _) -> false);
  }

  /**
   * @param unreadable whether a byte of a file, given its path when it was opened and its position,
   *     cannot be read; asked about the first byte of each read and of each page of it
   */
  public FaultyFilesystem(BiPredicate<Call, Long> plan, BiPredicate<Path, Long> unreadable) {
    this.plan = plan;
    this.unreadable = unreadable;
  }

  /** From now on the disk says that it can take so many bytes at most. */
  public void sayUsable(long bytes) {
    usableBytes = bytes;
  }

  /** Calls so far that could have failed. */
  public long calls() {
    return calls.get();
  }

  private boolean fails(Call call) {
    return plan.test(call, calls.getAndIncrement());
  }

  private void check(Call call, Path file) throws IOException {
    if (fails(call)) {
      throw new IOException(call + " of " + file + ": injected error");
    }
  }

  @Override
  public WritableFile create(Path file) throws IOException {
    check(Call.CREATE, file);
    return new FaultyFile(file, files.create(file));
  }

  @Override
  public WritableFile overwrite(Path file) throws IOException {
    check(Call.CREATE, file);
    return new FaultyFile(file, files.overwrite(file));
  }

  @Override
  public ReadableFile open(Path file) throws IOException {
    check(Call.OPEN, file);
    return new FaultyReads(file, files.open(file));
  }

  @Override
  public void truncate(Path file, long bytes) throws IOException {
    check(Call.TRUNCATE, file);
    files.truncate(file, bytes);
  }

  @Override
  public void rename(Path from, Path to) throws IOException {
    check(Call.RENAME, from);
    files.rename(from, to);
  }

  @Override
  public void delete(Path file) throws IOException {
    check(Call.DELETE, file);
    files.delete(file);
  }

  @Override
  public void setModified(Path file, Instant time) throws IOException {
    check(Call.TOUCH, file);
    files.setModified(file, time);
  }

  @Override
  public void forceFolder(Path folder) throws IOException {
    check(Call.FORCE_FOLDER, folder);
  }

  @Override
  public long usableBytes(Path folder) throws IOException {
    return Math.min(usableBytes, files.usableBytes(folder));
  }

  private final class FaultyFile extends PassThroughFile {
    private final Path path;

    FaultyFile(Path path, WritableFile file) {
      super(file);
      this.path = path;
    }

    @Override
    public void cut() throws IOException {
      check(Call.TRUNCATE, path);
      file.cut();
    }

    @Override
    public void force() throws IOException {
      check(Call.FORCE, path);
    }

    @Override
    public long write(ByteBuffer[] sources, int offset, int length) throws IOException {
      if (fails(Call.WRITE)) {
        ByteBuffer last = sources[offset + length - 1];
        ByteBuffer half = last.duplicate().limit(last.position() + last.remaining() / 2);
        for (int i = offset; i < offset + length - 1; i++) {
          long _ = file.write(sources[i]);
        }
        long _ = file.write(half);
        throw new IOException(Call.WRITE + " to " + path + ": injected error");
      }
      return file.write(sources, offset, length);
    }
  }

  private final class FaultyReads extends ForwardingReadableFile {
    private static final int PAGE_BYTES = 4096;

    private final Path path;

    FaultyReads(Path path, ReadableFile file) {
      super(file);
      this.path = path;
    }

    @Override
    public void read(ByteBuffer target, long position) throws IOException {
      long end = position + target.remaining();
      for (long at = position; at < end; at += PAGE_BYTES - at % PAGE_BYTES) {
        if (unreadable.test(path, at)) {
          throw new IOException("read of " + path + " at " + at + ": injected error");
        }
      }
      super.read(target, position);
    }
  }
}
