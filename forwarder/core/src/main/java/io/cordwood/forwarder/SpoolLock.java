package io.cordwood.forwarder;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/** Holds a spool's folder for one forwarder, of this process or any other; a crash lets it go. */
final class SpoolLock implements AutoCloseable {
  private static final String NAME = "lock";

  private final FileChannel channel;

  private SpoolLock(FileChannel channel) {
    this.channel = channel;
  }

  /** Makes the folder if it is missing. */
  static SpoolLock take(Path folder) throws IOException {
    makeFolder(folder);
    FileChannel channel =
        FileChannel.open(folder.resolve(NAME), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    if (lock(channel) == null) {
      channel.close();
      throw new FileSystemException(
          folder.toString(), null, "expected a folder of its own, found one that another uses");
    }
    return new SpoolLock(channel);
  }

  private static void makeFolder(Path folder) throws IOException {
    try {
      Files.createDirectories(folder);
    } catch (FileAlreadyExistsException e) {
      FileSystemException told =
          new FileSystemException(folder.toString(), null, "expected a folder, found a file");
      told.initCause(e);
      throw told;
    }
  }

  private static @Nullable FileLock lock(FileChannel channel) throws IOException {
    try {
      return channel.tryLock();
    } catch (OverlappingFileLockException e) {
      return null;
    } catch (IOException e) {
      channel.close();
      throw e;
    }
  }

  /** The path, and what is wrong with it. */
  static String explain(IOException e) {
    if (e instanceof FileSystemException at && at.getReason() == null) {
      return at.getFile() + ": " + e.getClass().getSimpleName();
    }
    return String.valueOf(e.getMessage());
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
