package io.cordwood.ingest.segment;

import io.cordwood.common.segment.Batch;
import io.cordwood.common.segment.BatchHeader;
import io.cordwood.common.segment.BatchScanner;
import io.cordwood.common.segment.ByteSource;
import io.cordwood.common.segment.CorruptException;
import io.cordwood.common.segment.IngestSegmentHeader;
import io.cordwood.common.ulid.Ulid;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * What a look through a whole segment file found.
 *
 * @param bytes of the file
 * @param goodHeader whether it begins with a segment's header
 * @param batches that are intact
 * @param intactEnd where the last intact batch ends, or the header if there is none
 * @param holes damage with an intact batch behind it
 */
record SegmentScan(
    long bytes, boolean goodHeader, int batches, long intactEnd, List<BatchScanner.Damage> holes) {

  static SegmentScan of(ByteSource source) throws IOException {
    boolean goodHeader = hasHeader(source);
    long start = goodHeader ? IngestSegmentHeader.BYTES : 0;
    var scanner = new BatchScanner(source, start);
    List<BatchScanner.Damage> damage = new ArrayList<>();
    int batches = 0;
    long intactEnd = start;
    while (true) {
      switch (scanner.next()) {
        case BatchScanner.Intact _ -> batches++;
        case BatchScanner.Damage hole -> damage.add(hole);
        case BatchScanner.End end -> {
          if (!damage.isEmpty() && reaches(damage.getLast(), end.position())) {
            intactEnd = damage.removeLast().position();
          } else {
            intactEnd = end.position();
          }
          return new SegmentScan(
              source.size(), goodHeader, batches, intactEnd, List.copyOf(damage));
        }
      }
    }
  }

  /**
   * Looks through a file that held another segment before: what is intact in a row from the start
   * on, if the header is this segment's.
   */
  static SegmentScan ofReused(ByteSource source, Ulid id) throws IOException {
    int batches = 0;
    long intactEnd = 0;
    if (hasHeader(source) && IngestSegmentHeader.read(source).id().equals(id)) {
      var scanner = new BatchScanner(source, IngestSegmentHeader.BYTES);
      intactEnd = IngestSegmentHeader.BYTES;
      while (scanner.next() instanceof BatchScanner.Intact intact) {
        batches++;
        intactEnd = intact.position() + bytesOf(intact.batch());
      }
    }
    return new SegmentScan(source.size(), batches > 0, batches, intactEnd, List.of());
  }

  private static int bytesOf(Batch batch) {
    return BatchHeader.BYTES + batch.topic().name().length() + batch.payload().remaining();
  }

  private static boolean reaches(BatchScanner.Damage damage, long end) {
    return damage.position() + damage.length() == end;
  }

  static boolean hasHeader(ByteSource source) throws IOException {
    try {
      IngestSegmentHeader.read(source);
      return true;
    } catch (CorruptException e) {
      // The answer is no; what is done about it is named by those who asked.
      return false;
    }
  }

  /** Bytes behind the last intact batch. */
  long tailBytes() {
    return bytes - intactEnd;
  }
}
