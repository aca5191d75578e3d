package io.cordwood.store.consume;

import io.cordwood.store.claim.Claim;
import io.cordwood.store.claim.IngestClient;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Pulls of claimed segments that run at once, so that a slow ingest node does not hold up the
 * others: each on a virtual thread, which checks what comes, into a spool file of its own. One
 * thread starts them and takes what has ended.
 */
final class SegmentDownloads {
  /** Each holds at most a batch's largest size in memory, 2 MiB. */
  static final int MAX_AT_ONCE = 4;

  private final DownloadFiles files;
  private final IngestClient client;
  private final DamagedBytes damaged;
  private final LinkedBlockingQueue<Ended> ended = new LinkedBlockingQueue<>();
  private int running;
  private long runningBytes;

  /** A pull that is over. */
  sealed interface Ended {
    Claim claim();

    DownloadFiles.Slot slot();
  }

  /** One that went well: the slot holds the segment. */
  record Pulled(Claim claim, DownloadFiles.Slot slot, ScannedSegment scanned) implements Ended {}

  record Failed(Claim claim, DownloadFiles.Slot slot, Throwable failure) implements Ended {}

  SegmentDownloads(DownloadFiles files, IngestClient client, DamagedBytes damaged) {
    this.files = files;
    this.client = client;
    this.damaged = damaged;
  }

  int running() {
    return running;
  }

  /** The bytes of the segments that are being pulled. */
  long runningBytes() {
    return runningBytes;
  }

  boolean hasRoom() {
    return running < MAX_AT_ONCE;
  }

  void start(Claim claim) {
    running++;
    runningBytes += claim.bytes();
    DownloadFiles.Slot slot = files.take();
    Thread.ofVirtual().name("pull").start(() -> ended.add(pull(claim, slot)));
  }

  /** Errors are the taker's too: who waits for a pull must not wait for one that is gone. */
  private Ended pull(Claim claim, DownloadFiles.Slot slot) {
    try {
      if (claim.bytes() > IngestClient.MAX_SEGMENT_BYTES) {
        throw new IOException("expected at most " + IngestClient.MAX_SEGMENT_BYTES + " bytes");
      }
      return new Pulled(claim, slot, slot.pull(claim, client, damaged));
    } catch (IOException | RuntimeException | Error e) {
      return new Failed(claim, slot, e);
    }
  }

  /** Waits until none is running; what they pulled is of no use. */
  void join() {
    try {
      while (running > 0) {
        await(Duration.ofSeconds(1));
      }
    } catch (InterruptedException e) {
      // Nobody interrupts this thread; the files are deleted at the next start.
      Thread.currentThread().interrupt();
    }
  }

  /** One that has ended; null if there is none in time. */
  @Nullable Ended await(Duration longest) throws InterruptedException {
    Ended one = ended.poll(longest.toNanos(), TimeUnit.NANOSECONDS);
    if (one != null) {
      running--;
      runningBytes -= one.claim().bytes();
    }
    return one;
  }
}
