package io.cordwood.common.file;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The disk of this machine, through {@link FileChannel}. */
final class RealFilesystem implements Filesystem {
  static final RealFilesystem INSTANCE = new RealFilesystem();

  private static final String LOCK_FILE = "LOCK";

  /** Folders that this process has locked. */
  private static final Set<Path> LOCKED = ConcurrentHashMap.newKeySet();

  private RealFilesystem() {}

  @Override
  public WritableFile create(Path file) throws IOException {
    return new Appending(
        FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE));
  }

  @Override
  public WritableFile overwrite(Path file) throws IOException {
    return new Appending(FileChannel.open(file, StandardOpenOption.WRITE));
  }

  @Override
  public ReadableFile open(Path file) throws IOException {
    SpecialFileException.check(file);
    return new Reading(file, FileChannel.open(file, StandardOpenOption.READ));
  }

  @Override
  public void truncate(Path file, long bytes) throws IOException {
    try (var channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.truncate(bytes);
      channel.force(true);
    }
  }

  @Override
  public OptionalLong size(Path file) throws IOException {
    return Files.isRegularFile(file) ? OptionalLong.of(Files.size(file)) : OptionalLong.empty();
  }

  @Override
  public void rename(Path from, Path to) throws IOException {
    Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
  }

  @Override
  public void delete(Path file) throws IOException {
    Files.deleteIfExists(file);
  }

  @Override
  public List<Path> list(Path folder) throws IOException {
    try (var names = Files.list(folder)) {
      return names.sorted().toList();
    }
  }

  @Override
  public void createFolders(Path folder) throws IOException {
    Path parent = folder.toAbsolutePath().getParent();
    if (!Files.isDirectory(folder) && parent != null) {
      createFolders(parent);
      try {
        Files.createDirectories(folder);
      } catch (FileAlreadyExistsException e) {
        throw new NotDirectoryException(folder.toString());
      }
      forceFolder(parent);
    }
  }

  @Override
  public void forceFolder(Path folder) throws IOException {
    try (var channel = FileChannel.open(folder, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  @Override
  public long usableBytes(Path folder) throws IOException {
    return Files.getFileStore(folder).getUsableSpace();
  }

  @Override
  public Instant modified(Path file) throws IOException {
    return Files.getLastModifiedTime(file).toInstant();
  }

  @Override
  public void setModified(Path file, Instant time) throws IOException {
    Files.setLastModifiedTime(file, FileTime.from(time));
  }

  @Override
  public Closeable lock(Path folder) throws IOException {
    Path held = folder.toRealPath();
    // To close a second channel of the file would end the first one's lock.
    if (!LOCKED.add(held)) {
      throw new FolderInUseException(folder, "this very process");
    }
    try {
      FileChannel channel = lockFile(folder);
      return () -> {
        LOCKED.remove(held);
        channel.close();
      };
    } catch (IOException | RuntimeException e) {
      LOCKED.remove(held);
      throw e;
    }
  }

  private static FileChannel lockFile(Path folder) throws IOException {
    Path file = folder.resolve(LOCK_FILE);
    var channel =
        FileChannel.open(
            file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
    try {
      FileLock lock = channel.tryLock();
      if (lock == null) {
        throw new FolderInUseException(folder, holder(channel));
      }
      channel.truncate(0);
      channel.write(
          ByteBuffer.wrap(
              ("process " + ProcessHandle.current().pid()).getBytes(StandardCharsets.US_ASCII)));
      return channel;
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  private static String holder(FileChannel channel) throws IOException {
    var text = ByteBuffer.allocate(64);
    channel.read(text, 0);
    return StandardCharsets.US_ASCII.decode(text.flip()).toString();
  }

  private record Appending(FileChannel channel) implements WritableFile {
    @Override
    public long size() throws IOException {
      return channel.position();
    }

    @Override
    public void cut() throws IOException {
      channel.truncate(channel.position());
    }

    @Override
    public void force() throws IOException {
      channel.force(false);
    }

    @Override
    public int write(ByteBuffer source) throws IOException {
      return channel.write(source);
    }

    @Override
    public long write(ByteBuffer[] sources) throws IOException {
      return channel.write(sources);
    }

    @Override
    public long write(ByteBuffer[] sources, int offset, int length) throws IOException {
      return channel.write(sources, offset, length);
    }

    @Override
    public boolean isOpen() {
      return channel.isOpen();
    }

    @Override
    public void close() throws IOException {
      channel.close();
    }
  }

  private record Reading(Path file, FileChannel channel) implements ReadableFile {
    @Override
    public long size() throws IOException {
      return channel.size();
    }

    @Override
    public void read(ByteBuffer target, long position) throws IOException {
      long at = position;
      while (target.hasRemaining()) {
        int count = channel.read(target, at);
        if (count < 0) {
          throw new EOFException(
              "%s: expected %d more bytes at %d, found the end"
                  .formatted(file, target.remaining(), at));
        }
        at += count;
      }
    }

    @Override
    public void close() throws IOException {
      channel.close();
    }
  }
}
