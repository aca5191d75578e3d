package io.cordwood.dist.server;

import io.cordwood.common.http.server.HttpError;
import io.cordwood.common.segment.ArrivalSource;
import io.cordwood.common.segment.SegmentSource;
import io.cordwood.common.ulid.UlidRange;
import java.io.IOException;
import java.time.Instant;
import java.util.Optional;

/**
 * The segments of a tier that queries see, from when it is ready until the node stops. Before and
 * after, a query is refused, rather than answered as if there were no records. Safe for all
 * threads.
 */
final class VisibleSegments implements SegmentSource, AutoCloseable {
  private volatile SegmentSource source = _ -> refuse(HttpError.busy("this node is starting", 1));

  /** From now on queries are answered. */
  void show(SegmentSource shown) {
    source = shown;
  }

  /** From now on they are refused. */
  @Override
  public void close() {
    source = _ -> refuse(new HttpError(503, "this node is stopping"));
  }

  @Override
  public View view(UlidRange range) throws IOException {
    return source.view(range);
  }

  @Override
  public Optional<Instant> stampTime() {
    return source.stampTime();
  }

  @Override
  public Optional<ArrivalSource> arrivals() {
    return source.arrivals();
  }

  private static View refuse(HttpError why) {
    throw why;
  }
}
