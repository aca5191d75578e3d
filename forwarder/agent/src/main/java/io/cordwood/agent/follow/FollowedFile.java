package io.cordwood.agent.follow;

import io.cordwood.common.wire.Origin;
import io.cordwood.forwarder.PreparedBatch;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One content that is read: where it is now, and how far it was read. It holds no bytes between two
 * calls, since what was not taken is read again. Owned by the follower's thread.
 */
final class FollowedFile implements AutoCloseable {
  /** For a last line without an end. Whoever writes one usually goes on at once. */
  private static final long PART_OF_LINE_NANOS = TimeUnit.SECONDS.toNanos(5);

  final FileState state;
  final Rotation rotation = new Rotation(this);
  private final FileBatches batches;

  private Path place;
  private @Nullable FileChannel channel;
  private boolean isLive = true;
  private boolean isMissing;
  private boolean isFinal;
  private boolean isDetached;
  private boolean hasFailed;
  private boolean isExcluded;
  private long size;
  private long modifiedMillis;
  private long changedNanos = System.nanoTime();

  FollowedFile(FileState state, Path place, BatchParts parts) {
    this.state = state;
    this.place = place;
    this.batches = new FileBatches(this, parts);
  }

  /** Other bytes than those that were read so far are in the file. */
  static final class ReplacedException extends IOException {
    private static final long serialVersionUID = 1;

    ReplacedException(Path place) {
      super(place + " was truncated or replaced");
    }
  }

  /** Thrown when a planned batch cannot be made again. */
  static final class ChangedException extends IOException {
    private static final long serialVersionUID = 1;

    final long from;

    ChangedException(Path place, PlannedBatch plan) {
      super(
          place
              + ": expected the bytes "
              + plan.from()
              + " to "
              + plan.to()
              + " as they were when they were sent, found others: they are sent anew, and may be"
              + " there twice");
      this.from = plan.from();
    }
  }

  /**
   * Batches of one plan that are ready to be planned and sent, or to be sent again.
   *
   * @param carried what goes on in another file, in place of batches
   */
  record Made(
      FollowedFile file,
      PlannedBatch plan,
      List<PreparedBatch> batches,
      Delivery delivery,
      boolean isAgain,
      Rotation.@Nullable Carried carried) {
    /** The origin of the file; a container's batches also have their streams. */
    Origin origin() {
      return file.state.origin(plan.labels());
    }

    /** Notes in the checkpoint what is about to be sent. */
    void planIn(Checkpoint checkpoint) {
      if (carried == null) {
        checkpoint.plan(file.state, plan);
      } else {
        checkpoint.carry(file.state, plan, carried.to(), carried.bytes());
      }
    }

    boolean has(Origin origin) {
      return batches.stream().anyMatch(batch -> batch.origin().equals(origin));
    }

    /** How large the arrays are. */
    long bytes() {
      return batches.stream().mapToLong(batch -> batch.bytes().length).sum();
    }

    void giveBack(BatchArrays arrays) {
      batches.forEach(batch -> arrays.giveBack(batch.bytes()));
    }
  }

  Path place() {
    return place;
  }

  boolean isLive() {
    return isLive;
  }

  boolean isOpen() {
    return channel != null;
  }

  /**
   * The file is here now.
   *
   * @param live whether it has the name by which it was found first
   * @return whether it was written to since it was looked at before
   */
  boolean isAt(Path path, FileStat stat, boolean live) {
    place = path.equals(place) ? place : path; // each search has paths of its own
    isLive = live;
    isMissing = false;
    boolean written = stat.modifiedMillis() != modifiedMillis;
    modifiedMillis = stat.modifiedMillis();
    sized(stat.size());
    return written;
  }

  private void sized(long now) {
    if (size != now) {
      size = now;
      changedNanos = System.nanoTime();
    }
  }

  /** It has no name any more; who has it open may still write to it. */
  void lost() {
    if (!isMissing) {
      changedNanos = System.nanoTime();
    }
    isMissing = true;
    isLive = false;
  }

  /** No more will come, so that a last line need not have an end. */
  void end() {
    isFinal = true;
  }

  boolean isFinal() {
    return isFinal;
  }

  /** It could not be read when that was tried last. */
  void failed() {
    hasFailed = true;
  }

  boolean hasFailed() {
    return hasFailed;
  }

  /** When it was written to, as it was seen last. */
  long modifiedMillis() {
    return modifiedMillis;
  }

  /** Whether its lines, of one byte or more a character, are there and of this format. */
  boolean isOfLines(@Nullable LineFormat format) {
    return format != null && batches.areOf(format);
  }

  /** It is not to be read, or is again, from where that ended. */
  void exclude(boolean excluded) {
    isExcluded = excluded;
  }

  /** Whether it can be opened again. */
  boolean hasName() {
    return !isMissing;
  }

  /** Whether nothing can be read of it until it is found. */
  boolean isAway() {
    return isMissing && channel == null;
  }

  /** The size as it was seen last. */
  long size() {
    return size;
  }

  long unread() {
    return isExcluded ? 0 : Math.max(0, size - state.position());
  }

  /** Whether it holds no lines, as far as it is known; nothing is read of it then. */
  boolean isPacked() {
    return batches.isPacked();
  }

  /** How much is still to be read, for the first time or again. */
  long behind() {
    return isPacked() || isExcluded ? 0 : Math.max(0, size - batches.from());
  }

  /** Whether nothing is there to be read. */
  boolean isRead() {
    return isExcluded || ((isPacked() || unread() == 0) && !repeatsPlans());
  }

  long quietNanos(long now) {
    return now - changedNanos;
  }

  /** The size as it is now; a file that is not open was looked at by the last search. */
  private long sizeNow() throws IOException {
    if (channel != null) {
      sized(channel.size());
    }
    return size;
  }

  /** Whether {@link #next} could give something. */
  boolean hasMore(long now, long joinNanos) throws IOException {
    if (isAway() || isPacked() || isExcluded) {
      return false;
    }
    if (batches.repeatsPlans()) {
      return true;
    }
    long there = sizeNow();
    if (there < state.position()) {
      throw new ReplacedException(place);
    }
    if (there == state.position() || rotation.waits()) {
      return false;
    }
    return batches.wereNotTriedAt(there)
        || isPartDue(now)
        || isJoinDue(now, joinNanos)
        || rotation.isDue(now);
  }

  /** Whether a last line without an end is to be taken as it is. */
  boolean isPartDue(long now) {
    return isFinal || quietNanos(now) > PART_OF_LINE_NANOS;
  }

  /** Whether a last record is not waited for any longer to go on. */
  boolean isJoinDue(long now, long joinNanos) {
    return !state.multiline.isNone() && (isFinal || quietNanos(now) > joinNanos);
  }

  /**
   * Opens it, and looks whether it is the one that was read.
   *
   * @throws ReplacedException if it is not
   */
  FileChannel open() throws IOException {
    if (channel == null) {
      FileChannel opened = FileChannel.open(place, StandardOpenOption.READ);
      boolean same;
      try {
        same = FileStat.of(place).key().equals(state.key) && state.isAsItWasRead(opened);
        size = opened.size();
      } catch (IOException e) {
        opened.close();
        throw e;
      }
      if (!same) {
        opened.close();
        throw new ReplacedException(place);
      }
      channel = opened;
      hasFailed = false;
    }
    return channel;
  }

  @Override
  public void close() throws IOException {
    if (channel != null) {
      channel.close();
      channel = null;
    }
  }

  /** Looks again whether what was read is still there. */
  boolean isSame() throws IOException {
    return state.isAsItWasRead(open());
  }

  /** Whether what comes next was planned before. */
  boolean repeatsPlans() {
    return batches.repeatsPlans();
  }

  /** The origin of what comes next. */
  Origin origin() {
    return state.origin(batches.labels());
  }

  /** The origins of what comes next: that, or one for each stream of a container. */
  List<Origin> origins() {
    return batches.origins();
  }

  /** Knows more of its beginning, if there is more; says so. */
  boolean learnsHead() throws IOException {
    if (state.head.isWhole() || size <= state.head.bytes()) {
      return false;
    }
    FileChannel opened = open();
    Content.Head head = Content.Head.of(opened, opened.size());
    if (!state.head.isOf(opened)) {
      throw new ReplacedException(place);
    }
    state.head = head;
    return true;
  }

  /**
   * The next batch; null when there is none yet.
   *
   * @throws ReplacedException when it is no longer the file that was read
   * @throws ChangedException when what was planned is not there as it was
   */
  @Nullable Made next(BatchArrays arrays, long joinNanos) throws IOException {
    return batches.next(arrays, joinNanos);
  }

  /** Gives up the batches that were to be sent again, and returns them. */
  List<PlannedBatch> giveUpPlans() {
    return batches.giveUpPlans();
  }

  /** It is gone, or other bytes are there: nothing more is read of it. */
  void detach() {
    isDetached = true;
  }

  boolean isDetached() {
    return isDetached;
  }

  /** A batch of it was refused, and is to be sent again; it must not be detached. */
  void takeBack(PlannedBatch plan) {
    batches.takeBack(plan);
  }

  /**
   * Opens the file if it is what arrived. A planned batch has its own checksum; more need not be
   * there yet.
   */
  FileChannel openAsItArrived() throws IOException {
    if (channel == null) {
      FileChannel opened = FileChannel.open(place, StandardOpenOption.READ);
      try {
        if (!state.isAsItArrived(opened)) {
          throw new ReplacedException(place);
        }
        size = opened.size();
        channel = opened;
      } finally {
        if (channel == null) {
          opened.close();
        }
      }
    }
    return channel;
  }
}
