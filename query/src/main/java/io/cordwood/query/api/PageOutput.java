package io.cordwood.query.api;

import io.cordwood.common.ulid.Ulid;
import io.cordwood.query.result.BlockHits;
import io.cordwood.query.result.HitSink;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Passes on the records up to a position, and remembers where it came to. For the query's own
 * thread.
 */
final class PageOutput implements HitSink {
  private final HitSink sink;
  private final Ulid end;
  private @Nullable Ulid last;
  private long records;

  /**
   * @param end records after it are left out
   */
  PageOutput(HitSink sink, Ulid end) {
    this.sink = sink;
    this.end = end;
  }

  @Override
  public boolean accept(BlockHits hits, BlockHits.Group group) throws IOException {
    // Batches that claim others' ULIDs can overlap: only a first ULID after the end is the end.
    if (group.first().isAfter(end)) {
      return false;
    }
    int to = group.to();
    while (to > group.from() && hits.ulid(group, to - 1).isAfter(end)) {
      to--;
    }
    if (to == group.from()) {
      return true;
    }
    BlockHits.Group within = group.part(group.from(), to);
    records += within.size();
    last = hits.ulid(within, to - 1);
    return sink.accept(hits, within);
  }

  @Override
  public void idle() throws IOException {
    sink.idle();
  }

  /** The last record that was passed on; empty if there was none. */
  Optional<Ulid> last() {
    return Optional.ofNullable(last);
  }

  long records() {
    return records;
  }
}
