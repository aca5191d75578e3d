package io.cordwood.ingest.segment;

import io.cordwood.common.file.ReadableFile;
import io.cordwood.common.segment.Batch;
import io.cordwood.common.segment.IngestBlocks;
import io.cordwood.common.segment.IngestLayout;
import io.cordwood.common.segment.LeftOut;
import io.cordwood.common.segment.SegmentBatches;
import io.cordwood.common.ulid.Ulid;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes what is deleted out of a segment that is quarantined: what is left becomes another segment,
 * which stores are given again, and the old file goes. A crash in between leaves both; the old one
 * is looked at again then.
 */
final class QuarantineRewrite {
  private static final Logger log = LoggerFactory.getLogger(QuarantineRewrite.class);

  private final SegmentFolder folder;
  private final LeftOut deleted;

  QuarantineRewrite(SegmentFolder folder, LeftOut deleted) {
    this.folder = folder;
    this.deleted = deleted;
  }

  /**
   * The outcome for a segment.
   *
   * @param isOver whether its file may go
   * @param rest the segment of what is left of it; empty if nothing is
   */
  record Rewritten(boolean isOver, Optional<FlushedSegment> rest) {}

  /**
   * Writes what is left; when this returns, it is durable.
   *
   * @param id of the new segment
   */
  Rewritten rewrite(QuarantinedSegment segment, Ulid id) throws IOException {
    try (ReadableFile file = folder.open(segment.id(), IngestSegmentState.QUARANTINED)) {
      Optional<IngestLayout> layout = IngestLayout.of(file, segment.bytes());
      if (layout.isEmpty() || !deleted.touches(layout.get().range())) {
        return new Rewritten(false, Optional.empty());
      }
      Optional<FlushedSegment> rest = rest(new IngestBlocks(layout.get(), file), id);
      log.info("{}: rewritten without what is deleted, rest: {}", segment.id(), rest);
      return new Rewritten(true, rest);
    }
  }

  private Optional<FlushedSegment> rest(IngestBlocks blocks, Ulid id) throws IOException {
    UploadingSegment rest = UploadingSegment.create(folder, id);
    boolean isEmpty = true;
    try (var batches = new SegmentBatches(blocks)) {
      @Nullable Batch next;
      while ((next = batches.next()) != null) {
        for (Batch run : next.without(deleted)) {
          rest.append(run.encode());
          isEmpty = false;
        }
      }
      if (!isEmpty) {
        return Optional.of(rest.flush());
      }
    } catch (IOException | RuntimeException e) {
      rest.discard();
      throw e;
    }
    rest.discard();
    return Optional.empty();
  }
}
