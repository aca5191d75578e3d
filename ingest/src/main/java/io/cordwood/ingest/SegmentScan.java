package io.cordwood.ingest;

import io.cordwood.common.segment.BatchScanner;
import io.cordwood.common.segment.ByteSource;
import io.cordwood.common.segment.CorruptException;
import io.cordwood.common.segment.IngestSegmentHeader;
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
