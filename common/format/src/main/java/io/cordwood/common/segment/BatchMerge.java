package io.cordwood.common.segment;

import java.io.IOException;
import java.util.Collection;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Merges streams of batches, each in their order, into one. Of batches that have the same identity
 * the first is taken and the others are dropped: they are the same batch, received or stored again.
 *
 * <p>Batches are moved, records are not looked at. One thread.
 */
public final class BatchMerge {
  private final PriorityQueue<Head> heads = new PriorityQueue<>();
  private long duplicates;

  /** Batches in order. The one given last is valid until the next call. */
  @FunctionalInterface
  public interface Stream {
    /** The next batch, or null after the last. */
    @Nullable Batch next() throws IOException;
  }

  /** Takes a merged batch. */
  @FunctionalInterface
  public interface Sink {
    void accept(Batch batch) throws IOException;
  }

  public BatchMerge(Collection<? extends Stream> streams) throws IOException {
    for (Stream stream : streams) {
      push(stream);
    }
  }

  /** Gives every batch once, in order, to the sink. */
  public void run(Sink sink) throws IOException {
    Batch last = null;
    while (true) {
      Head head = heads.poll();
      if (head == null) {
        return;
      }
      if (last != null && head.batch.isSameAs(last)) {
        duplicates++;
      } else {
        sink.accept(head.batch);
        last = head.batch;
      }
      push(head.stream);
    }
  }

  /** Batches dropped so far, since they had come before. */
  public long duplicates() {
    return duplicates;
  }

  private void push(Stream stream) throws IOException {
    Batch batch = stream.next();
    if (batch != null) {
      heads.add(new Head(batch, stream));
    }
  }

  private record Head(Batch batch, Stream stream) implements Comparable<Head> {
    @Override
    public int compareTo(Head other) {
      return BatchIdentity.ORDER.compare(batch, other.batch);
    }
  }
}
