package io.cordwood.agent.follow;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/**
 * Files that a kubelet has rotated and compressed before they were read: they are unpacked beside
 * the checkpoint, followed there as what became of the file, and deleted once all of them has
 * arrived. Owned by the follower's thread.
 */
final class UnpackedFiles {
  private static final String ENDING = ".gz";

  /** Logs of containers are not for everybody. */
  private static final Set<PosixFilePermission> OWNER_ONLY =
      PosixFilePermissions.fromString("rwx------");

  /** As a kubelet names what it has rotated and compressed: {@code 0.log.20261127-100000.gz}. */
  private static final Pattern NAME = Pattern.compile("(.+)\\.(\\d{8}-\\d{6})\\.gz");

  private static final DateTimeFormatter STAMP = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss");

  /** More than any zone: what is unpacked is older than what need not be. */
  private static final Duration OLDER = Duration.ofDays(2);

  /** For all that are unpacked at a time; a kubelet rotates at 10 MiB, unless it is told else. */
  private static final long MOST_BYTES = 1L << 30;

  private final Path folder;
  private final FollowLog log;
  private final FollowCounters counters;

  UnpackedFiles(Path checkpoint, FollowLog log, FollowCounters counters) {
    Path name = checkpoint.toAbsolutePath();
    this.folder = name.resolveSibling(name.getFileName() + ".unpacked");
    this.log = log;
    this.counters = counters;
  }

  /** Whether a file is one that was unpacked here. */
  boolean has(Path path) {
    return path.startsWith(folder);
  }

  /** Deletes what nobody knows, as after a crash. */
  void keep(Collection<FileState> states) {
    Set<FileStat.Key> known = states.stream().map(state -> state.key).collect(Collectors.toSet());
    try (DirectoryStream<Path> paths = Files.newDirectoryStream(folder)) {
      for (Path path : paths) {
        if (!known.contains(FileStat.of(path).key())) {
          Files.delete(path);
        }
      }
    } catch (NoSuchFileException e) {
      // Nothing was ever unpacked.
    } catch (IOException e) {
      failed(folder, e);
    }
  }

  /** Deletes a file of which all has arrived; the next search finds it gone. */
  void deleteIfOver(FollowedFile file) {
    if (has(file.place()) && file.isRead() && file.state.planned().isEmpty()) {
      try {
        Files.deleteIfExists(file.place());
      } catch (IOException e) {
        failed(file.place(), e);
      }
    }
  }

  /** The compressed file that holds what was read of a file, unpacked; null if there is none. */
  FolderListings.@Nullable Entry find(FileState state, Collection<FolderListings.Entry> entries) {
    if (state.head.bytes() == 0) {
      return null;
    }
    for (FolderListings.Entry entry : packed(state, entries, "")) {
      if (beginsAs(entry.path(), state.head)) {
        Path unpacked = unpack(entry.path());
        if (unpacked != null) {
          return entry(unpacked, state);
        }
      }
    }
    return null;
  }

  /** Whether it was read up to its position; else what was unpacked goes. */
  private FolderListings.@Nullable Entry entry(Path unpacked, FileState state) {
    try (FileChannel channel = FileChannel.open(unpacked, StandardOpenOption.READ)) {
      if (state.isAsItWasRead(channel) || state.isAsItArrived(channel)) {
        return new FolderListings.Entry(unpacked, FileStat.of(unpacked));
      }
      Files.delete(unpacked);
    } catch (IOException e) {
      failed(unpacked, e);
    }
    return null;
  }

  /** Those that were rotated after one that was unpacked, unpacked as well, oldest first. */
  List<FolderListings.Entry> later(
      FolderListings.Entry unpacked, FileState state, Collection<FolderListings.Entry> entries) {
    String name = unpacked.path().getFileName() + ENDING;
    String stamp = stamp(name.substring(name.indexOf('-') + 1));
    return packed(state, entries, stamp).stream()
        .<FolderListings.Entry>mapMulti((entry, to) -> {
          Path path = unpack(entry.path());
          if (path != null) {
            try {
              to.accept(new FolderListings.Entry(path, FileStat.of(path)));
            } catch (IOException e) {
              failed(path, e);
            }
          }
        })
        .toList();
  }

  private static String stamp(String name) {
    Matcher matcher = NAME.matcher(name);
    return matcher.matches() ? matcher.group(2) : "";
  }

  /** Compressed files of a file's name that are later than a time, oldest first. */
  private static List<FolderListings.Entry> packed(
      FileState state, Collection<FolderListings.Entry> entries, String after) {
    String original = state.home.path().getFileName() + ".";
    return entries.stream()
        .filter(entry -> entry.stat().isRegular())
        .filter(entry -> {
          String name = entry.path().getFileName().toString();
          return name.startsWith(original)
              && name.length() == original.length() + "yyyyMMdd-HHmmss.gz".length()
              && stamp(name).compareTo(after) > 0;
        })
        .sorted(Comparator.comparing(entry -> entry.path().getFileName().toString()))
        .toList();
  }

  private static boolean beginsAs(Path packed, Content.Head head) {
    try (InputStream in = new GZIPInputStream(Files.newInputStream(packed))) {
      byte[] begin = in.readNBytes(head.bytes());
      return begin.length == head.bytes() && Content.checksum(begin, 0, begin.length) == head.crc();
    } catch (IOException e) {
      return false; // it is being written, or is no such file
    }
  }

  /** Null if it cannot be, which is said and counted. */
  private @Nullable Path unpack(Path packed) {
    String name = packed.getFileName().toString();
    Path to = null;
    try {
      String key = Long.toString(FileStat.of(packed).key().inode());
      String plain = name.substring(0, name.length() - ENDING.length());
      Files.createDirectories(folder, PosixFilePermissions.asFileAttribute(OWNER_ONLY));
      to = folder.resolve(key + "-" + plain);
      write(packed, to, MOST_BYTES - used());
      LocalDateTime time = LocalDateTime.parse(stamp(name), STAMP).minus(OLDER);
      Files.setLastModifiedTime(to, FileTime.from(time.toInstant(ZoneOffset.UTC)));
      counters.filesUnpacked.increment();
      return to;
    } catch (IOException | DateTimeParseException e) {
      failed(packed, e);
      delete(to);
      return null;
    }
  }

  private static void write(Path packed, Path to, long most) throws IOException {
    try (InputStream in = new GZIPInputStream(Files.newInputStream(packed));
        OutputStream out = Files.newOutputStream(to)) {
      byte[] buffer = new byte[1 << 16];
      long written = 0;
      for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
        written += count;
        if (written > most) {
          throw new IOException("expected at most " + most + " bytes, found more");
        }
        out.write(buffer, 0, count);
      }
    }
  }

  private long used() throws IOException {
    long used = 0;
    try (DirectoryStream<Path> paths = Files.newDirectoryStream(folder)) {
      for (Path path : paths) {
        used += Files.size(path);
      }
    }
    return used;
  }

  private static void delete(@Nullable Path path) {
    if (path != null) {
      try {
        Files.deleteIfExists(path);
      } catch (IOException e) {
        // The next start tries again.
      }
    }
  }

  private void failed(Path path, Exception e) {
    if (log.sayOnce(path + ": cannot be unpacked: " + e.getMessage())) {
      counters.errors.increment();
    }
  }
}
