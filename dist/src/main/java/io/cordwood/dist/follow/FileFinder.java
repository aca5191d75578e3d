package io.cordwood.dist.follow;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Keeps up with what is on the disk: files that are new, were renamed, truncated, replaced or
 * deleted. A file is known by its device and inode as long as it begins as it did; a content by its
 * first KiB and by what was read last, wherever it is copied to. Owned by the follower's thread.
 */
final class FileFinder {
  /** For who still writes to a file that has lost its name. */
  private static final long LAST_WORDS_NANOS = TimeUnit.SECONDS.toNanos(5);

  /** Searches that look for a file of the checkpoint in a folder that changes without pause. */
  private static final int MOST_RESUMES = 10;

  private final FollowOptions options;
  private final Checkpoint checkpoint;
  private final FollowLog log;
  private final FollowCounters counters;
  private final FileBatches.Parts parts;
  private final PatternSearch search;
  private final TruncatedCopies copies;

  private final Map<FileStat.Key, FollowedFile> followed = new LinkedHashMap<>();
  private final List<FollowedFile> detached = new ArrayList<>();
  private final List<FileState> toResume = new ArrayList<>();
  private int resumes;
  private boolean hasSearched;

  FileFinder(FollowOptions options, Checkpoint checkpoint, FollowLog log, FileBatches.Parts parts) {
    this.options = options;
    this.checkpoint = checkpoint;
    this.log = log;
    this.parts = parts;
    this.counters = parts.counters();
    this.search = new PatternSearch(options, checkpoint::isOwn, log, counters);
    this.copies = new TruncatedCopies(log);
    for (FileState state : checkpoint.states()) {
      if (search.matches(state.path)) {
        toResume.add(state);
      }
    }
  }

  Collection<FollowedFile> followed() {
    return followed.values();
  }

  /** Whether all that the checkpoint knows and all patterns have been looked for once. */
  boolean hasSearched() {
    return hasSearched;
  }

  /** Looks at the disk once. */
  void search() {
    var listings = new FolderListings();
    if (!hasSearched) {
      resume(listings);
    }
    if (!toResume.isEmpty()) {
      return; // a file that is new to the patterns may be one of these
    }
    Map<FileStat.Key, FolderListings.Entry> found = search.find();
    List<FolderListings.Entry> oldestFirst = new ArrayList<>(found.values());
    oldestFirst.sort(Comparator.comparingLong(entry -> entry.stat().modifiedMillis()));
    for (FolderListings.Entry entry : oldestFirst) {
      see(entry, listings);
    }
    for (FollowedFile file : List.copyOf(followed.values())) {
      if (!found.containsKey(file.state.key)) {
        missing(file, listings);
      }
    }
    detached.removeIf(file -> {
      boolean over = file.state.planned().isEmpty();
      if (over) {
        checkpoint.remove(file.state);
      }
      return over;
    });
    counters.files = followed.size();
    hasSearched = true;
  }

  /** Counts what cannot be read, and says it once. */
  void failed(Path path, IOException e) {
    search.failed(path, e);
  }

  /**
   * Finds the files that the checkpoint knows, under whatever name they have now. One that is not
   * found in a folder that changes without pause is looked for again by the next searches, a few
   * times.
   */
  private void resume(FolderListings listings) {
    toResume.removeIf(state -> {
      FolderListings.Entry entry = listings.find(state.path, state.key);
      if (entry == null || !isAsItArrived(entry, state)) {
        return false;
      }
      follow(state, entry, true); // until it is found to have lost its name
      return true;
    });
    boolean isLast = ++resumes >= MOST_RESUMES;
    toResume.removeIf(state -> resumeCopy(state, listings, isLast));
  }

  /** False if it is to be looked for again. */
  private boolean resumeCopy(FileState state, FolderListings listings, boolean isLast) {
    FolderListings.Entry copy = listings.findCopy(state, key -> !followed.containsKey(key));
    if (copy != null) {
      state.key = copy.stat().key();
      checkpoint.describe(state, false);
      follow(state, copy, true);
    } else if (isLast || listings.isCertain(state.path)) {
      gone(state);
    } else {
      return false;
    }
    return true;
  }

  private static boolean isAsItArrived(FolderListings.Entry entry, FileState state) {
    try (FileChannel channel = FileChannel.open(entry.path(), StandardOpenOption.READ)) {
      return state.isAsItArrived(channel) || !entry.isStillThere(); // it was another file
    } catch (IOException e) {
      return true; // which is found out when it can be read
    }
  }

  private void gone(FileState state) {
    lostOnTheWay(state, state.planned());
    checkpoint.remove(state);
  }

  private void lostOnTheWay(FileState state, Collection<PlannedBatch> plans) {
    long records = plans.stream().mapToLong(PlannedBatch::records).sum();
    if (records > 0) {
      counters.bytesLost.add(plans.stream().mapToLong(PlannedBatch::length).sum());
      log.say(
          state.path
              + " is gone, and "
              + records
              + " of its records were on their way when the last run ended: they may be lost");
    }
  }

  private void follow(FileState state, FolderListings.Entry entry, boolean live) {
    var file = new FollowedFile(state, entry.path(), parts);
    file.isAt(entry.path(), entry.stat(), live);
    if (options.once()) {
      file.isFinal();
    }
    followed.put(state.key, file);
    copies.forget(state.key);
    copies.know(file);
  }

  /** A pattern has found it. */
  private void see(FolderListings.Entry entry, FolderListings listings) {
    FollowedFile file = followed.get(entry.stat().key());
    try {
      if (file == null) {
        admit(entry);
        return;
      }
      boolean written = file.isAt(entry.path(), entry.stat(), isLive(file, entry.path()));
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

  /** Whether it still has the name under which it was found first. */
  private static boolean isLive(FollowedFile file, Path path) {
    return path.equals(file.state.path);
  }

  /** Other bytes stand where those of a followed file were. */
  void replaced(FollowedFile file) {
    try {
      FolderListings.Entry entry =
          new FolderListings.Entry(file.place(), FileStat.of(file.place()));
      replaced(file, entry, new FolderListings());
    } catch (IOException e) {
      file.lost(); // the next search finds out what became of it
    }
  }

  private void replaced(
      @Nullable FollowedFile file, FolderListings.Entry entry, FolderListings listings) {
    if (file == null) {
      return;
    }
    counters.truncations.increment();
    followed.remove(file.state.key);
    closed(file);
    FolderListings.Entry copy =
        listings.findCopy(
            file.state, key -> !followed.containsKey(key) && !key.equals(entry.stat().key()));
    if (copy != null) {
      log.say(file.state.path + " was truncated; its rest is read from " + copy.path());
      file.state.key = copy.stat().key();
      checkpoint.describe(file.state, false);
      file.isAt(copy.path(), copy.stat(), false);
      followed.put(file.state.key, file);
      copies.forget(file.state.key);
      admitRotated(file, copy, listings);
    } else {
      long unread = file.unread();
      counters.bytesLost.add(unread);
      log.say(
          file.state.path
              + " was truncated or replaced"
              + (unread > 0 ? "; at least " + unread + " bytes of it were not read" : ""));
      detach(file);
    }
    try {
      if (!followed.containsKey(entry.stat().key())) { // else names have only changed places
        boolean _ = begin(entry, file.state.path, 0); // else the next search finds it
      }
    } catch (IOException e) {
      failed(entry.path(), e);
    }
  }

  private void admit(FolderListings.Entry entry) throws IOException {
    if (copies.isCopy(entry, this::isFollowed)) {
      return;
    }
    long from = copies.position(entry.stat().key());
    boolean atEnd = options.fromEnd() && !hasSearched && checkpoint.isNew();
    boolean _ = begin(entry, entry.path(), from >= 0 ? from : atEnd ? entry.stat().size() : 0);
  }

  /**
   * Also follows files that were rotated after a followed file, before anything has seen them: with
   * a pattern of one name, nothing else would find them.
   */
  private void admitRotated(
      FollowedFile file, FolderListings.Entry known, FolderListings listings) {
    Predicate<FileStat.Key> isFree = key -> !followed.containsKey(key) && !search.refuses(key);
    FolderListings latest = listings;
    for (int i = 0; i < FolderListings.MOST_LOOKS; i++) {
      boolean moved = false;
      for (FolderListings.Entry entry : latest.rotatedSince(known, file.state.path, isFree)) {
        moved |= !isAdmitted(entry, file.state.path);
      }
      if (!moved) {
        return;
      }
      latest = new FolderListings();
    }
  }

  /** False if it has another name by now. */
  private boolean isAdmitted(FolderListings.Entry entry, Path name) {
    try {
      return copies.isCopy(entry, this::isFollowed) || begin(entry, name, 0);
    } catch (IOException e) {
      boolean isThere = entry.isStillThere();
      if (isThere) {
        failed(entry.path(), e);
      }
      return isThere;
    }
  }

  /** False if it has another name by now, so that nothing of it is read. */
  private boolean begin(FolderListings.Entry entry, Path name, long from) throws IOException {
    String topic;
    try {
      topic = options.topics().of(name);
    } catch (IllegalArgumentException e) {
      search.refuse(entry.stat().key());
      counters.errors.increment();
      log.say(e.getMessage() + "; the file is not read");
      return true;
    }
    try (FileChannel channel = FileChannel.open(entry.path(), StandardOpenOption.READ)) {
      if (!entry.isStillThere()) {
        return false;
      }
      Content.Head head = Content.Head.of(channel, channel.size());
      var cut = new FileState.Cut(topic, options.multiline());
      FileState state = checkpoint.add(entry.stat().key(), name, head, cut);
      if (from > 0) {
        state.standAt(from, Content.tail(channel, from), state.next());
      }
      checkpoint.describe(state, true);
      follow(state, entry, entry.path().equals(name));
      return true;
    }
  }

  private boolean isFollowed(FollowedFile file) {
    return followed.get(file.state.key) == file;
  }

  /** More is known of a file's beginning. */
  void learned(FollowedFile file) {
    checkpoint.describe(file.state, false);
    copies.know(file);
  }

  /** No pattern has found it: it was renamed, or deleted. */
  private void missing(FollowedFile file, FolderListings listings) {
    boolean wasLive = file.isLive();
    FolderListings.Entry entry = listings.find(file.state.path, file.state.key);
    if (entry != null) {
      see(entry, listings);
      if (wasLive) {
        counters.rotations.increment();
        admitRotated(file, entry, listings);
      }
      return;
    }
    if (!listings.isCertain(file.state.path)) {
      return; // the next search finds out what became of it
    }
    file.lost();
    boolean isQuiet = file.quietNanos(System.nanoTime()) > LAST_WORDS_NANOS;
    if (file.isOpen() && isQuiet) {
      file.isFinal();
    }
    if (!file.isOpen() || (isQuiet && file.isRead())) {
      forget(file);
    }
  }

  private void forget(FollowedFile file) {
    if (file.unread() > 0) {
      counters.bytesLost.add(file.unread());
      log.say(file.state.path + " is gone; " + file.unread() + " bytes of it were not read");
    }
    followed.remove(file.state.key);
    closed(file);
    detach(file);
  }

  /** Gives a file up: what was sent of it will still arrive; the rest cannot any more. */
  private void detach(FollowedFile file) {
    file.detach();
    List<PlannedBatch> unsent = file.giveUpPlans();
    if (!unsent.isEmpty()) {
      lostOnTheWay(file.state, unsent);
      checkpoint.giveUpPlans(file.state, unsent.getFirst().from());
    }
    detached.add(file);
  }

  private void closed(FollowedFile file) {
    try {
      file.close();
    } catch (IOException e) {
      failed(file.place(), e);
    }
  }
}
