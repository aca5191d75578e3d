package io.cordwood.ingest.segment;

import io.cordwood.common.file.ReadableFile;
import io.cordwood.common.segment.IngestLayout;
import io.cordwood.common.segment.LeftOut;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.ulid.UlidRange;
import java.io.IOException;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Which files of committed segments may be kept to be overwritten: none that may hold something
 * deleted, and none of a segment that was begun before the last deletion was known, since more than
 * its own batches may stand in it. For all threads.
 */
final class UsedFiles {
  private volatile Supplier<? extends LeftOut> deleted = () -> LeftOut.NOTHING;
  private volatile Ulid begunBefore = Ulid.MIN;

  /** Opens a segment's file. */
  @FunctionalInterface
  interface Opening {
    ReadableFile open() throws IOException;
  }

  /**
   * From now on nothing deleted is kept.
   *
   * @param next the name of a segment that begins after this
   */
  void leaveOut(Supplier<? extends LeftOut> from, Ulid next) {
    deleted = from;
    begunBefore = next;
  }

  /** Whether a segment may hold what was deleted after it was begun. */
  boolean isOld(Ulid id) {
    return id.isBefore(begunBefore);
  }

  /** Whether nothing deleted is in a segment's file. */
  boolean mayBeKept(Ulid id, long bytes, Opening opening) {
    LeftOut now = deleted.get();
    if (isOld(id)) {
      return false;
    }
    if (!now.touches(UlidRange.ALL)) {
      return true;
    }
    try (ReadableFile file = opening.open()) {
      Optional<IngestLayout> layout = IngestLayout.of(file, bytes);
      return layout.isEmpty() || !now.touches(layout.get().range());
    } catch (IOException e) {
      return false; // It is of no other use any more.
    }
  }
}
