package io.cordwood.agent.follow;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The files that are followed, each from when it is found to when the last of it is acknowledged.
 * One that is not found, of which nobody knows whether it still exists, stays for a day: its volume
 * may not be mounted. Owned by the follower's thread.
 */
final class FollowedFiles {
  static final long AWAY_MILLIS = TimeUnit.DAYS.toMillis(1);

  /** Beyond it, those are forgotten that are away for longest. */
  static final int MOST_AWAY = 50_000;

  /** An open file is looked at ten times a second; one that is not, once. */
  private static final long OPEN_NANOS = TimeUnit.SECONDS.toNanos(30);

  /** Why a file is not followed any more. */
  enum End {
    REPLACED("was truncated or replaced"),
    GONE("is gone"),
    FORGOTTEN("was not found for a day, or too many files were not");

    private final String words;

    End(String words) {
      this.words = words;
    }
  }

  private final Checkpoint checkpoint;
  private final FollowLog log;
  private final BatchParts parts;
  private final FollowCounters counters;
  private final boolean isOnce;
  private final Map<FileStat.Key, FollowedFile> followed = new LinkedHashMap<>();
  private final List<FileState> unacknowledged = new ArrayList<>();
  final KnownCopies copies;

  FollowedFiles(FollowOptions options, Checkpoint checkpoint, FollowLog log, BatchParts parts) {
    this.isOnce = options.once();
    this.checkpoint = checkpoint;
    this.log = log;
    this.parts = parts;
    this.counters = parts.counters();
    this.copies = new KnownCopies(log);
  }

  Collection<FollowedFile> all() {
    return followed.values();
  }

  List<FollowedFile> away() {
    return followed.values().stream().filter(FollowedFile::isAway).toList();
  }

  @Nullable FollowedFile get(FileStat.Key key) {
    return followed.get(key);
  }

  boolean isFree(FileStat.Key key) {
    return !followed.containsKey(key);
  }

  boolean has(FollowedFile file) {
    return followed.get(file.state.key) == file;
  }

  /** Follows what the checkpoint knows, wherever it is by now. */
  FollowedFile addAway(FileState state) {
    FollowedFile before = followed.get(state.key);
    if (before != null) {
      // Its file's number belongs to another content since, so it can only be found by its own.
      followed.remove(state.key);
      before.state.key = new FileStat.Key(-1, before.state.id);
      followed.put(before.state.key, before);
    }
    FollowedFile file = add(state, new FollowedFile(state, state.path, parts));
    file.lost();
    return file;
  }

  FollowedFile add(FileState state, FolderListings.Entry entry, boolean live) {
    FollowedFile file = add(state, new FollowedFile(state, entry.path(), parts));
    file.isAt(entry.path(), entry.stat(), live);
    return file;
  }

  private FollowedFile add(FileState state, FollowedFile file) {
    if (isOnce) {
      file.end();
    }
    followed.put(state.key, file);
    copies.know(file);
    return file;
  }

  /** It was found; whether it was written to since. */
  boolean found(FollowedFile file, FolderListings.Entry entry, boolean live) {
    FileState state = file.state;
    if (file.isAway()) {
      boolean isNamed = entry.path().equals(state.path);
      FileLocation home = isNamed ? FileLocation.of(state.path) : state.home.again();
      if (state.awayMillis != 0 || !home.equals(state.home)) {
        state.home = home;
        state.awayMillis = 0;
        checkpoint.describe(state, false);
      }
    }
    return file.isAt(entry.path(), entry.stat(), live);
  }

  /** Another file has what was read of it, and goes on with it. */
  void moved(FollowedFile file, FolderListings.Entry copy, boolean live) {
    followed.remove(file.state.key);
    closed(file);
    file.state.key = copy.stat().key();
    file.state.awayMillis = 0;
    file.state.home = file.state.home.again();
    checkpoint.describe(file.state, false);
    file.isAt(copy.path(), copy.stat(), live);
    followed.put(file.state.key, file);
    copies.know(file);
  }

  /** More is known of a file's beginning. */
  void learned(FollowedFile file) {
    checkpoint.describe(file.state, false);
    copies.know(file);
  }

  /**
   * The one end of each: what was sent of it will still arrive; the rest cannot any more, and is
   * counted.
   */
  void end(FollowedFile file, End why) {
    FileState state = file.state;
    long unread = file.unread();
    if (unread > 0 || why == End.REPLACED) {
      counters.bytesLost.add(unread);
      log.say(
          state.path
              + " "
              + why.words
              + (unread > 0 ? "; at least " + unread + " bytes of it were not read" : ""));
    }
    followed.remove(state.key);
    copies.forget(file);
    closed(file);
    file.detach();
    List<PlannedBatch> unsent = file.giveUpPlans();
    if (!unsent.isEmpty()) {
      lostOnTheWay(state, unsent);
      checkpoint.giveUpPlans(state, unsent.getFirst().from());
    }
    unacknowledged.add(state);
  }

  private void lostOnTheWay(FileState state, List<PlannedBatch> plans) {
    long records = plans.stream().mapToLong(PlannedBatch::records).sum();
    counters.bytesLost.add(plans.stream().mapToLong(PlannedBatch::length).sum());
    log.say(
        state.path
            + " is gone, and "
            + records
            + " of its records were on their way when the last run ended: they may be lost");
  }

  /** Closes it, as it will not be opened under the name that it has. */
  private void closed(FollowedFile file) {
    try {
      file.close();
    } catch (IOException e) {
      counters.errors.increment();
      log.sayOnce(file.place() + ": " + e.getMessage());
    }
  }

  /**
   * A bound on open files: those are closed that are read and were not written to for long. Returns
   * how many stay open.
   */
  int closeIdle(int mostOpen) {
    List<FollowedFile> open = new ArrayList<>(followed.values());
    open.removeIf(file -> !file.isOpen());
    long now = System.nanoTime();
    open.sort(Comparator.comparingLong(file -> -file.quietNanos(now)));
    int left = open.size();
    for (FollowedFile file : open) {
      boolean isIdle = file.isRead() && file.quietNanos(now) > OPEN_NANOS;
      if (file.hasName() && (isIdle || left > mostOpen)) {
        closed(file);
        left--;
      }
    }
    return left;
  }

  /** It has no name, and all of it is read; it may be found again. */
  void left(FollowedFile file) {
    closed(file);
  }

  /** Forgets what has ended and is acknowledged, and what was away for too long. */
  void sweep(Set<FileStat.Key> found) {
    expire(parts.clock().millis());
    unacknowledged.removeIf(state -> {
      boolean over = state.planned().isEmpty();
      if (over) {
        checkpoint.remove(state);
      }
      return over;
    });
    copies.keep(found);
    counters.filesAway = away().size();
    counters.files = followed.size() - counters.filesAway;
  }

  private void expire(long millis) {
    List<FollowedFile> oldestFirst = new ArrayList<>(away());
    for (FollowedFile file : oldestFirst) {
      if (file.state.awayMillis == 0) {
        file.state.awayMillis = millis;
        checkpoint.describe(file.state, false);
      }
    }
    oldestFirst.sort(Comparator.comparingLong(file -> file.state.awayMillis));
    int tooMany = oldestFirst.size() - MOST_AWAY;
    for (FollowedFile file : oldestFirst) {
      if (tooMany-- > 0 || millis - file.state.awayMillis > AWAY_MILLIS) {
        counters.filesForgotten.increment();
        end(file, End.FORGOTTEN);
      }
    }
  }

  /** How many objects it keeps, in all its lists. */
  int held() {
    return followed.size() + unacknowledged.size() + copies.held();
  }
}
