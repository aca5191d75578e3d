package io.cordwood.agent.follow;

import io.cordwood.common.wire.Labels;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Keeps up with what is on the disk: files that are new, were renamed, truncated, replaced or
 * deleted. A file is known by its device and inode as long as it begins as it did; a content by its
 * first KiB and by what was read last, wherever it is copied to. Owned by the follower's thread.
 */
final class FileFinder {
  /** For who still writes to a file that has lost its name. */
  private static final long LAST_WORDS_NANOS = TimeUnit.SECONDS.toNanos(5);

  /** First searches that wait for a folder which changes without pause, and pass over new files. */
  private static final int MOST_RESUMES = 5;

  private final FollowOptions options;
  private final Checkpoint checkpoint;
  private final FollowLog log;
  private final FollowCounters counters;
  private final PatternSearch search;
  private final FollowedFiles files;
  private final FileOrigins origins;
  private final UnpackedFiles unpacked;

  private final Supplier<FolderListings> lists;

  private int resumes;
  private boolean hasSearched;

  FileFinder(FollowOptions options, Checkpoint checkpoint, FollowLog log, BatchParts parts) {
    this(options, checkpoint, log, parts, FolderListings::new);
  }

  /**
   * @param lists gives what lists folders anew
   */
  FileFinder(
      FollowOptions options,
      Checkpoint checkpoint,
      FollowLog log,
      BatchParts parts,
      Supplier<FolderListings> lists) {
    this.lists = lists;
    this.options = options;
    this.checkpoint = checkpoint;
    this.log = log;
    this.counters = parts.counters();
    this.search = new PatternSearch(options, checkpoint::isOwn, log, counters);
    this.files = new FollowedFiles(options, checkpoint, log, parts);
    this.origins = new FileOrigins(options, log, counters);
    this.unpacked = new UnpackedFiles(options.checkpoint(), log, counters);
    unpacked.keep(checkpoint.states());
    for (FileState state : checkpoint.states()) {
      if (search.matches(state.path)) {
        relabel(state);
        files.addAway(state).exclude(origins.isExcluded(state));
      }
    }
  }

  /** Gives what is read from now on the labels of today. */
  private void relabel(FileState state) {
    Labels now = origins.labels(state.path, state.home.path());
    if (!now.equals(state.labels)) {
      state.labels = now;
      checkpoint.describe(state, false);
    }
  }

  /** More is known of pods than before: of some that are followed, too. */
  private void relabelIfKnown() {
    if (origins.haveChanged()) {
      for (FollowedFile file : files.all()) {
        relabel(file.state);
        file.exclude(origins.isExcluded(file.state));
      }
    }
  }

  Collection<FollowedFile> followed() {
    return files.all();
  }

  /** Whether it is read on; what is replaced, gone or forgotten is not. */
  boolean isFollowed(FollowedFile file) {
    return files.has(file);
  }

  /** Whether all that the checkpoint knows and all patterns have been looked for once. */
  boolean hasSearched() {
    return hasSearched;
  }

  /** How many objects are kept for files, those that were included. */
  int held() {
    return files.held();
  }

  /** Looks at the disk once. */
  void search() {
    relabelIfKnown();
    Map<FileStat.Key, FolderListings.Entry> found = search.find();
    FolderListings listings = lists.get(); // made later, so that what was found is in it
    List<FolderListings.Entry> oldestFirst = new ArrayList<>(found.values());
    oldestFirst.sort(Comparator.comparingLong(entry -> entry.stat().modifiedMillis()));
    for (FolderListings.Entry entry : oldestFirst) {
      FollowedFile file = files.get(entry.stat().key());
      if (file != null) {
        see(file, entry, listings);
      }
    }
    boolean isChanging = false;
    for (FollowedFile file : files.away()) {
      isChanging |= !isFoundOrOver(file, listings);
    }
    if (!hasSearched && isChanging && ++resumes < MOST_RESUMES) {
      return; // a file that is new to the patterns may be one of these
    }
    for (FolderListings.Entry entry : oldestFirst) {
      if (files.isFree(entry.stat().key())) {
        boolean _ = admit(entry, null);
      }
    }
    for (FollowedFile file : List.copyOf(files.all())) {
      if (!found.containsKey(file.state.key) && !file.isAway()) {
        missing(file, listings);
      }
    }
    Rotation.link(files.all());
    files.sweep(found.keySet());
    hasSearched = true;
  }

  /** Counts what cannot be read, and says it once. */
  void failed(Path path, IOException e) {
    search.failed(path, e);
  }

  /** Counts a followed file that cannot be read, and says it once. */
  void failed(FollowedFile file, IOException e) {
    file.failed();
    failed(file.place(), e);
  }

  /** A bound on open files; returns how many stay open. */
  int closeIdle(int mostOpen) {
    return files.closeIdle(mostOpen);
  }

  /** Counts a file that turns out to hold no lines, and says it once. */
  void tellIfPacked(FollowedFile file) {
    if (file.isPacked()) {
      search.packed(file.place());
    }
  }

  /** More is known of a file's beginning. */
  void learned(FollowedFile file) {
    files.learned(file);
  }

  /**
   * Looks for a file that has no name, under whatever name it has by now. False if a folder changes
   * without pause, so that the next search may find it.
   */
  private boolean isFoundOrOver(FollowedFile file, FolderListings listings) {
    FolderListings.Entry entry = listings.find(file.state);
    if (entry != null && FolderListings.isStill(file.state, entry)) {
      boolean _ = files.found(file, entry, true); // until it is found to have lost its name
      return true;
    }
    FolderListings.Entry copy = listings.findCopy(file.state, files::isFree);
    if (copy != null) {
      files.moved(file, copy, true);
      return true;
    }
    if (listings.isCertain(file.state) && !isUnpacked(file, listings)) {
      files.end(file, FollowedFiles.End.GONE);
    }
    return !listings.isChanging(file.state);
  }

  /** A followed file, or another one with its number, has this name and size now. */
  private void see(FollowedFile file, FolderListings.Entry entry, FolderListings listings) {
    try {
      if (file.isAway() && !FolderListings.isStill(file.state, entry)) {
        if (!hasSearched && listings.isChanging(file.state)) {
          return; // its copy may be one of those that the list has passed over
        }
        throw new FollowedFile.ReplacedException(entry.path());
      }
      boolean written = files.found(file, entry, entry.path().equals(file.state.path));
      if (entry.stat().size() < file.state.position()
          || (written && entry.stat().size() == file.state.position() && !file.isSame())) {
        throw new FollowedFile.ReplacedException(entry.path());
      }
    } catch (FollowedFile.ReplacedException e) {
      if (entry.isStillThere()) { // else it has a new name, which the next search finds
        replaced(file, entry, listings);
      }
    } catch (IOException e) {
      failed(entry.path(), e);
    }
  }

  /** Other bytes stand where those of a file were, unless that is known already. */
  void replaced(FollowedFile file) {
    if (!files.has(file)) {
      return;
    }
    try {
      FolderListings.Entry entry =
          new FolderListings.Entry(file.place(), FileStat.of(file.place()));
      if (entry.stat().key().equals(file.state.key)) {
        replaced(file, entry, lists.get());
        return;
      }
    } catch (IOException e) {
      // It has no name, or another one.
    }
    file.lost(); // the next search finds out what became of it
  }

  /** The rest of what was read is looked for in a copy; what is there now is another content. */
  private void replaced(FollowedFile file, FolderListings.Entry entry, FolderListings listings) {
    FileState state = file.state;
    boolean isNamed = entry.path().equals(state.path) || !search.matches(entry.path());
    FolderListings.Entry copy = listings.findCopy(state, files::isFree);
    if (isNamed) {
      counters.truncations.increment();
    }
    if (copy != null) {
      log.say(state.path + " was truncated; its rest is read from " + copy.path());
      files.moved(file, copy, false);
      admitRotated(file, copy, listings);
    } else if (!isUnpacked(file, listings)) {
      files.end(file, isNamed ? FollowedFiles.End.REPLACED : FollowedFiles.End.GONE);
    }
    try {
      if (files.isFree(entry.stat().key())) { // else names have only changed places
        boolean _ = begin(entry, isNamed ? state : null, 0);
      }
    } catch (IOException e) {
      failed(entry.path(), e);
    }
  }

  /**
   * Also follows files that were rotated after a followed file, before anything has seen them: with
   * a pattern of one name, nothing else would find them.
   */
  private void admitRotated(
      FollowedFile file, FolderListings.Entry known, FolderListings listings) {
    Predicate<FileStat.Key> isFree = key -> files.isFree(key) && !search.isOutput(key);
    FolderListings latest = listings;
    for (int i = 0; i < FolderListings.MOST_LOOKS; i++) {
      boolean moved = false;
      for (FolderListings.Entry entry : latest.rotatedSince(known, file.state, isFree)) {
        moved |= !admit(entry, file.state);
      }
      if (!moved) {
        return;
      }
      latest = lists.get();
    }
  }

  /**
   * Begins with a file that was not followed, or leaves it alone, being a copy.
   *
   * @param original which had its name before, null if it is not known under another one
   * @return false if it has another name by now
   */
  private boolean admit(FolderListings.Entry entry, @Nullable FileState original) {
    try {
      long from = files.copies.begin(entry, files::has);
      boolean isOld =
          options.reading().fromEnd() && !hasSearched && checkpoint.isNew() && original == null;
      return from == KnownCopies.NOWHERE
          || begin(entry, original, isOld ? entry.stat().size() : from);
    } catch (IOException e) {
      boolean isThere = entry.isStillThere();
      if (isThere) {
        failed(entry.path(), e);
      }
      return isThere;
    }
  }

  /** False if it has another name by now, so that nothing of it is read. */
  private boolean begin(FolderListings.Entry entry, @Nullable FileState original, long from)
      throws IOException {
    Path name = original == null ? entry.path() : original.path;
    boolean isNamed = entry.path().equals(name);
    FileLocation home = original == null || isNamed ? FileLocation.of(name) : original.home.again();
    home = unpacked.has(entry.path()) ? FileLocation.of(entry.path()) : home;
    FileState.Cut cut = origins.cut(name, home.path());
    if (cut == null) {
      return true;
    }
    try (FileChannel channel = FileChannel.open(entry.path(), StandardOpenOption.READ)) {
      if (!entry.isStillThere()) {
        return false;
      }
      Content.Head head = Content.Head.of(channel, channel.size());
      FileState state = checkpoint.add(entry.stat().key(), name, head, cut);
      state.home = home;
      state.labels = origins.labels(name, home.path());
      if (from > 0) {
        state.standAt(from, Content.tail(channel, from), state.next());
      }
      checkpoint.describe(state, true);
      FollowedFile file = files.add(state, entry, isNamed);
      file.exclude(origins.isExcluded(state));
      return true;
    }
  }

  private void endIfUnpacked(FollowedFile file) {
    if (unpacked.has(file.place())) {
      file.end();
      unpacked.deleteIfOver(file);
    }
  }

  /** Goes on with what a kubelet has compressed meanwhile, and with what it rotated since. */
  private boolean isUnpacked(FollowedFile file, FolderListings listings) {
    FileState state = file.state;
    if (unpacked.has(state.home.path())) {
      return false; // all of it has arrived
    }
    Collection<FolderListings.Entry> beside = listings.beside(state);
    FolderListings.Entry entry = unpacked.find(state, beside);
    if (entry == null) {
      return false;
    }
    files.moved(file, entry, false); // first, as its number may be that of a later one
    for (FolderListings.Entry later : unpacked.later(entry, state, beside)) {
      boolean _ = admit(later, state);
    }
    admitRotated(file, entry, listings);
    state.home = FileLocation.of(entry.path());
    checkpoint.describe(state, false);
    file.end();
    return true;
  }

  /** No pattern has found it: it was renamed, or deleted, or its folder is not there. */
  private void missing(FollowedFile file, FolderListings listings) {
    boolean wasLive = file.isLive();
    endIfUnpacked(file);
    FolderListings.Entry entry = listings.find(file.state);
    if (entry != null) {
      see(file, entry, listings);
      if (wasLive) {
        counters.rotations.increment();
        admitRotated(file, entry, listings);
      }
      return;
    }
    if (listings.isChanging(file.state)) {
      return; // the next search finds out what became of it
    }
    file.lost();
    boolean isQuiet = file.quietNanos(System.nanoTime()) > LAST_WORDS_NANOS;
    if (file.isOpen() && isQuiet) {
      file.end();
    }
    if (file.isOpen() && !(isQuiet && file.isRead())) {
      return;
    }
    if (isUnpacked(file, listings)) {
      return;
    }
    if (listings.isCertain(file.state)) {
      files.end(file, FollowedFiles.End.GONE);
    } else {
      files.left(file);
    }
  }
}
