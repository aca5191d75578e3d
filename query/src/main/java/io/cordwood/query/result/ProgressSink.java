package io.cordwood.query.result;

import io.cordwood.common.ulid.Ulid;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Passes on what is found, and tells between that how far the search has come: if it has come any
 * further, and {@link #A_SECOND} times a second at most. For the query's own thread.
 */
public final class ProgressSink implements HitSink {
  /** The most times that it is told. */
  public static final int A_SECOND = 4;

  private static final long PERIOD_NANOS = TimeUnit.SECONDS.toNanos(1) / A_SECOND;

  private final HitSink sink;
  private final Supplier<SearchProgress> source;
  private final Teller teller;
  private SearchProgress told = SearchProgress.NONE;
  private long askedNanos = System.nanoTime();

  /** Tells it. */
  @FunctionalInterface
  public interface Teller {
    /** Whether it was told; if not, it is as if it had not been tried. */
    boolean tell(SearchProgress progress) throws IOException;
  }

  /** For a search that begins now. */
  public ProgressSink(HitSink sink, Supplier<SearchProgress> source, Teller teller) {
    this.sink = sink;
    this.source = source;
    this.teller = teller;
  }

  @Override
  public boolean accept(BlockHits hits, BlockHits.Group group) throws IOException {
    boolean more = sink.accept(hits, group);
    tellIfDue();
    return more;
  }

  @Override
  public void passed(Ulid ulid) throws IOException {
    sink.passed(ulid);
    tellIfDue();
  }

  @Override
  public void idle() throws IOException {
    sink.idle();
    tellIfDue();
  }

  private void tellIfDue() throws IOException {
    long now = System.nanoTime();
    if (now - askedNanos >= PERIOD_NANOS) {
      askedNanos = now;
      tell();
    }
  }

  /** Reports where the search ended. Call once, after the search. */
  public void end() throws IOException {
    tell();
  }

  private void tell() throws IOException {
    SearchProgress now = source.get();
    if (!now.equals(told) && teller.tell(now)) {
      told = now;
    }
  }
}
