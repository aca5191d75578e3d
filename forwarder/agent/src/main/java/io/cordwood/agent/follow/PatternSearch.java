package io.cordwood.agent.follow;

import io.cordwood.cli.program.Failures;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Looks which files the patterns find, and leaves out those that are not to be read: packed ones,
 * other kinds than files, and this process's own. Owned by the follower's thread.
 */
final class PatternSearch {
  private static final Set<String> PACKED =
      Set.of("gz", "zst", "bz2", "xz", "lz4", "zip", "Z", "swp");

  private final List<FilePattern> patterns;
  private final Predicate<Path> isOwn;
  private final FollowLog log;
  private final FollowCounters counters;
  private final Set<FileStat.Key> output = new HashSet<>();

  /**
   * @param isOwn whether a file is the follower's own
   */
  PatternSearch(
      FollowOptions options, Predicate<Path> isOwn, FollowLog log, FollowCounters counters) {
    this.patterns = options.patterns().stream().map(FilePattern::new).toList();
    this.isOwn = isOwn;
    this.log = log;
    this.counters = counters;
    for (String stream : new String[] {"1", "2"}) {
      refuseOwn(Path.of("/proc/self/fd", stream));
    }
  }

  /** Refuses this process's own output, which would be read, printed and read for ever. */
  private void refuseOwn(Path path) {
    try {
      FileStat stat = FileStat.of(path);
      if (stat.isRegular()) {
        output.add(stat.key());
      }
    } catch (IOException e) {
      // There is no /proc here, or the stream is closed.
    }
  }

  /** Whether any pattern has that name. */
  boolean matches(Path path) {
    return patterns.stream().anyMatch(pattern -> pattern.matches(path));
  }

  /** Whether a file is this process's own output. */
  boolean isOutput(FileStat.Key key) {
    return output.contains(key);
  }

  /** Finds what is there now, each file once, under the first name that it is found by. */
  Map<FileStat.Key, FolderListings.Entry> find() {
    Map<FileStat.Key, FolderListings.Entry> found = new LinkedHashMap<>();
    for (FilePattern pattern : patterns) {
      find(pattern, found);
    }
    return found;
  }

  private void find(FilePattern pattern, Map<FileStat.Key, FolderListings.Entry> found) {
    int before = found.size();
    boolean[] any = new boolean[1];
    pattern.find(
        path -> {
          any[0] |= look(path, pattern, found);
        },
        (folder, e) -> failed(folder, e));
    String nothing = pattern + ": nothing there yet; waiting for it";
    if (!any[0] && found.size() == before) {
      log.sayOnce(nothing);
    } else {
      log.over(nothing);
    }
  }

  private boolean look(
      Path path, FilePattern pattern, Map<FileStat.Key, FolderListings.Entry> found) {
    if (isOwn.test(path)) {
      return false;
    }
    try {
      FileStat stat = FileStat.of(path);
      if (!stat.isRegular()) {
        if (!pattern.isGlob()) {
          String kind = Files.isDirectory(path) ? "a folder; try '" + path + "/*'" : "another kind";
          log.sayOnce(path + ": expected a file, found " + kind);
        }
        return false;
      }
      if (isPacked(path)) {
        packed(path);
        return false;
      }
      if (output.contains(stat.key())) {
        return false;
      }
      found.putIfAbsent(stat.key(), new FolderListings.Entry(path, stat));
      return true;
    } catch (NoSuchFileException e) {
      return false; // it went away, or is a link to nothing, as those of pods that are gone
    } catch (IOException e) {
      if (Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
        failed(path, e);
      }
      return false;
    }
  }

  private static boolean isPacked(Path path) {
    String name = path.getFileName().toString();
    return PACKED.contains(name.substring(name.lastIndexOf('.') + 1));
  }

  /** Counts what is packed, and says it once. */
  void packed(Path path) {
    if (log.sayOnce(path + ": packed files are not read")) {
      counters.filesPacked.increment();
    }
  }

  /** Counts what cannot be read, and says it once. */
  void failed(Path path, IOException e) {
    if (log.sayOnce(path + ": " + reason(path, e) + "; trying on")) {
      counters.errors.increment();
    }
  }

  private static String reason(Path path, IOException e) {
    String reason = Failures.explain(e);
    String name = path + ": ";
    return reason.startsWith(name) ? reason.substring(name.length()) : reason;
  }
}
