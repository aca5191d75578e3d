package io.cordwood.common.file;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A file that does not change any more, of {@link OpenFiles}: opened when it is read, if it is not
 * open. Its owner says {@link #willBe} before it is renamed and {@link #hold} before it is deleted.
 * Safe for many threads, but for {@link #close}, after which nobody reads.
 */
public final class OnDemandFile implements ByteSource, Closeable, ClockEviction.Kept {
  private static final int NOT_OPEN = -1;

  private final OpenFiles files;
  private final long size;
  private final ReentrantLock lock = new ReentrantLock();

  /** Readers at this moment, or that the file is not open. */
  private final AtomicInteger readers = new AtomicInteger();

  private volatile @Nullable ReadableFile file;
  private volatile boolean used = true;
  private boolean held;
  private volatile Path path;
  private volatile @Nullable Path next;
  private boolean closed;

  private OnDemandFile(OpenFiles files, Path path, ReadableFile opened) throws IOException {
    this.files = files;
    this.path = path;
    this.file = opened;
    this.size = opened.size();
  }

  /**
   * Opens a file.
   *
   * @param files that it is one of
   * @throws NoSuchFileException if there is none
   */
  public static OnDemandFile open(OpenFiles files, Path path) throws IOException {
    ReadableFile opened = files.open(path);
    try {
      var file = new OnDemandFile(files, path, opened);
      files.isOpen(file);
      return file;
    } catch (IOException e) {
      opened.close();
      throw e;
    }
  }

  @Override
  public long size() {
    return size;
  }

  @Override
  public void read(ByteBuffer target, long position) throws IOException {
    ReadableFile open = acquire();
    try {
      open.read(target, position);
    } finally {
      readers.decrementAndGet();
    }
  }

  private ReadableFile acquire() throws IOException {
    while (true) {
      int now = readers.get();
      if (now == NOT_OPEN) {
        open();
      } else if (readers.compareAndSet(now, now + 1)) {
        if (!used) {
          used = true;
        }
        return Objects.requireNonNull(file);
      }
    }
  }

  private void open() throws IOException {
    lock.lock();
    try {
      if (readers.get() != NOT_OPEN) {
        return;
      }
      if (closed) {
        throw new ClosedChannelException();
      }
      file = reopened();
      used = true;
      readers.set(0);
    } finally {
      lock.unlock();
    }
    files.isOpen(this);
  }

  private ReadableFile reopened() throws IOException {
    try {
      return files.reopen(path);
    } catch (NoSuchFileException e) {
      Path later = next;
      if (later == null) {
        throw e;
      }
      ReadableFile found = files.reopen(later);
      path = later;
      next = null;
      return found;
    }
  }

  /** Says where the file will be, or is by now, if it is not where it was. */
  public void willBe(Path later) {
    next = later;
  }

  /**
   * Opens the file and does not let it go before it is closed, so that it can be read after it was
   * deleted or renamed.
   */
  public void hold() throws IOException {
    lock.lock();
    try {
      held = true;
    } finally {
      lock.unlock();
    }
    ReadableFile _ = acquire();
    readers.decrementAndGet();
  }

  @Override
  public boolean wasUsed() {
    boolean was = used;
    used = false;
    return was;
  }

  @Override
  public boolean letGo() {
    if (!lock.tryLock()) {
      return false;
    }
    try {
      return !held && readers.compareAndSet(0, NOT_OPEN) && closeQuietly();
    } finally {
      lock.unlock();
    }
  }

  private boolean closeQuietly() {
    try {
      Objects.requireNonNull(file).close();
    } catch (IOException e) {
      // It was only read, so nothing is lost; the descriptor is gone all the same.
    }
    file = null;
    return true;
  }

  @Override
  public void close() throws IOException {
    lock.lock();
    try {
      closed = true;
      ReadableFile open = file;
      if (readers.getAndSet(NOT_OPEN) != NOT_OPEN && open != null) {
        open.close();
      }
    } finally {
      lock.unlock();
    }
    files.isGone(this);
  }
}
