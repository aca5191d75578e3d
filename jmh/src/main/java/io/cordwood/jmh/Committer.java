package io.cordwood.jmh;

import io.cordwood.common.segment.Batch;
import io.cordwood.common.segment.Topic;
import io.cordwood.common.ulid.UlidStamper;
import io.cordwood.common.wire.Delimiter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.LongAdder;

/**
 * The thread that writes one file: takes all that wait, writes each one's records as a batch, all
 * batches in one go, forces, and wakes them all. Who comes meanwhile is in the next group.
 *
 * <p>At most {@link #MAX_GROUP} go together, which is what one gathering write takes.
 */
final class Committer implements AutoCloseable {
  private static final int MAX_GROUP = 512;

  /** Ends the thread. */
  private static final Waiter END = new Waiter(ByteBuffer.allocate(0));

  private final SegmentFile file;
  private final boolean forcesEachRecord;
  private final LinkedBlockingQueue<Waiter> waiting = new LinkedBlockingQueue<>();
  private final UlidStamper stamper = new UlidStamper(InstantSource.system());
  private final Thread thread;
  private final LongAdder forces = new LongAdder();

  private record Waiter(ByteBuffer records, CompletableFuture<Void> durable) {
    Waiter(ByteBuffer records) {
      this(records, new CompletableFuture<>());
    }
  }

  /**
   * @param file its own from now on
   * @param forcesEachRecord instead of once for all that wait
   */
  Committer(SegmentFile file, boolean forcesEachRecord) {
    this.file = file;
    this.forcesEachRecord = forcesEachRecord;
    this.thread = Thread.ofPlatform().daemon().name("committer").start(this::run);
  }

  /** Returns when the records are durable. */
  void commit(ByteBuffer records) {
    var waiter = new Waiter(records);
    waiting.add(waiter);
    var _ = waiter.durable().join();
  }

  private void run() {
    List<Waiter> group = new ArrayList<>();
    while (takeGroup(group)) {
      try {
        write(group);
        group.forEach(waiter -> waiter.durable().complete(null));
      } catch (IOException e) {
        group.forEach(waiter -> waiter.durable().completeExceptionally(e));
      }
    }
  }

  private boolean takeGroup(List<Waiter> group) {
    group.clear();
    try {
      group.add(waiting.take());
    } catch (InterruptedException e) {
      throw new IllegalStateException("nobody interrupts a committer", e);
    }
    var _ = waiting.drainTo(group, MAX_GROUP - 1);
    return group.getFirst().records().hasRemaining();
  }

  private void write(List<Waiter> group) throws IOException {
    if (forcesEachRecord) {
      for (Waiter waiter : group) {
        writeEachRecord(waiter.records());
      }
      return;
    }
    ByteBuffer[] buffers = new ByteBuffer[2 * group.size()];
    int at = 0;
    for (Waiter waiter : group) {
      buffers[at++] = header(waiter.records());
      buffers[at++] = waiter.records().duplicate();
    }
    writeAndForce(buffers);
  }

  private void writeEachRecord(ByteBuffer records) throws IOException {
    for (int start = 0, i = 0; i < records.limit(); i++) {
      if (records.get(i) == '\n') {
        ByteBuffer record = records.slice(start, i + 1 - start);
        writeAndForce(header(record), record);
        start = i + 1;
      }
    }
  }

  private ByteBuffer header(ByteBuffer records) {
    int count = Delimiter.LF.countIn(records);
    return Batch.head(Topic.DEFAULT, Delimiter.LF, stamper.stamp(count), count, records);
  }

  private void writeAndForce(ByteBuffer... buffers) throws IOException {
    file.write(buffers);
    file.force();
    forces.increment();
  }

  /** How often the file was forced; exact while nobody waits. */
  long forces() {
    return forces.sum();
  }

  /** Ends the thread, and deletes the file. */
  @Override
  public void close() {
    waiting.add(END);
    try {
      thread.join();
      file.close();
    } catch (InterruptedException e) {
      throw new IllegalStateException("interrupted while a committer ended", e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
