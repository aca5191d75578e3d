package io.cordwood.query.api;

import io.cordwood.query.http.RecordFormat;
import io.cordwood.query.result.BlockHits;
import io.cordwood.query.result.HitSink;
import java.io.IOException;
import java.io.OutputStream;
import java.util.concurrent.TimeUnit;

/**
 * Writes records to a client. While the next ones are waited for, those that are written go out:
 * the first at once, then every some milliseconds at most. For the query's own thread.
 */
final class RecordOutput implements HitSink {
  private static final long FLUSH_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private final RecordFormat format;
  private final OutputStream out;
  private long flushedNanos = System.nanoTime() - FLUSH_NANOS;
  private boolean pending;

  RecordOutput(RecordFormat format, OutputStream out) {
    this.format = format;
    this.out = out;
  }

  @Override
  public boolean accept(BlockHits hits, BlockHits.Group group) throws IOException {
    format.write(hits, group, out);
    pending = true;
    return true;
  }

  @Override
  public void idle() throws IOException {
    if (pending && System.nanoTime() - flushedNanos >= FLUSH_NANOS) {
      out.flush();
      flushedNanos = System.nanoTime();
      pending = false;
    }
  }
}
