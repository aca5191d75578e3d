package io.cordwood.store.segment;

import io.cordwood.common.segment.Batch;
import io.cordwood.common.segment.BatchIdentity;
import io.cordwood.common.segment.LeftOut;
import io.cordwood.store.segment.SegmentMerge.Sink;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Gives what is left of batches in a store segment's order, each once. Batches of senders that
 * choose their ULIDs may lie within each other, so that what is left of one comes after the next.
 * Holds copies of what is left of cut ones, until their turn. One thread.
 */
public final class OrderedRuns implements Sink<Batch> {
  private final LeftOut leftOut;
  private final Sink<Batch> sink;
  private final PriorityQueue<Batch> waiting = new PriorityQueue<>(BatchIdentity.ORDER);
  private @Nullable Batch last;

  public OrderedRuns(LeftOut leftOut, Sink<Batch> sink) {
    this.leftOut = leftOut;
    this.sink = sink;
  }

  /**
   * Takes a batch.
   *
   * @param batch not before the one that was taken before; valid during the call
   */
  @Override
  public void accept(Batch batch) throws IOException {
    while (!waiting.isEmpty() && BatchIdentity.ORDER.compare(waiting.peek(), batch) < 0) {
      give(waiting.remove());
    }
    for (Batch run : batch.without(leftOut)) {
      waiting.add(run.records() == batch.records() ? run : copy(run));
    }
    Batch next = waiting.peek();
    if (next != null && next.isSameAs(batch)) {
      give(waiting.remove());
    }
  }

  /** Gives what still waits. */
  public void end() throws IOException {
    while (!waiting.isEmpty()) {
      give(waiting.remove());
    }
  }

  private void give(Batch batch) throws IOException {
    if (last == null || !last.isSameAs(batch)) {
      sink.accept(batch);
    }
    last = batch;
  }

  private static Batch copy(Batch run) {
    ByteBuffer payload = ByteBuffer.allocate(run.payload().remaining());
    payload.put(run.payload().duplicate()).flip();
    return new Batch(
        run.topic(), run.labels(), run.delimiter(), run.first(), run.records(), payload);
  }
}
