package io.cordwood.agent.follow;

import io.cordwood.common.wire.Origin;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * The batches that are on their way, those of each file in their order, and what becomes of them. A
 * file's own batches end in that order; those of different files do not. Owned by the follower's
 * thread, but for {@link #end}.
 */
final class SentBatches {
  private final Map<FollowedFile, ArrayDeque<FollowedFile.Made>> sent = new HashMap<>();
  private final Queue<End> ends = new ConcurrentLinkedQueue<>();
  private long bytes;

  private record End(FollowedFile file, boolean acknowledged) {}

  /** One that is over: acknowledged, or refused. */
  record Ended(FollowedFile.Made made, boolean acknowledged) {}

  void add(FollowedFile.Made made) {
    sent.computeIfAbsent(made.file(), _ -> new ArrayDeque<>()).add(made);
    bytes += made.batch().bytes().length;
  }

  /** A file's first batch is over. For any thread. */
  void end(FollowedFile file, boolean acknowledged) {
    ends.add(new End(file, acknowledged));
  }

  /** The next that is over, which is not on its way any more; null when none is. */
  @Nullable Ended next() {
    End end = ends.poll();
    if (end == null) {
      return null;
    }
    ArrayDeque<FollowedFile.Made> ofFile = sent.get(end.file());
    if (ofFile == null) {
      throw new IllegalStateException(end.file().place() + ": none of its batches is on its way");
    }
    FollowedFile.Made made = ofFile.remove();
    if (ofFile.isEmpty()) {
      sent.remove(end.file());
    }
    bytes -= made.batch().bytes().length;
    return new Ended(made, end.acknowledged());
  }

  boolean isEmpty() {
    return sent.isEmpty();
  }

  boolean hasAnyOf(Origin origin) {
    return sent.values().stream().anyMatch(ofFile -> ofFile.element().origin().equals(origin));
  }

  /**
   * Whether a file's next batch may follow those that are on their way: if one of two origins is
   * refused, they do not end in their order.
   */
  boolean mayFollow(FollowedFile file) {
    ArrayDeque<FollowedFile.Made> ofFile = sent.get(file);
    return ofFile == null || ofFile.element().origin().equals(file.origin());
  }

  /** How large their arrays are. */
  long bytes() {
    return bytes;
  }
}
