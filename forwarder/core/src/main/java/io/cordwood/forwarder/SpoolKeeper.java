package io.cordwood.forwarder;

import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The thread between a forwarder's memory and its spool; it alone waits for the disk. A spool that
 * cannot be opened or written to is tried again each second, since a disk gets room again, and a
 * folder is left by the forwarder before.
 */
final class SpoolKeeper implements Runnable {
  static final String THREAD_NAME = "cordwood-spool";

  private final SpoolOptions options;
  private final RecordQueue queue;
  private @Nullable Spool spool;

  SpoolKeeper(SpoolOptions options, RecordQueue queue) {
    this.options = options;
    this.queue = queue;
  }

  @Override
  public void run() {
    while (queue.awaitSpoolWork()) {
      Spool to = spool;
      try {
        if (to == null) {
          to = open();
        }
        forgetAcknowledged(to);
        load(to);
        store(to);
      } catch (IOException | RuntimeException | Error e) {
        failed(to, e);
      }
    }
    close();
  }

  private Spool open() throws IOException {
    Spool opened = Spool.open(options);
    spool = opened;
    queue.exchange(exchange -> exchange.opened(opened));
    return opened;
  }

  private void failed(@Nullable Spool to, Throwable e) {
    if (to != null) {
      updateLosses(to);
    }
    String what = e instanceof IOException io ? SpoolLock.explain(io) : e.toString();
    String complaint = "spool " + options.folder() + ": " + what;
    queue.exchange(exchange -> exchange.failed(complaint));
  }

  /** Tells how much of it could not be read, and how much is there now. */
  private void updateLosses(Spool to) {
    long lost = to.takeLostRecords();
    long left = to.takeLeftRecords();
    queue.exchange(exchange -> {
      exchange.dropped(DropReason.SPOOL_DAMAGED, lost);
      exchange.left(left);
      exchange.updated(to);
    });
  }

  private void forgetAcknowledged(Spool to) throws IOException {
    List<SpoolFile> files = queue.exchanged(SpoolExchange::takeAcknowledged);
    for (SpoolFile file : files) {
      to.acknowledged(file);
    }
    if (!files.isEmpty()) {
      updateLosses(to);
    }
  }

  private void load(Spool to) throws IOException {
    while (queue.exchanged(SpoolExchange::wantsBatches)) {
      OutgoingBatch batch = to.next();
      queue.exchange(exchange -> exchange.loaded(batch));
      updateLosses(to);
      if (batch == null) {
        return;
      }
    }
  }

  private void store(Spool to) throws IOException {
    List<OutgoingBatch> batches = queue.exchanged(SpoolExchange::takeToStore);
    if (batches.isEmpty()) {
      return;
    }
    int count = to.append(batches);
    boolean all = count == batches.size();
    queue.exchange(exchange -> exchange.stored(count, all, to));
    if (!all && queue.exchanged(SpoolExchange::dropsOldest)) {
      long oldest = to.dropOldest();
      queue.exchange(exchange -> {
        exchange.dropped(DropReason.OLDEST_WHEN_FULL, oldest);
        exchange.updated(to);
      });
    }
  }

  private void close() {
    Spool to = spool;
    if (to == null) {
      return;
    }
    try {
      for (SpoolFile file : queue.exchanged(SpoolExchange::takeAcknowledged)) {
        to.acknowledged(file);
      }
      to.close();
    } catch (IOException e) {
      // What is left there is sent by the next forwarder, and found once.
    }
  }
}
