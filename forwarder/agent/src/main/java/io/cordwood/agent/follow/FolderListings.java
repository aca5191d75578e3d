package io.cordwood.agent.follow;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
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
  private final LongSupplier clockMillis;

  /**
   * @param clockMillis the clock that folders get their times from
   */
  FolderListings(LongSupplier clockMillis) {
    this.clockMillis = clockMillis;
  }

  FolderListings() {
    this(System::currentTimeMillis);
  }

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

  private record Listing(
      Map<FileStat.Key, Entry> entries, FileStat.@Nullable Key folder, boolean isCertain) {
    static final Listing NONE = new Listing(Map.of(), null, false);
  }

  /** A file by its number, in the folders where it can be by now. */
  @Nullable Entry find(FileState state) {
    return firstOf(state, sibling -> entries(sibling).get(state.key));
  }

  /** In the folder that it was in, in that of its name, and where that leads to now. */
  private @Nullable Entry firstOf(FileState state, Function<Path, @Nullable Entry> look) {
    Path home = state.home.path();
    Entry found = lookUntilStill(home, look);
    if (found == null && !isBeside(state.path, home)) {
      found = lookUntilStill(state.path, look);
    }
    if (found == null) {
      Path now = FileLocation.of(state.path).path();
      found = isBeside(now, home) || isBeside(now, state.path) ? null : lookUntilStill(now, look);
    }
    return found;
  }

  private static boolean isBeside(Path path, Path other) {
    return Objects.equals(path.getParent(), other.getParent());
  }

  /** Looks again, in a new list, while what is found has got another name meanwhile. */
  private @Nullable Entry lookUntilStill(Path sibling, Function<Path, @Nullable Entry> look) {
    for (int i = 0; i < MOST_LOOKS; i++) {
      Entry found = look.apply(sibling);
      if (found == null || found.isStillThere()) {
        return found;
      }
      listed.remove(sibling.getParent());
    }
    // All others may well be where this list has them.
    Listing listing = listing(sibling);
    listed.put(sibling.getParent(), new Listing(listing.entries, listing.folder, false));
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
        : firstOf(state, sibling -> copyIn(entries(sibling).values(), state, isFree));
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
              && (state.head.isWhole() || isDerived(entry.path, state));
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

  /** Whether a file that was away is the one that has its number now. */
  static boolean isStill(FileState state, Entry entry) {
    if (state.head.bytes() == 0) {
      return entry.path().equals(state.path) || isDerived(entry.path(), state);
    }
    try (FileChannel channel = FileChannel.open(entry.path(), StandardOpenOption.READ)) {
      return state.isAsItArrived(channel) || !entry.isStillThere(); // it was another file
    } catch (IOException e) {
      return true; // which is found out when it can be read
    }
  }

  /**
   * Files that rotation made of a name after it made another one, oldest first: those came and went
   * unseen.
   */
  List<Entry> rotatedSince(Entry known, FileState state, Predicate<FileStat.Key> isFree) {
    Path original = state.home.path();
    String name = Pattern.quote(String.valueOf(original.getFileName()));
    Pattern rotated = Pattern.compile(name + "[-._]\\d[\\d._-]*");
    return entries(original).values().stream()
        .filter(entry -> entry.stat.isRegular() && isFree.test(entry.stat.key()))
        .filter(entry -> entry.stat.modifiedMillis() >= known.stat.modifiedMillis())
        .filter(entry -> rotated.matcher(String.valueOf(entry.path.getFileName())).matches())
        .sorted(Comparator.comparingLong(entry -> entry.stat.modifiedMillis()))
        .toList();
  }

  /** Whether a path is that of a file, or what rotation makes of it. */
  static boolean isDerived(Path path, FileState state) {
    Path home = state.home.path();
    return (isDerivedName(path, state.path) && isBeside(path, state.path))
        || (isDerivedName(path, home)
            && (isBeside(path, home) || isBeside(FileLocation.of(path).path(), home)));
  }

  private static boolean isDerivedName(Path path, Path original) {
    String name = path.getFileName().toString();
    String from = original.getFileName().toString();
    if (name.startsWith(from)) {
      return true;
    }
    Matcher stem = STEM.matcher(from);
    return stem.matches()
        && name.matches(
            Pattern.quote(stem.group(1)) + "[-._]\\d[\\d._-]*" + Pattern.quote(stem.group(2)));
  }

  /**
   * Whether a file that was not found is not there any more. Names that change while a folder is
   * listed can be passed over, a folder may be illegible, and another one may have its name.
   */
  boolean isCertain(FileState state) {
    Listing listing = listing(state.home.path());
    FileStat.Key folder = state.home.folder();
    return listing.isCertain && (folder == null || folder.equals(listing.folder));
  }

  /** Whether names changed while a folder was listed, so that the next list may have more. */
  boolean isChanging(FileState state) {
    Listing listing = listing(state.home.path());
    return listing.folder != null && !listing.isCertain;
  }

  /** The files in the folder of a file's bytes. */
  Collection<Entry> beside(FileState state) {
    return List.copyOf(entries(state.home.path()).values());
  }

  private Map<FileStat.Key, Entry> entries(Path sibling) {
    return listing(sibling).entries;
  }

  private Listing listing(Path sibling) {
    Path folder = sibling.getParent();
    return folder == null ? Listing.NONE : listed.computeIfAbsent(folder, this::list);
  }

  /** Lists until nothing changes meanwhile; what one listing has passed over, another finds. */
  private Listing list(Path folder) {
    Map<FileStat.Key, Entry> entries = new HashMap<>();
    FileStat.Key key = null;
    try {
      for (int i = 0; i < MOST_LISTINGS && Files.isDirectory(folder); i++) {
        long began = clockMillis.getAsLong();
        FileStat before = FileStat.of(folder);
        key = before.key();
        add(folder, entries);
        boolean isSettled = Math.abs(began - before.modifiedMillis()) > SETTLED_MILLIS;
        if (isSettled && before.equals(FileStat.of(folder))) {
          return new Listing(entries, key, true);
        }
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    } catch (IOException | DirectoryIteratorException e) {
      // The pattern's search says why.
    }
    return new Listing(entries, key, false);
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
