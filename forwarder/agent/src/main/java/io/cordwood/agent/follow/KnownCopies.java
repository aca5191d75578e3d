package io.cordwood.agent.follow;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Files that a pattern finds and that are copies of a followed one, which {@code copytruncate}
 * makes before it truncates. They are not read as long as the other one is there; once that was
 * truncated, its rest is read from its copy. Owned by the follower's thread.
 */
final class KnownCopies {
  /** Whoever copies writes all the time. */
  private static final long COPYING_MILLIS = TimeUnit.SECONDS.toMillis(5);

  /** The answer of {@link #begin} for a file that is to be left alone for now. */
  static final long NOWHERE = -1;

  private final FollowLog log;
  private final Map<Content.Head, FollowedFile> originals = new HashMap<>();
  private final Map<FileStat.Key, FollowedFile> suspects = new HashMap<>();

  KnownCopies(FollowLog log) {
    this.log = log;
  }

  /** From now on, what begins like this file may be a copy of it. */
  void know(FollowedFile file) {
    suspects.remove(file.state.key);
    if (file.state.head.isWhole()) {
      originals.put(file.state.head, file);
    }
  }

  /** The file is not followed any more; only a copy that was seen before is still one. */
  void forget(FollowedFile file) {
    originals.remove(file.state.head, file);
  }

  /** Forgets the copies that are not there any more. */
  void keep(Set<FileStat.Key> found) {
    suspects.keySet().retainAll(found);
  }

  /** How many files it knows. */
  int held() {
    return originals.size() + suspects.size();
  }

  /**
   * The position to begin at in a file that is not followed: {@link #NOWHERE} in a copy, and after
   * what was read of its original if that is not followed any more.
   */
  long begin(FolderListings.Entry entry, Predicate<FollowedFile> isFollowed) throws IOException {
    FileStat stat = entry.stat();
    if (stat.size() < Content.HEAD_BYTES || (originals.isEmpty() && suspects.isEmpty())) {
      return 0;
    }
    try (FileChannel channel = FileChannel.open(entry.path(), StandardOpenOption.READ)) {
      FollowedFile original = original(entry, channel);
      if (original == null) {
        return 0;
      }
      boolean isThere = isFollowed.test(original);
      boolean isSame = isSame(channel, stat, original, isThere);
      long position = original.state.position();
      if (isSame && (isThere || stat.size() < position)) {
        suspects.put(stat.key(), original);
        log.sayOnce(entry.path() + " is a copy of " + original.place() + ": it is not read");
        return NOWHERE;
      }
      suspects.remove(stat.key());
      return isSame ? position : 0;
    }
  }

  private @Nullable FollowedFile original(FolderListings.Entry entry, FileChannel channel)
      throws IOException {
    FollowedFile known = suspects.get(entry.stat().key());
    FollowedFile original =
        known != null ? known : originals.get(Content.Head.of(channel, entry.stat().size()));
    boolean mayBe = original != null && FolderListings.isDerived(entry.path(), original.state);
    return mayBe ? original : null;
  }

  private static boolean isSame(
      FileChannel copy, FileStat stat, FollowedFile original, boolean isThere) throws IOException {
    FileState state = original.state;
    if (stat.size() >= state.position()) {
      return state.isAsItWasRead(copy);
    }
    if (System.currentTimeMillis() - stat.modifiedMillis() < COPYING_MILLIS) {
      return true;
    }
    if (!isThere || original.isAway()) {
      return false;
    }
    try (FileChannel channel = FileChannel.open(original.place(), StandardOpenOption.READ)) {
      return Content.tail(channel, stat.size()) == Content.tail(copy, stat.size());
    }
  }
}
