package io.cordwood.common.file;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.List;
import java.util.OptionalLong;

/**
 * The real disk, but for forces, which end at once: where no power is lost, a test would only wait
 * for them. Whoever extends this changes what some of the calls do.
 */
public class PassThroughFilesystem implements Filesystem {
  final Filesystem files = Filesystem.real();

  @Override
  public WritableFile create(Path file) throws IOException {
    return new PassThroughFile(files.create(file));
  }

  @Override
  public WritableFile overwrite(Path file) throws IOException {
    return new PassThroughFile(files.overwrite(file));
  }

  @Override
  public ReadableFile open(Path file) throws IOException {
    return files.open(file);
  }

  @Override
  public OptionalLong size(Path file) throws IOException {
    return files.size(file);
  }

  @Override
  public void truncate(Path file, long bytes) throws IOException {
    try (var channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.truncate(bytes);
    }
  }

  @Override
  public void rename(Path from, Path to) throws IOException {
    files.rename(from, to);
  }

  @Override
  public void delete(Path file) throws IOException {
    files.delete(file);
  }

  @Override
  public List<Path> list(Path folder) throws IOException {
    return files.list(folder);
  }

  @Override
  public void createFolders(Path folder) throws IOException {
    try {
      Files.createDirectories(folder);
    } catch (FileAlreadyExistsException e) {
      throw new NotDirectoryException(folder.toString());
    }
  }

  @Override
  public void forceFolder(Path folder) throws IOException {}

  @Override
  public long usableBytes(Path folder) throws IOException {
    return files.usableBytes(folder);
  }

  @Override
  public Instant modified(Path file) throws IOException {
    return files.modified(file);
  }

  @Override
  public void setModified(Path file, Instant time) throws IOException {
    files.setModified(file, time);
  }

  @Override
  public Closeable lock(Path folder) throws IOException {
    return files.lock(folder);
  }

  /** A file of it; every way to write ends in the gathering one. */
  static class PassThroughFile implements WritableFile {
    final WritableFile file;

    PassThroughFile(WritableFile file) {
      this.file = file;
    }

    @Override
    public long size() throws IOException {
      return file.size();
    }

    @Override
    public void cut() throws IOException {
      file.cut();
    }

    @Override
    public void force() throws IOException {}

    @Override
    public int write(ByteBuffer source) throws IOException {
      return (int) write(new ByteBuffer[] {source});
    }

    @Override
    public long write(ByteBuffer[] sources) throws IOException {
      return write(sources, 0, sources.length);
    }

    @Override
    public long write(ByteBuffer[] sources, int offset, int length) throws IOException {
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
