package io.cordwood.store;

import io.cordwood.common.file.Filesystem;
import io.cordwood.common.file.ReadableFile;
import io.cordwood.common.file.WritableFile;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;

/**
 * A disk whose nth change fails, and either every one after it too, as if the process had died
 * there, or none. A write that fails may have written a part.
 */
final class FailingFilesystem implements Filesystem {
  private final Filesystem real = Filesystem.real();
  private long failAt = Long.MAX_VALUE;
  private boolean forGood;
  private long changes;

  /** Counts from now on; the change with that number fails, from 0. */
  synchronized void failAt(long change, boolean andAllAfter) {
    changes = 0;
    failAt = change;
    forGood = andAllAfter;
  }

  synchronized boolean hasFailed() {
    return changes > failAt;
  }

  private synchronized boolean fails() {
    long change = changes++;
    return change == failAt || (forGood && change > failAt);
  }

  private void check(String what, Path path) throws IOException {
    if (fails()) {
      throw new IOException("the test fails to " + what + " " + path);
    }
  }

  @Override
  public WritableFile create(Path file) throws IOException {
    check("create", file);
    return new Failing(file, real.create(file));
  }

  @Override
  public ReadableFile open(Path file) throws IOException {
    return real.open(file);
  }

  @Override
  public void truncate(Path file, long bytes) throws IOException {
    check("truncate", file);
    real.truncate(file, bytes);
  }

  @Override
  public void rename(Path from, Path to) throws IOException {
    check("rename", from);
    real.rename(from, to);
  }

  @Override
  public void delete(Path file) throws IOException {
    check("delete", file);
    real.delete(file);
  }

  @Override
  public List<Path> list(Path folder) throws IOException {
    return real.list(folder);
  }

  @Override
  public void createFolders(Path folder) throws IOException {
    real.createFolders(folder);
  }

  @Override
  public void forceFolder(Path folder) throws IOException {
    check("force", folder);
    real.forceFolder(folder);
  }

  @Override
  public long usableBytes(Path folder) throws IOException {
    return real.usableBytes(folder);
  }

  @Override
  public Instant modified(Path file) throws IOException {
    return real.modified(file);
  }

  @Override
  public void setModified(Path file, Instant time) throws IOException {
    check("touch", file);
    real.setModified(file, time);
  }

  @Override
  public Closeable lock(Path folder) throws IOException {
    return real.lock(folder);
  }

  private final class Failing implements WritableFile {
    private final Path path;
    private final WritableFile file;

    Failing(Path path, WritableFile file) {
      this.path = path;
      this.file = file;
    }

    @Override
    public long size() throws IOException {
      return file.size();
    }

    @Override
    public void force() throws IOException {
      check("force", path);
      file.force();
    }

    @Override
    public int write(ByteBuffer source) throws IOException {
      if (fails()) {
        file.write(source.slice(0, source.remaining() / 2));
        throw new IOException("No space left on device, says the test, for " + path);
      }
      return file.write(source);
    }

    @Override
    public long write(ByteBuffer[] sources) throws IOException {
      return write(sources, 0, sources.length);
    }

    @Override
    public long write(ByteBuffer[] sources, int offset, int length) throws IOException {
      check("write", path);
      return file.write(sources, offset, length);
    }

    @Override
    public boolean isOpen() {
      return file.isOpen();
    }

    @Override
    public void close() throws IOException {
      file.close();
    }
  }
}
