package io.cordwood.store.consume;

import io.cordwood.common.file.ByteSource;
import io.cordwood.common.segment.Batch;
import io.cordwood.common.segment.BatchIndex;
import io.cordwood.common.segment.IngestSegmentHeader;
import io.cordwood.common.wire.BatchScanner;
import io.cordwood.common.wire.BatchScanner.Damage;
import io.cordwood.common.wire.BatchScanner.End;
import io.cordwood.common.wire.BatchScanner.Intact;
import io.cordwood.common.wire.CorruptException;
import io.cordwood.store.claim.Claim;
import java.io.IOException;

/**
 * The places of a claimed ingest segment's batches, each of which was checked.
 *
 * @param index of the segment alone
 * @param damagedBytes that are no batches; they were set aside
 */
record ScannedSegment(BatchIndex index, long payloadBytes, long records, long damagedBytes) {
  /** Reads all of a segment, in order; what is no batch is set aside. */
  static ScannedSegment of(Claim claim, ByteSource segment, DamagedBytes damaged)
      throws IOException {
    var index = new BatchIndex();
    long payloadBytes = 0;
    long records = 0;
    long damagedBytes = 0;
    var scanner = new BatchScanner(segment::read, firstBatchAt(segment), segment.size());
    while (true) {
      switch (scanner.next()) {
        case Intact intact -> {
          Batch batch = Batch.of(intact);
          index.add(batch, 0, (int) intact.payloadAt());
          payloadBytes += batch.payload().remaining();
          records += batch.records();
        }
        case Damage damage -> {
          damaged.setAside(claim, segment, damage);
          damagedBytes += damage.length();
        }
        case End _ -> {
          return new ScannedSegment(index, payloadBytes, records, damagedBytes);
        }
      }
    }
  }

  /** After the header; if there is none, from the start, so that it counts as damage. */
  private static long firstBatchAt(ByteSource segment) throws IOException {
    try {
      IngestSegmentHeader.read(segment);
      return IngestSegmentHeader.BYTES;
    } catch (CorruptException e) {
      return 0;
    }
  }
}
