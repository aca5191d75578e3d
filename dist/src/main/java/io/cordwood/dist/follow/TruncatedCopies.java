package io.cordwood.dist.follow;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Files that a pattern finds and that are copies of a followed one, which {@code copytruncate}
 * makes before it truncates. They are not read as long as the other one is there; once that was
 * truncated, its rest is read from its copy. Owned by the follower's thread.
 */
final class TruncatedCopies {
  /** Whoever copies writes all the time. */
  private static final long COPYING_MILLIS = TimeUnit.SECONDS.toMillis(5);

  private final FollowLog log;
  private final Map<Content.Head, FollowedFile> originals = new HashMap<>();
  private final Map<FileStat.Key, FollowedFile> suspects = new HashMap<>();
  private final Map<FileStat.Key, Long> positions = new HashMap<>();

  TruncatedCopies(FollowLog log) {
    this.log = log;
  }

  /** From now on, what begins like this file may be a copy of it. */
  void know(FollowedFile file) {
    if (file.state.head.isWhole()) {
      originals.put(file.state.head, file);
    }
  }

  /** The file is followed. */
  void forget(FileStat.Key key) {
    suspects.remove(key);
    positions.remove(key);
  }

  /** How far a copy was read under another name; -1 when it is none. */
  long position(FileStat.Key key) {
    return positions.getOrDefault(key, -1L);
  }

  /** Whether a file that is not followed is to be left alone for now. */
  boolean isCopy(FolderListings.Entry entry, Predicate<FollowedFile> isFollowed)
      throws IOException {
    FileStat stat = entry.stat();
    if (stat.size() < Content.HEAD_BYTES || originals.isEmpty()) {
      return false;
    }
    try (FileChannel channel = FileChannel.open(entry.path(), StandardOpenOption.READ)) {
      FollowedFile original = original(entry, channel);
      if (original == null) {
        return false;
      }
      boolean isSame = isSame(channel, stat, original);
      boolean isThere = isFollowed.test(original);
      if (isSame && isThere) {
        suspects.put(stat.key(), original);
        log.sayOnce(entry.path() + " is a copy of " + original.place() + ": it is not read");
        return true;
      }
      if (isSame && stat.size() >= original.state.position()) {
        positions.put(stat.key(), original.state.position());
      }
      suspects.remove(stat.key());
      return false;
    }
  }

  private @Nullable FollowedFile original(FolderListings.Entry entry, FileChannel channel)
      throws IOException {
    FollowedFile known = suspects.get(entry.stat().key());
    FollowedFile original =
        known != null ? known : originals.get(Content.Head.of(channel, entry.stat().size()));
    boolean mayBe = original != null && FolderListings.isDerived(entry.path(), original.state.path);
    return mayBe ? original : null;
  }

  private static boolean isSame(FileChannel copy, FileStat stat, FollowedFile original)
      throws IOException {
    FileState state = original.state;
    if (stat.size() >= state.position()) {
      return state.isAsItWasRead(copy);
    }
    boolean isCopying = System.currentTimeMillis() - stat.modifiedMillis() < COPYING_MILLIS;
    return isCopying
        || Content.tail(original.open(), stat.size()) == Content.tail(copy, stat.size());
  }
}
