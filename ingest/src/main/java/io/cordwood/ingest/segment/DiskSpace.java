package io.cordwood.ingest.segment;

import io.cordwood.common.run.PeriodicTask;
import io.cordwood.common.run.RateLimitedLog;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.LoggerFactory;

/**
 * How much may still be written before the disk's reserve is touched. The event loops take from it
 * without asking the disk; a thread of its own asks the disk, several times a second, and deletes
 * spare files that nobody took, or all if there is little room.
 */
public final class DiskSpace implements AutoCloseable {
  private static final RateLimitedLog LOG =
      new RateLimitedLog(LoggerFactory.getLogger(DiskSpace.class));
  private static final Duration REFRESH = Duration.ofMillis(200);

  /** When it is worth another try for those that got nothing. */
  public static final long RETRY_MILLIS = 250;

  /** Less than this is no space: a batch may need more. */
  private static final long WORTH_BYTES = 256 << 10;

  private final SegmentFolder folder;
  private final long reserveBytes;
  private final AtomicLong allowedBytes = new AtomicLong();
  private final PeriodicTask refresher;

  /**
   * @param segments whose disk it is
   * @param reserveBytes of it that are left free
   */
  public DiskSpace(IngestLog segments, long reserveBytes, MeterRegistry registry)
      throws IOException {
    this.folder = segments.folder();
    this.reserveBytes = reserveBytes;
    allowedBytes.set(folder.usableBytes() - reserveBytes);
    refresher = PeriodicTask.start("ingest-disk-space", REFRESH, registry, this::refresh);
  }

  /** Whether that many bytes may be written; they count as written then. */
  public boolean take(long bytes) {
    if (allowedBytes.addAndGet(-bytes) >= 0) {
      return true;
    }
    allowedBytes.addAndGet(bytes);
    return false;
  }

  /** How much may be written now. */
  public long allowedBytes() {
    return Math.max(0, allowedBytes.get());
  }

  /** Why writing waits; empty as long as there is space. */
  public Optional<String> trouble() {
    return allowedBytes.get() < WORTH_BYTES
        ? Optional.of(folder.path() + ": the disk is full but for its reserve")
        : Optional.empty();
  }

  private void refresh() {
    try {
      allowedBytes.set(folder.usableBytes() - reserveBytes);
    } catch (IOException e) {
      // What was allowed before stays: if the disk is gone, the writes say so.
      LOG.warn("cannot tell the disk's free space at", folder.path(), e);
    }
  }

  @Override
  public void close() {
    refresher.close();
  }
}
