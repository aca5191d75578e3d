package io.cordwood.store.consume;

import io.cordwood.store.claim.IngestClient;
import io.cordwood.store.replicate.Replicator;
import io.cordwood.store.segment.StoreLog;
import java.nio.ByteBuffer;

/** The gathers of a consumer, one at a time, which share its files and buffer. One thread. */
final class Gathers implements AutoCloseable {
  private final StoreLog log;
  private final IngestClient client;
  private final DamagedBytes damaged;
  private final Replicator replicator;
  private final DownloadFiles files;
  private final ByteBuffer large = PulledBatches.newLargeBuffer();

  /**
   * @param consumer the name of its files, which no other consumer has
   */
  Gathers(
      String consumer,
      StoreLog log,
      IngestClient client,
      DamagedBytes damaged,
      Replicator replicator) {
    this.log = log;
    this.client = client;
    this.damaged = damaged;
    this.replicator = replicator;
    this.files = new DownloadFiles(log.folder().filesystem(), log.folder().gather(), consumer);
  }

  /** A gather that holds nothing yet; the one before has to be closed. */
  PulledSegments next() {
    return new PulledSegments(log, client, damaged, replicator, files, large);
  }

  @Override
  public void close() {
    files.close();
  }
}
