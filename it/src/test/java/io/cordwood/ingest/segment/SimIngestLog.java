package io.cordwood.ingest.segment;

import io.cordwood.common.file.Filesystem;
import io.cordwood.common.file.ReadableFile;
import io.cordwood.common.segment.Batch;
import io.cordwood.common.segment.IngestSegmentHeader;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.ulid.UlidStamper;
import io.cordwood.common.wire.BatchScanner;
import io.cordwood.ingest.IngestMetrics;
import io.cordwood.ingest.IngestOptions;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** The segments of a simulated ingest node: the node's own classes on a disk in memory. */
public final class SimIngestLog {
  /** Where its files are. */
  public static final Path FOLDER = Path.of("/data/ingest");

  private final IngestLog log;
  private final Flushes flushes;
  private @Nullable ActiveSegment active;

  /** A node that starts, and makes good what it finds. */
  public SimIngestLog(Filesystem disk, Duration lease, LongSupplier nanoTime, UlidStamper ids)
      throws IOException {
    var metrics = new IngestMetrics(new SimpleMeterRegistry(), IngestOptions.in(FOLDER));
    log = IngestLog.open(FOLDER, new Lease(lease, nanoTime), disk, metrics, ids);
    flushes = new Flushes(log, metrics);
  }

  /**
   * Takes a batch.
   *
   * @param force whether it is durable when this returns
   */
  public void append(Batch batch, boolean force) throws IOException {
    ActiveSegment to = active;
    if (to == null) {
      to = log.createDurably();
      active = to;
    }
    ByteBuffer bytes = batch.encode();
    try {
      to.append(new ByteBuffer[] {bytes}, bytes.remaining());
      if (force) {
        to.force();
      }
    } catch (IOException e) {
      flush(); // It is broken.
      throw e;
    }
  }

  /** Lets stores have what has come. */
  public void flush() {
    int _ = flushes.copyFailed();
    ActiveSegment full = active;
    if (full != null) {
      active = null;
      boolean _ = flushes.flush(full);
    }
  }

  /** Gives the oldest segments to a store; none if there are none, without a wait. */
  public List<PendingSegment> claim(String store, int max) throws IOException {
    return log.claims()
        .claim(new Claimant(store, true), max, Long.MAX_VALUE, Duration.ZERO, () -> false);
  }

  /** The batches of a claimed segment. */
  public List<Batch> read(Ulid id) throws IOException {
    try (ReadableFile file = log.claims().read(id)) {
      return batches(file, file.size());
    } catch (SegmentRefusedException e) {
      throw new IOException(e);
    }
  }

  /** Ends a claimed segment; whether it was claimed still. */
  public boolean commit(Ulid id) throws IOException {
    try {
      log.claims().commit(id);
      return true;
    } catch (SegmentRefusedException e) {
      return false;
    }
  }

  /** Takes a claimed segment back. */
  public void giveBack(Ulid id) throws IOException {
    try {
      log.claims().fail(id);
    } catch (SegmentRefusedException e) {
      // Its lease ran out: it is back already.
    }
  }

  /** All batches that are here. */
  public List<Batch> records() throws IOException {
    List<Batch> found = new ArrayList<>();
    for (Ulid id : log.ids()) {
      Optional<IngestLog.Opened> opened = log.open(id);
      if (opened.isPresent()) {
        try (ReadableFile file = opened.get().file()) {
          found.addAll(batches(file, opened.get().bytes()));
        }
      }
    }
    return found;
  }

  private static List<Batch> batches(ReadableFile file, long bytes) throws IOException {
    List<Batch> found = new ArrayList<>();
    if (bytes <= IngestSegmentHeader.BYTES) {
      return found;
    }
    var scanner = new BatchScanner(file::read, IngestSegmentHeader.BYTES, bytes);
    BatchScanner.Item item = scanner.next();
    while (!(item instanceof BatchScanner.End)) {
      if (item instanceof BatchScanner.Intact intact) {
        found.add(Batch.of(intact));
      }
      item = scanner.next();
    }
    return found;
  }

  /** Segments that stores have not stored yet, and bytes of an active one. */
  public long backlog() {
    return log.claims().held()
        + (active == null ? 0 : active.wholeBytes())
        + (flushes.haveFailed() ? 1 : 0);
  }
}
