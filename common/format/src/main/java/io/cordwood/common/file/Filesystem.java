package io.cordwood.common.file;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.OptionalLong;

/**
 * The disk operations that the tiers use. Every failure is an IOException that names the path.
 *
 * <p>A new, renamed or deleted name is durable only after {@link #forceFolder} of its folder.
 * Threads that call this must never be interrupted: an interrupt closes the file.
 */
public interface Filesystem {
  /** The disk of this machine. */
  static Filesystem real() {
    return RealFilesystem.INSTANCE;
  }

  /**
   * Creates a file for appending.
   *
   * @throws java.nio.file.FileAlreadyExistsException if the name is taken
   */
  WritableFile create(Path file) throws IOException;

  /**
   * Opens a file that is there for writing from its start. What is not overwritten stays, so the
   * reader must know where to end. The memory in which the OS keeps the file is used again, which
   * costs it a fraction of what new pages do.
   *
   * @throws java.nio.file.NoSuchFileException if there is none
   */
  WritableFile overwrite(Path file) throws IOException;

  /**
   * Opens a file for reading.
   *
   * @throws java.nio.file.NoSuchFileException if there is none
   * @throws SpecialFileException if it is no file, and might never open
   */
  ReadableFile open(Path file) throws IOException;

  /** Cuts a file that nobody has open, and forces it. */
  void truncate(Path file, long bytes) throws IOException;

  /** Renames within one folder, atomically. An existing target is replaced. */
  void rename(Path from, Path to) throws IOException;

  /** Deletes a file if it is there. */
  void delete(Path file) throws IOException;

  /** The names in a folder, sorted; folders too. */
  List<Path> list(Path folder) throws IOException;

  /** Creates a folder and those above it; they are durable when this returns. */
  void createFolders(Path folder) throws IOException;

  /** Makes all creations, renames and deletions in a folder durable. */
  void forceFolder(Path folder) throws IOException;

  /** Bytes that this process may still write to the disk that holds the folder. */
  long usableBytes(Path folder) throws IOException;

  /** The bytes of a file; empty if there is none of that name, or it is a folder. */
  OptionalLong size(Path file) throws IOException;

  /** When a file was last written, or what {@link #setModified} made of it. */
  Instant modified(Path file) throws IOException;

  void setModified(Path file, Instant time) throws IOException;

  /**
   * Takes a folder for this process alone, until closed or until the process ends, however it ends.
   *
   * @throws FolderInUseException if another process, or another part of this one, has it
   */
  Closeable lock(Path folder) throws IOException;
}
