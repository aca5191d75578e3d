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
  private final SpoolExchange exchange;
  private @Nullable Spool spool;

  SpoolKeeper(SpoolOptions options, SpoolExchange exchange) {
    this.options = options;
    this.exchange = exchange;
  }

  @Override
  public void run() {
    while (exchange.awaitWork()) {
      Spool to = spool;
      try {
        if (to == null) {
          to = Spool.open(options);
          spool = to;
          exchange.opened(to);
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

  private void failed(@Nullable Spool to, Throwable e) {
    if (to != null) {
      exchange.dropped(DropReason.SPOOL_DAMAGED, to.takeLostRecords());
      exchange.updated(to);
    }
    String what = e instanceof IOException io ? SpoolLock.explain(io) : e.toString();
    exchange.failed("spool " + options.folder() + ": " + what);
  }

  private void forgetAcknowledged(Spool to) throws IOException {
    List<SpoolFile> files = exchange.takeAcknowledged();
    for (SpoolFile file : files) {
      to.acknowledged(file);
    }
    if (!files.isEmpty()) {
      exchange.dropped(DropReason.SPOOL_DAMAGED, to.takeLostRecords());
      exchange.updated(to);
    }
  }

  private void load(Spool to) throws IOException {
    while (exchange.wantsBatches()) {
      Batch batch = to.next();
      exchange.loaded(batch);
      exchange.dropped(DropReason.SPOOL_DAMAGED, to.takeLostRecords());
      exchange.updated(to);
      if (batch == null) {
        return;
      }
    }
  }

  private void store(Spool to) throws IOException {
    List<Batch> batches = exchange.takeToStore();
    if (batches.isEmpty()) {
      return;
    }
    int count = to.append(batches);
    exchange.stored(count, count == batches.size(), to);
    if (count < batches.size() && exchange.dropsOldest()) {
      exchange.dropped(DropReason.OLDEST_WHEN_FULL, to.dropOldest());
      exchange.updated(to);
    }
  }

  private void close() {
    Spool to = spool;
    if (to == null) {
      return;
    }
    try {
      for (SpoolFile file : exchange.takeAcknowledged()) {
        to.acknowledged(file);
      }
      to.close();
    } catch (IOException e) {
      // What is left there is sent by the next forwarder, and found once.
    }
  }
}
