package io.cordwood.ingest;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** One connection's way to its loop's segment: counts, and remembers where the last batch went. */
final class ConnectionWriter {
  private final LoopWriter loop;
  private @Nullable ActiveSegment last;

  ConnectionWriter(LoopWriter loop) {
    this.loop = loop;
  }

  /** Writes; false if that cannot be done now. */
  boolean append(StampedBatch batch) {
    if (!loop.append(batch.buffers(), batch.fileBytes())) {
      return false;
    }
    last = loop.active();
    batch.account().stored(batch.records(), batch.wireBytes());
    return true;
  }

  void started(LoopWriter.Member connection) {
    loop.add(connection);
  }

  /** Calls back when it is worth another try. */
  void await(LoopWriter.Member connection) {
    loop.await(connection);
  }

  /** Flushes soon what this connection left in the active segment. */
  void ended(LoopWriter.Member connection, Duration longest) {
    loop.remove(connection);
    if (loop.isActive(last)) {
      loop.flushWithin(longest);
    }
    last = null;
  }
}
