package io.cordwood.cli.cold;

import io.cordwood.cli.records.RecordPrinter;
import io.cordwood.query.result.BlockHits;
import io.cordwood.query.result.HitSink;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Prints the records that a search finds. One thread. */
final class ColdPrinter implements HitSink {
  private final RecordPrinter printer;
  private final boolean ulids;

  /**
   * @param ulids whether each record's stands before it
   */
  ColdPrinter(RecordPrinter printer, boolean ulids) {
    this.printer = printer;
    this.ulids = ulids;
  }

  @Override
  public boolean accept(BlockHits hits, BlockHits.Group group) throws IOException {
    if (hits.bytes(group) == 0) {
      return true; // only counted
    }
    for (int hit = group.from(); hit < group.to(); hit++) {
      ByteBuffer record = hits.record(hit);
      String prefix = ulids ? hits.ulid(group, hit) + " " : "";
      byte[] bytes = new byte[record.remaining()];
      record.get(bytes);
      printer.print(prefix, bytes, 0, bytes.length);
    }
    return true;
  }

  @Override
  public void idle() throws IOException {
    printer.flush();
  }
}
