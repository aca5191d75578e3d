package io.cordwood.common.file;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Files that commands change and nodes read, which often run as somebody else. */
public final class SharedFile {
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final long POLL_NANOS = Duration.ofMillis(20).toNanos();

  /** The mode of files with secrets, and with what people do. */
  public static final Set<PosixFilePermission> OWNER_ONLY =
      Set.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);

  private SharedFile() {}

  /** Whether any user of this machine may read or write a file. */
  public static boolean isOpenToOthers(Path file) throws IOException {
    if (!hasModes(file)) {
      return false;
    }
    Set<PosixFilePermission> mode = Files.getPosixFilePermissions(file);
    return mode.contains(PosixFilePermission.OTHERS_READ)
        || mode.contains(PosixFilePermission.OTHERS_WRITE);
  }

  /** The mode of a file that its owner alone may read, where files have one. */
  public static FileAttribute<?>[] onlyOwner(Path file) {
    return hasModes(file)
        ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(OWNER_ONLY)}
        : new FileAttribute<?>[0];
  }

  private static boolean hasModes(Path file) {
    return file.getFileSystem().supportedFileAttributeViews().contains("posix");
  }

  /**
   * Holds off other commands that change a file, until this is closed. {@code FILE.lock} stays.
   *
   * @throws IOException saying so if another one does not end
   */
  public static Closeable lock(Path file) throws IOException {
    return lock(file, PATIENCE);
  }

  static Closeable lock(Path file, Duration patience) throws IOException {
    Path target = target(file);
    Path lock = target.resolveSibling(target.getFileName() + ".lock");
    FileChannel channel;
    try {
      channel = open(lock, StandardOpenOption.CREATE);
    } catch (IOException e) {
      throw new IOException(
          "%s: expected to lock it while it is changed: %s".formatted(file, FileTrouble.explain(e)),
          e);
    }
    try {
      await(channel, System.nanoTime() + patience.toNanos(), file);
      return channel;
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  private static void await(FileChannel lock, long endNanos, Path file) throws IOException {
    while (tryLock(lock) == null) {
      if (System.nanoTime() - endNanos >= 0) {
        throw new IOException(
            "%s: expected no other command that changes it, found one that holds %s.lock"
                .formatted(file, file));
      }
      LockSupport.parkNanos(POLL_NANOS);
    }
  }

  private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
    try {
      return channel.tryLock();
    } catch (OverlappingFileLockException e) {
      return null; // of another thread
    }
  }

  private static FileChannel open(Path file, StandardOpenOption how) throws IOException {
    return FileChannel.open(file, Set.of(how, StandardOpenOption.WRITE), onlyOwner(file));
  }

  private static Path target(Path file) throws IOException {
    return Files.isSymbolicLink(file) ? file.toRealPath() : file.toAbsolutePath();
  }

  /**
   * Writes a text in place of what a file held: all of it or, if this throws or the power goes,
   * nothing. Owner, group, mode and access list stay; a new file is for its owner alone.
   */
  public static void replace(Path file, String text) throws IOException {
    Path target = target(file);
    Path fresh = target.resolveSibling(target.getFileName() + ".new");
    Files.deleteIfExists(fresh);
    try {
      if (Files.exists(target)) {
        replace(target, fresh, text);
      } else {
        write(open(fresh, StandardOpenOption.CREATE_NEW), text);
      }
      Files.move(
          fresh, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(fresh);
    }
    RealFilesystem.INSTANCE.forceFolder(Objects.requireNonNull(target.getParent()));
  }

  private static void replace(Path target, Path fresh, String text) throws IOException {
    Files.copy(target, fresh, StandardCopyOption.COPY_ATTRIBUTES);
    if (!hasModes(target)) {
      Files.setOwner(fresh, Files.getOwner(target));
      write(open(fresh, StandardOpenOption.TRUNCATE_EXISTING), text);
      return;
    }
    checkSameOwner(target, fresh);
    Set<PosixFilePermission> mode = Files.getPosixFilePermissions(target);
    Set<PosixFilePermission> writable = new HashSet<>(mode);
    writable.add(PosixFilePermission.OWNER_WRITE);
    Files.setPosixFilePermissions(fresh, writable);
    write(open(fresh, StandardOpenOption.TRUNCATE_EXISTING), text);
    Files.setPosixFilePermissions(fresh, mode);
  }

  private static void checkSameOwner(Path target, Path fresh) throws IOException {
    String expected = owner(target);
    String found = owner(fresh);
    if (!found.equals(expected)) {
      throw new IOException(
          "%s: expected to keep its owner and group %s, and would make it %s; run this as root"
              .formatted(target, expected, found));
    }
  }

  private static String owner(Path file) throws IOException {
    var found = Files.readAttributes(file, PosixFileAttributes.class, new LinkOption[0]);
    return found.owner().getName() + ":" + found.group().getName();
  }

  private static void write(FileChannel opened, String text) throws IOException {
    try (FileChannel channel = opened) {
      ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII));
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
      channel.force(true);
    }
  }
}
