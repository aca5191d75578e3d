package io.cordwood.agent.follow;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The files that had a file's name before and after it. A record whose lines a rotation has parted
 * goes on in the later one: what is left of the earlier file is carried there, as bytes before its
 * first one, and the later one is not begun until then. Owned by the follower's thread.
 */
final class Rotation {
  private static final Comparator<FollowedFile> IN_ORDER =
      Comparator.comparing(FollowedFile::isLive)
          .thenComparingLong(FollowedFile::modifiedMillis)
          .thenComparingLong(file -> file.state.id);

  /** For lines that are on their way to the earlier file when the later one has its first. */
  private static final long LAST_WORDS_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final FollowedFile file;
  private @Nullable FollowedFile earlier;
  private @Nullable FollowedFile later;

  Rotation(FollowedFile file) {
    this.file = file;
  }

  /** The bytes that go on in another file, in whose state they are from now on. */
  record Carried(FileState to, byte[] bytes) {
    static Carried of(byte[] bytes, int at, int length, FileState to) {
      return new Carried(to, Arrays.copyOfRange(bytes, at, at + length));
    }
  }

  /** Finds out anew which files had one name after each other. */
  static void link(Iterable<FollowedFile> files) {
    Map<Path, List<FollowedFile>> rotated = new HashMap<>();
    for (FollowedFile file : files) {
      file.rotation.between(null, null);
      if (!file.isLive() && !file.isAway()) {
        rotated.computeIfAbsent(file.state.path, _ -> new ArrayList<>()).add(file);
      }
    }
    if (rotated.isEmpty()) {
      return;
    }
    for (FollowedFile file : files) {
      List<FollowedFile> before = file.isLive() ? rotated.get(file.state.path) : null;
      if (before != null) {
        before.add(file);
      }
    }
    rotated.values().forEach(Rotation::linkAll);
  }

  private static void linkAll(List<FollowedFile> ofOneName) {
    ofOneName.sort(IN_ORDER);
    for (int i = 1; i < ofOneName.size(); i++) {
      FollowedFile earlier = ofOneName.get(i - 1);
      FollowedFile later = ofOneName.get(i);
      if (isAlike(earlier.state, later.state)) {
        earlier.rotation.later = later;
        later.rotation.earlier = earlier;
      }
    }
  }

  /** Whether records of both have the same origin and are cut in the same way. */
  private static boolean isAlike(FileState one, FileState other) {
    return one.topic.equals(other.topic)
        && one.labels.equals(other.labels)
        && one.format == other.format
        && one.multiline.spec().equals(other.multiline.spec());
  }

  private void between(@Nullable FollowedFile before, @Nullable FollowedFile after) {
    earlier = before;
    later = after;
  }

  /** Whether the file is not to be begun yet, as what is left of the earlier one may come first. */
  boolean waits() {
    return earlier != null
        && isNotBegun(file.state)
        && joins(file.state)
        && !earlier.isDetached()
        && !earlier.isAway()
        && !earlier.hasFailed()
        && !earlier.isRead();
  }

  private static boolean joins(FileState state) {
    return state.format != LineFormat.plain || !state.multiline.isNone();
  }

  private static boolean isNotBegun(FileState state) {
    return state.position() == 0 && state.planned().isEmpty();
  }

  /** Whether no more lines come, so that what is left can go on in the later file. */
  boolean isDue(long now) {
    return later != null
        && (file.isFinal() || file.quietNanos(now) > LAST_WORDS_NANOS)
        && joins(file.state);
  }

  /** The later file, if it is there, is not begun, and has lines of the same format. */
  @Nullable FollowedFile next(@Nullable LineFormat format) {
    FollowedFile next = later;
    boolean mayTake =
        next != null
            && !next.isDetached()
            && !next.isAway()
            && next.size() > 0
            && joins(file.state)
            && isNotBegun(next.state)
            && next.isOfLines(format);
    return mayTake ? next : null;
  }
}
