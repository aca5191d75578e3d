package io.cordwood.dist.follow;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The files in folders at one moment; for files that have changed their names. A folder is read
 * once, and again if a file that it is asked for has got another name since.
 */
final class FolderListings {
  private static final Pattern STEM = Pattern.compile("(.+)(\\.[^.]+)");

  /** A folder's time is that of its last change, as coarse as the kernel's clock. */
  private static final long SETTLED_MILLIS = 20;

  private static final int MOST_LISTINGS = 40;

  /** How often a folder is listed anew since names in it have changed meanwhile. */
  static final int MOST_LOOKS = 10;

  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

  private final Map<Path, Listing> listed = new HashMap<>();

  record Entry(Path path, FileStat stat) {
    /** Whether the name is still that of this file; false if it is no file's any more. */
    boolean isStillThere() {
      try {
        return FileStat.of(path).key().equals(stat.key());
      } catch (IOException e) {
        return false;
      }
    }
  }

  private record Listing(Map<FileStat.Key, Entry> entries, boolean isCertain) {
    static final Listing NONE = new Listing(Map.of(), true);
  }

  /** A file by its number, in the folder that another one is or was in. */
  @Nullable Entry find(Path sibling, FileStat.Key key) {
    return lookUntilStill(sibling, () -> entries(sibling).get(key));
  }

  /** Looks again, in a new list, while what is found has got another name meanwhile. */
  private @Nullable Entry lookUntilStill(Path sibling, Supplier<@Nullable Entry> look) {
    for (int i = 0; i < MOST_LOOKS; i++) {
      Entry found = look.get();
      if (found == null || found.isStillThere()) {
        return found;
      }
      listed.remove(sibling.getParent());
    }
    // All others may well be where this list has them.
    listed.put(sibling.getParent(), new Listing(entries(sibling), false));
    return null;
  }

  /**
   * A file that begins with what a content begins with, and has the same before the position up to
   * which it was read: a copy that {@code copytruncate} has made, or the same file after its
   * device's number has changed.
   *
   * @param isFree whether a file is none that is followed already
   */
  @Nullable Entry findCopy(FileState state, Predicate<FileStat.Key> isFree) {
    return state.head.bytes() == 0
        ? null
        : lookUntilStill(state.path, () -> copyIn(entries(state.path).values(), state, isFree));
  }

  /** One that turns out to have another name by now is taken for it, so that it is looked again. */
  private static @Nullable Entry copyIn(
      Collection<Entry> entries, FileState state, Predicate<FileStat.Key> isFree) {
    Entry found = null;
    for (Entry entry : entries) {
      boolean mayBe =
          entry.stat.isRegular()
              && entry.stat.size() >= state.arrived()
              && isFree.test(entry.stat.key())
              && (state.head.isWhole() || isDerived(entry.path, state.path));
      boolean isNewer = found == null || entry.stat.modifiedMillis() > found.stat.modifiedMillis();
      if (mayBe && isNewer && isCopy(entry.path, state)) {
        found = entry;
      } else if (mayBe && !entry.isStillThere()) {
        return entry;
      }
    }
    return found;
  }

  private static boolean isCopy(Path path, FileState state) {
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
      return state.isAsItWasRead(channel) || state.isAsItArrived(channel);
    } catch (IOException e) {
      return false; // it went away, or is none of ours
    }
  }

  /**
   * Files that rotation made of a name after it made another one, oldest first: those came and went
   * unseen.
   */
  List<Entry> rotatedSince(Entry known, Path original, Predicate<FileStat.Key> isFree) {
    String name = Pattern.quote(String.valueOf(original.getFileName()));
    Pattern rotated = Pattern.compile(name + "[-._]\\d[\\d._-]*");
    return entries(original).values().stream()
        .filter(entry -> entry.stat.isRegular() && isFree.test(entry.stat.key()))
        .filter(entry -> entry.stat.modifiedMillis() >= known.stat.modifiedMillis())
        .filter(entry -> rotated.matcher(String.valueOf(entry.path.getFileName())).matches())
        .sorted(Comparator.comparingLong(entry -> entry.stat.modifiedMillis()))
        .toList();
  }

  /** Whether a name is that of another file, or what rotation makes of it. */
  static boolean isDerived(Path path, Path original) {
    String name = path.getFileName().toString();
    String from = original.getFileName().toString();
    if (!java.util.Objects.equals(path.getParent(), original.getParent())) {
      return false;
    }
    if (name.startsWith(from)) {
      return true;
    }
    Matcher stem = STEM.matcher(from);
    return stem.matches()
        && name.matches(
            Pattern.quote(stem.group(1)) + "[-._]\\d[\\d._-]*" + Pattern.quote(stem.group(2)));
  }

  /**
   * Whether a file that was not found beside another one is not there. Names that change while a
   * folder is listed can be passed over, and a folder may be illegible.
   */
  boolean isCertain(Path sibling) {
    return listing(sibling).isCertain;
  }

  private Map<FileStat.Key, Entry> entries(Path sibling) {
    return listing(sibling).entries;
  }

  private Listing listing(Path sibling) {
    Path folder = sibling.getParent();
    return folder == null ? Listing.NONE : listed.computeIfAbsent(folder, FolderListings::list);
  }

  /** Lists until nothing changes meanwhile; what one listing has passed over, another finds. */
  private static Listing list(Path folder) {
    Map<FileStat.Key, Entry> entries = new HashMap<>();
    if (!Files.isDirectory(folder)) {
      return Listing.NONE;
    }
    try {
      for (int i = 0; i < MOST_LISTINGS; i++) {
        long began = System.currentTimeMillis();
        FileTime changed = Files.getLastModifiedTime(folder);
        add(folder, entries);
        boolean isSettled = Math.abs(began - changed.toMillis()) > SETTLED_MILLIS;
        if (isSettled && changed.equals(Files.getLastModifiedTime(folder))) {
          return new Listing(entries, true);
        }
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    } catch (IOException | DirectoryIteratorException e) {
      // The pattern's search says why.
    }
    return new Listing(entries, false);
  }

  private static void add(Path folder, Map<FileStat.Key, Entry> entries) throws IOException {
    try (DirectoryStream<Path> paths = Files.newDirectoryStream(folder)) {
      for (Path path : paths) {
        try {
          FileStat stat = FileStat.of(path);
          entries.put(stat.key(), new Entry(path, stat));
        } catch (IOException e) {
          // It went away between the two looks, or is a link to nothing.
        }
      }
    }
  }
}
