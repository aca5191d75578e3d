package io.cordwood.ingest.segment;

import io.cordwood.common.file.ByteSource;
import io.cordwood.common.segment.IngestSegmentHeader;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.wire.BatchScanner;
import io.cordwood.common.wire.CorruptException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * The result of scanning a whole segment file.
 *
 * @param bytes of the file
 * @param goodHeader whether it begins with a segment's header
 * @param batches that are intact
 * @param intactEnd where the last intact batch ends, or the header if there is none
 * @param holes damage with an intact batch after it
 */
record SegmentScan(
    long bytes, boolean goodHeader, int batches, long intactEnd, List<BatchScanner.Damage> holes) {

  static SegmentScan of(ByteSource source) throws IOException {
    boolean goodHeader = hasHeader(source);
    long start = goodHeader ? IngestSegmentHeader.BYTES : 0;
    var scanner = new BatchScanner(source::read, start, source.size());
    List<BatchScanner.Damage> damage = new ArrayList<>();
    int batches = 0;
    long intactEnd = start;
    while (true) {
      switch (scanner.next()) {
        case BatchScanner.Intact _ -> batches++;
        case BatchScanner.Damage hole -> damage.add(hole);
        case BatchScanner.End end -> {
          if (!damage.isEmpty() && damage.getLast().end() == end.position()) {
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
   * Looks through a file that held another segment before. The batches from the start to the first
   * thing that is no intact batch are this segment's. That thing is damage if no batch comes before
   * it, or if a batch after it is younger than the segment; {@code goodHeader} is then false, as it
   * is for a damaged header. If the header is another segment's, nothing of this one was written.
   */
  static SegmentScan ofReused(ByteSource source, Ulid id) throws IOException {
    if (!hasHeader(source)) {
      return of(source);
    }
    if (!IngestSegmentHeader.read(source).id().equals(id)) {
      return new SegmentScan(source.size(), true, 0, 0, List.of());
    }
    BatchScanner scanner = IngestSegmentHeader.scan(source);
    int batches = 0;
    long intactEnd = IngestSegmentHeader.BYTES;
    BatchScanner.Item item = scanner.next();
    while (item instanceof BatchScanner.Intact intact) {
      batches++;
      intactEnd = intact.end();
      item = scanner.next();
    }
    int after = 0;
    long lastEnd = intactEnd;
    boolean damaged = false;
    while (!(item instanceof BatchScanner.End)) {
      if (item instanceof BatchScanner.Intact intact) {
        after++;
        lastEnd = intact.end();
        damaged |= batches == 0 || intact.header().millis() >= id.millis();
      }
      item = scanner.next();
    }
    return damaged
        ? new SegmentScan(source.size(), false, batches + after, lastEnd, List.of())
        : new SegmentScan(source.size(), true, batches, intactEnd, List.of());
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

  /** Bytes after the last intact batch. */
  long tailBytes() {
    return bytes - intactEnd;
  }
}
