package io.cordwood.common.bucket;

import io.cordwood.common.bucket.BucketException.Kind;
import io.cordwood.common.bucket.BucketRequests.Verb;
import io.cordwood.common.file.Filesystem;
import io.cordwood.common.file.ReadableFile;
import io.cordwood.common.file.WritableFile;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;

/**
 * A folder, on a disk or on a mounted share: each object is a file. A file that is being written
 * has another name, and is on the disk before it gets its own; so this needs no lock, and any
 * number of machines may share it.
 */
final class FolderBucket implements Bucket {
  /** Begins the name of a file that is being written. */
  private static final String PART = ".part-";

  /**
   * Files that a process left when it died are deleted then, by the next put of anybody. One that
   * is written for longer is taken for such a file, and its put fails.
   */
  private static final Duration ABANDONED = Duration.ofHours(1);

  private static final int BUFFER_BYTES = 256 << 10;

  private static final int MOST_RENAMES = 5;

  /** Folders and names take some beside the bytes of an object. */
  private static final long LEAST_ROOM = 64 << 10;

  private final Path root;
  private final Filesystem files;
  private final BucketRequests requests = new BucketRequests();

  /**
   * @param root is made once something is put; the folder above it must be there, or everything
   *     fails: a share that is not mounted must not look like one that is empty
   */
  FolderBucket(Path root, Filesystem files) {
    this.root = root;
    this.files = files;
  }

  @Override
  public void put(String key, ObjectContent content) throws IOException {
    Path target = path(key);
    requests.made(Verb.PUT);
    try {
      checkMounted();
      files.createFolders(root);
      deleteAbandoned();
      Path part = root.resolve(PART + UUID.randomUUID());
      try {
        write(part, content);
        rename(part, target, content.size());
      } finally {
        files.delete(part);
      }
      files.forceFolder(parent(target));
      requests.sent(content.size());
    } catch (IOException e) {
      throw failed(key, e, whyNotPut(content.size()));
    }
  }

  private Kind whyNotPut(long bytes) {
    try {
      Path disk = Files.exists(root) ? root : parent(root);
      if (Files.getFileStore(disk).isReadOnly()) {
        return Kind.DENIED;
      }
      return files.usableBytes(disk) < bytes + LEAST_ROOM ? Kind.FULL : Kind.UNREACHABLE;
    } catch (IOException e) {
      return Kind.UNREACHABLE; // It is away, or no folder.
    }
  }

  private void write(Path part, ObjectContent content) throws IOException {
    byte[] buffer = new byte[BUFFER_BYTES];
    try (InputStream in = content.open();
        WritableFile out = files.create(part)) {
      for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
        ByteBuffer bytes = ByteBuffer.wrap(buffer, 0, n);
        while (bytes.hasRemaining()) {
          out.write(bytes);
        }
      }
      if (out.size() != content.size()) {
        throw new IOException("expected %d bytes, found %d".formatted(content.size(), out.size()));
      }
      out.force();
    }
  }

  /**
   * Gives it its name, in a folder that others delete whenever it is empty. A share repeats a
   * rename whose answer was lost, and then says that there is no such file.
   */
  private void rename(Path part, Path target, long size) throws IOException {
    for (int attempt = 1; ; attempt++) {
      try {
        files.createFolders(parent(target));
        files.rename(part, target);
        return;
      } catch (NoSuchFileException e) {
        if (Files.exists(target) && Files.size(target) == size) {
          return;
        }
        if (attempt == MOST_RENAMES) {
          throw e;
        }
      }
    }
  }

  /** They are in one folder, since the folders of days that are done get no puts any more. */
  private void deleteAbandoned() throws IOException {
    Instant before = Instant.now().minus(ABANDONED);
    try (var parts = Files.newDirectoryStream(root, PART + "*")) {
      for (Path part : parts) {
        deleteIfOlder(part, before);
      }
    }
  }

  /** Others finish theirs meanwhile. */
  private void deleteIfOlder(Path part, Instant time) throws IOException {
    try {
      if (files.modified(part).isBefore(time)) {
        files.delete(part);
      }
    } catch (NoSuchFileException e) {
      // It has its own name by now.
    }
  }

  @Override
  public void read(String key, long position, ByteBuffer target) throws IOException {
    int bytes = target.remaining();
    requests.made(Verb.GET);
    try (ReadableFile file = files.open(path(key))) {
      file.read(target, position);
      requests.received(bytes);
    } catch (EOFException e) {
      requests.failed();
      throw BucketException.atEnd(path(key), position, bytes);
    } catch (IOException e) {
      throw failed(key, e);
    }
  }

  @Override
  public Tail part(String key, long position, int bytes) throws IOException {
    requests.made(Verb.GET);
    try (ReadableFile file = files.open(path(key))) {
      long size = file.size();
      if (position >= size) {
        requests.failed();
        throw BucketException.atEnd(path(key), position, bytes);
      }
      var part = ByteBuffer.allocate((int) Math.min(size - position, bytes));
      file.read(part, position);
      requests.received(part.capacity());
      return new Tail(part.flip(), size);
    } catch (BucketException e) {
      throw e;
    } catch (IOException e) {
      throw failed(key, e);
    }
  }

  @Override
  public Tail tail(String key, int bytes) throws IOException {
    requests.made(Verb.GET);
    try (ReadableFile file = files.open(path(key))) {
      long size = file.size();
      var tail = ByteBuffer.allocate((int) Math.min(size, bytes));
      file.read(tail, size - tail.capacity());
      requests.received(tail.capacity());
      return new Tail(tail.flip(), size);
    } catch (IOException e) {
      throw failed(key, e);
    }
  }

  @Override
  public OptionalLong size(String key) throws IOException {
    requests.made(Verb.HEAD);
    try {
      return OptionalLong.of(Files.size(path(key)));
    } catch (NoSuchFileException e) {
      return OptionalLong.empty();
    } catch (IOException e) {
      throw failed(key, e);
    }
  }

  /** All of it is one page. */
  @Override
  public Page list(String prefix, String after) throws IOException {
    requests.made(Verb.LIST);
    int end = prefix.lastIndexOf('/');
    Path from = end < 0 ? root : root.resolve(prefix.substring(0, end));
    List<Entry> found = new ArrayList<>();
    try {
      checkMounted();
      if (Files.isDirectory(from)) {
        Files.walkFileTree(from, new Walk(prefix, after, found));
      }
    } catch (IOException e) {
      throw failed(prefix, e);
    }
    found.sort(Comparator.comparing(Entry::key));
    return new Page(found, Optional.empty());
  }

  /** Collects the files that are objects; others are left alone. */
  private final class Walk extends SimpleFileVisitor<Path> {
    private final String prefix;
    private final String after;
    private final List<Entry> found;

    Walk(String prefix, String after, List<Entry> found) {
      this.prefix = prefix;
      this.after = after;
      this.found = found;
    }

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
      String key = root.relativize(file).toString().replace('\\', '/');
      boolean wanted = key.startsWith(prefix) && key.compareTo(after) > 0;
      if (wanted && attributes.isRegularFile() && ObjectKeys.isKey(key)) {
        found.add(new Entry(key, attributes.size(), attributes.lastModifiedTime().toInstant()));
      }
      return FileVisitResult.CONTINUE;
    }

    /** Deleted, or renamed, while this looks. */
    @Override
    public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
      if (e instanceof NoSuchFileException) {
        return FileVisitResult.CONTINUE;
      }
      throw e;
    }
  }

  @Override
  public void delete(String key) throws IOException {
    requests.made(Verb.DELETE);
    Path file = path(key);
    try {
      checkMounted();
      files.delete(file);
      Path folder = deleteEmpty(parent(file));
      if (Files.isDirectory(folder)) {
        files.forceFolder(folder);
      }
    } catch (IOException e) {
      throw failed(key, e);
    }
  }

  /** Deletes a folder and those above it, as far as they are empty; the first one that stays. */
  private Path deleteEmpty(Path folder) {
    Path empty = folder;
    try {
      while (!empty.equals(root)) {
        files.delete(empty);
        empty = parent(empty);
      }
    } catch (IOException e) {
      // It is not empty, or may not be deleted, which harms nobody.
    }
    return empty;
  }

  private void checkMounted() throws IOException {
    if (!Files.isDirectory(root) && !Files.isDirectory(parent(root))) {
      throw new NotDirectoryException(parent(root) + " is no folder; is it mounted?");
    }
  }

  private Path path(String key) {
    return root.resolve(ObjectKeys.check(key));
  }

  private static Path parent(Path path) {
    Path parent = path.getParent();
    return parent == null ? path : parent;
  }

  private BucketException failed(String key, IOException e) {
    return failed(key, e, Kind.UNREACHABLE);
  }

  /**
   * Makes an exception of a failure.
   *
   * @param usual what it is if the failure itself does not say so
   */
  private BucketException failed(String key, IOException e, Kind usual) {
    requests.failed();
    Kind kind =
        switch (e) {
          case NoSuchFileException _ -> Kind.MISSING;
          case AccessDeniedException _ -> Kind.DENIED;
          default -> usual;
        };
    return new BucketException(
        kind,
        kind == Kind.MISSING
            ? root.resolve(key) + ": no such object"
            : root.resolve(key) + ": " + (e.getMessage() == null ? e : e.getMessage()),
        e);
  }

  @Override
  public String url() {
    String path = root.toAbsolutePath().normalize().toUri().getRawPath();
    return "file://" + (path.endsWith("/") ? path.substring(0, path.length() - 1) : path);
  }

  @Override
  public BucketRequests requests() {
    return requests;
  }

  @Override
  public void close() {
    // Nothing is kept open.
  }

  @Override
  public String toString() {
    return root.toString();
  }
}
