package io.cordwood.ingest.push;

import io.cordwood.ingest.Intake;
import io.cordwood.ingest.ReadPace;
import io.cordwood.ingest.RefusedException;
import io.cordwood.ingest.SenderRights;
import io.cordwood.ingest.mode.RequestWriter;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * The way of one request or connection to the segments: what it reads is counted and paced, its
 * records become batches, and they are safe once {@link #commit} returns. For one thread, which may
 * block; to be closed by it.
 */
public final class PushSession implements AutoCloseable {
  /** A client that leaves during a pause is noticed in that time. */
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final RequestWriter writer;
  private final PushedRecords records;
  private final ReadPace pace;

  PushSession(Intake intake, SenderRights rights, RequestWriter writer, Duration longest) {
    this.writer = writer;
    this.records = new PushedRecords(intake, rights, writer, longest);
    this.pace = new ReadPace(intake, rights);
  }

  /** Its records, to be added. */
  public PushedRecords records() {
    return records;
  }

  /**
   * Counts bytes that were read, and pauses if they came too fast.
   *
   * @param gone whether nobody waits any more, which ends a pause
   */
  public void read(int bytes, BooleanSupplier gone) {
    records.read(bytes);
    long pause = pace.nanosToPause(bytes);
    if (pause > 0) {
      pace.countPause();
      long end = System.nanoTime() + pause;
      for (long left = pause; left > 0 && !gone.getAsBoolean(); left = end - System.nanoTime()) {
        LockSupport.parkNanos(this, Math.min(left, LOOK_NANOS));
      }
    }
  }

  /**
   * Waits until all records are as safe as the mode promises. More may come after it.
   *
   * @throws RefusedException if that is not so: what came first may be stored nevertheless
   */
  public void commit() throws RefusedException {
    records.finish();
  }

  /** Records that were not committed are counted as rejected. */
  @Override
  public void close() {
    records.close();
    writer.close();
  }
}
