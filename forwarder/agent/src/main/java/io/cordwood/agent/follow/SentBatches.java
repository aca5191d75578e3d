package io.cordwood.agent.follow;

import io.cordwood.common.wire.Origin;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
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

  /** Files of which a batch was refused, until none of theirs is on its way. */
  private final Set<FollowedFile> refused = new HashSet<>();

  private final Queue<Ended> over = new ArrayDeque<>();

  private record End(FollowedFile file, Delivery delivery, Origin origin, boolean acknowledged) {}

  /** A plan that is over: acknowledged, or to be sent again, as it or one before it was refused. */
  record Ended(FollowedFile.Made made, boolean acknowledged) {}

  void add(FollowedFile.Made made) {
    sent.computeIfAbsent(made.file(), _ -> new ArrayDeque<>()).add(made);
    made.delivery().begin(made.batches().size());
    bytes += made.bytes();
  }

  /** A batch is over. For any thread. */
  void end(FollowedFile file, Delivery delivery, Origin origin, boolean acknowledged) {
    ends.add(new End(file, delivery, origin, acknowledged));
  }

  /** The next that is over, which is not on its way any more; null when none is. */
  @Nullable Ended next() {
    while (over.isEmpty()) {
      End end = ends.poll();
      if (end == null) {
        return null;
      }
      end.delivery().end(end.origin(), end.acknowledged());
      takeOver(end.file());
    }
    return over.remove();
  }

  private void takeOver(FollowedFile file) {
    ArrayDeque<FollowedFile.Made> ofFile = sent.get(file);
    if (ofFile == null) {
      throw new IllegalStateException(file.place() + ": none of its batches is on its way");
    }
    while (!ofFile.isEmpty() && ofFile.element().delivery().isOver()) {
      FollowedFile.Made made = ofFile.remove();
      if (!made.delivery().refused().isEmpty()) {
        refused.add(file);
      }
      bytes -= made.bytes();
      over.add(new Ended(made, !refused.contains(file)));
    }
    if (ofFile.isEmpty()) {
      sent.remove(file);
      refused.remove(file);
    }
  }

  boolean isEmpty() {
    return sent.isEmpty();
  }

  boolean hasAnyOf(Origin origin) {
    return sent.values().stream().flatMap(ArrayDeque::stream).anyMatch(made -> made.has(origin));
  }

  /**
   * Whether a file's next batch may follow those that are on their way: if one of two origins is
   * refused, they do not end in their order.
   */
  boolean mayFollow(FollowedFile file) {
    ArrayDeque<FollowedFile.Made> ofFile = sent.get(file);
    return ofFile == null
        || (!refused.contains(file) && ofFile.element().origin().equals(file.origin()));
  }

  /** How large their arrays are. */
  long bytes() {
    return bytes;
  }
}
