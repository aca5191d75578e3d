package io.cordwood.common.cold;

import io.cordwood.common.bucket.BucketException;
import io.cordwood.common.cold.ColdFetcher.Permission;
import io.cordwood.common.file.ByteSource;
import io.cordwood.common.file.Filesystem;
import io.cordwood.common.file.ReadableFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tails of objects, kept on disk within a number of bytes: those used lately. A disk that does not
 * take one costs a request for each use. For all threads.
 */
final class ColdTails {
  private static final Logger LOG = LoggerFactory.getLogger(ColdTails.class);
  private static final String ENDING = ".tail";

  private final ColdFetcher fetcher;
  private final KeyLocks<ColdName> fetching = new KeyLocks<>();
  private final Path folder;
  private final long mostBytes;
  private final AtomicLong drafts = new AtomicLong();
  private final Map<String, Long> kept = new LinkedHashMap<>(16, 0.75f, true);
  private long bytes;

  /**
   * @param folder of this process alone; what is in it is used again
   */
  ColdTails(ColdFetcher fetcher, Path folder, long mostBytes) throws IOException {
    this.fetcher = fetcher;
    this.folder = folder;
    this.mostBytes = mostBytes;
    Filesystem disk = Filesystem.real();
    disk.createFolders(folder);
    for (Path path : disk.list(folder)) {
      String name = String.valueOf(path.getFileName());
      OptionalLong size = disk.size(path);
      if (name.endsWith(ENDING) && size.isPresent()) {
        note(name, size.getAsLong());
      } else if (size.isPresent()) {
        disk.delete(path); // A draft that a process left.
      }
    }
  }

  private static String nameOf(ColdName name) {
    return name.hash() + ENDING;
  }

  /** Whether it is on the disk, so that no request is needed. */
  boolean has(ColdObject object) {
    synchronized (kept) {
      Long size = kept.get(nameOf(object.name()));
      return size != null && size == object.name().tailBytes();
    }
  }

  /**
   * A tail, read when it is needed; not checked. Of several that want it at once, one gets it from
   * the bucket; if that fails, the next one tries.
   *
   * @param permission to get it
   * @throws BucketException if it is not here and cannot be read
   */
  ByteSource of(ColdObject object, Permission permission) throws IOException {
    if (has(object)) {
      return new Kept(object);
    }
    try (var _ = fetching.lock(object.name())) {
      return has(object) ? new Kept(object) : fetch(object, permission);
    }
  }

  /** Drops one that is damaged, or whose object is gone. */
  void drop(ColdName object) {
    String name = nameOf(object);
    synchronized (kept) {
      Long size = kept.remove(name);
      if (size != null) {
        bytes -= size;
        delete(name);
      }
    }
  }

  long bytes() {
    synchronized (kept) {
      return bytes;
    }
  }

  private ByteSource fetch(ColdObject object, Permission permission) throws IOException {
    ByteBuffer tail = fetcher.tail(object, permission);
    return keep(object.name(), tail) ? new Kept(object) : ByteSource.of(tail);
  }

  private boolean keep(ColdName name, ByteBuffer tail) {
    String file = nameOf(name);
    Path draft = folder.resolve("%s.%d.new".formatted(file, drafts.incrementAndGet()));
    try {
      byte[] copy = new byte[tail.remaining()];
      tail.get(tail.position(), copy);
      Files.write(draft, copy);
      Filesystem.real().rename(draft, folder.resolve(file));
      note(file, copy.length);
      return true;
    } catch (IOException e) {
      LOG.warn("{}: not kept: {}", draft, e.toString());
      delete(String.valueOf(draft.getFileName()));
      return false;
    }
  }

  private void note(String name, long size) {
    synchronized (kept) {
      Long before = kept.put(name, size);
      bytes += size - (before == null ? 0 : before);
      List<String> eldest = new ArrayList<>();
      long left = bytes;
      for (Map.Entry<String, Long> it : kept.entrySet()) {
        if (left <= mostBytes || it.getKey().equals(name)) {
          break;
        }
        eldest.add(it.getKey());
        left -= it.getValue();
      }
      for (String it : eldest) {
        kept.remove(it);
        delete(it);
      }
      bytes = left;
    }
  }

  private void delete(String name) {
    try {
      Filesystem.real().delete(folder.resolve(name));
    } catch (IOException e) {
      LOG.warn("{}: cannot be deleted: {}", folder.resolve(name), e.toString());
    }
  }

  /** A file that is open only while it is read, and is fetched again if it had to go. */
  private final class Kept implements ByteSource {
    private final ColdObject object;

    Kept(ColdObject object) {
      this.object = object;
    }

    @Override
    public long size() {
      return object.name().tailBytes();
    }

    @Override
    public void read(ByteBuffer target, long position) throws IOException {
      int start = target.position();
      try {
        readFile(target, position);
      } catch (NoSuchFileException e) {
        try (var _ = fetching.lock(object.name())) {
          again(target.position(start), position);
        }
      }
    }

    private void readFile(ByteBuffer target, long position) throws IOException {
      try (ReadableFile file = Filesystem.real().open(folder.resolve(nameOf(object.name())))) {
        file.read(target, position);
      }
    }

    private void again(ByteBuffer target, long position) throws IOException {
      int start = target.position();
      try {
        readFile(target, position); // Somebody else has got it meanwhile.
      } catch (NoSuchFileException e) {
        drop(object.name());
        ByteBuffer tail = fetcher.tail(object, Permission.FREE);
        keep(object.name(), tail);
        ByteSource.of(tail).read(target.position(start), position);
      }
    }
  }
}
