package io.cordwood.query;

import io.cordwood.common.http.ApiPaths;
import io.cordwood.common.http.ClientGoneException;
import io.cordwood.common.http.HttpError;
import io.cordwood.common.http.Request;
import io.cordwood.common.http.Response;
import io.cordwood.common.http.Routes;
import io.cordwood.common.segment.SegmentSource;
import io.cordwood.query.Query.Detail;
import io.cordwood.query.ScanStats.Snapshot;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.concurrent.Semaphore;

/**
 * {@code GET /query}: records, streamed in ULID order; {@code HEAD /query}: only what it would
 * read. {@link QueryParams} reads the parameters.
 *
 * <p>The answer's statistics stand in trailers, of HEAD in headers: {@code cordwood-matches},
 * {@code cordwood-segments}, {@code cordwood-blocks}, {@code cordwood-blocks-skipped}, {@code
 * cordwood-bytes-read} and so on.
 */
public final class QueryApi implements AutoCloseable {
  private static final int MAX_CONCURRENT = 64;
  private static final String PREFIX = "cordwood-";

  private final QueryRunner runner;
  private final QueryParams params;
  private final Semaphore slots = new Semaphore(MAX_CONCURRENT);
  private final Counter refused;
  private final Counter abandoned;
  private final Counter bytesScanned;
  private final Counter bytesRead;
  private final Counter blocksSkipped;
  private final Counter blocksDamaged;
  private final Timer duration;

  /**
   * @param threads that scan blocks, for all queries together
   * @param clock what "5m ago" is counted from
   */
  public QueryApi(SegmentSource source, int threads, MeterRegistry meters, InstantSource clock) {
    this.runner = new QueryRunner(source, threads);
    this.params = new QueryParams(clock);
    this.refused = meters.counter("cordwood.query.refused");
    this.abandoned = meters.counter("cordwood.query.abandoned");
    this.bytesScanned = meters.counter("cordwood.query.scanned.bytes");
    this.bytesRead = meters.counter("cordwood.query.read.bytes");
    this.blocksSkipped = meters.counter("cordwood.query.blocks.skipped");
    this.blocksDamaged = meters.counter("cordwood.query.blocks.damaged");
    this.duration = meters.timer("cordwood.query.duration");
    meters.gauge("cordwood.query.running", slots, s -> MAX_CONCURRENT - s.availablePermits());
  }

  public void addRoutes(Routes routes) {
    routes.get(ApiPaths.QUERY, this::answer);
    routes.head(ApiPaths.QUERY, this::describe);
  }

  private void describe(Request request, Response response) throws IOException {
    Query query = params.query(request);
    Snapshot plan = runner.plan(query);
    eachStatistic(plan, response::header);
    response.text(200, "");
  }

  private void answer(Request request, Response response) throws IOException {
    Query query = params.query(request);
    RecordFormat format = params.format(request);
    if (!slots.tryAcquire()) {
      refused.increment();
      throw new HttpError(
          503, "%d queries are running, which is the limit; try again".formatted(MAX_CONCURRENT));
    }
    var stats = new ScanStats();
    long start = System.nanoTime();
    try {
      if (query.detail() == Detail.COUNT) {
        runner.run(query, stats, response::clientGone, (hits, group) -> true);
        response.header("content-type", "text/plain; charset=utf-8");
        response.body().write((stats.matches.get() + "\n").getBytes(StandardCharsets.US_ASCII));
      } else {
        stream(query, format, stats, response);
      }
      eachStatistic(stats.snapshot(), response::trailer);
    } catch (QueryAbandonedException e) {
      abandoned.increment();
    } catch (ClientGoneException e) {
      abandoned.increment();
      throw e;
    } finally {
      slots.release();
      duration.record(java.time.Duration.ofNanos(System.nanoTime() - start));
      count(stats.snapshot());
    }
  }

  private void stream(Query query, RecordFormat format, ScanStats stats, Response response)
      throws IOException {
    response.header("content-type", format.contentType());
    OutputStream out = response.body();
    runner.run(
        query,
        stats,
        response::clientGone,
        (hits, group) -> {
          format.write(hits, group, out);
          return true;
        });
  }

  private void count(Snapshot stats) {
    bytesScanned.increment(stats.bytesScanned());
    bytesRead.increment(stats.bytesRead());
    blocksSkipped.increment(stats.blocksSkipped());
    blocksDamaged.increment(stats.blocksDamaged());
  }

  /** Takes a field of the answer's head or tail. */
  private interface Field {
    Response set(String name, String value);
  }

  private static void eachStatistic(Snapshot stats, Field field) {
    set(field, "matches", stats.matches());
    set(field, "segments", stats.segments());
    set(field, "blocks", stats.blocks());
    set(field, "blocks-skipped", stats.blocksSkipped());
    set(field, "blocks-read", stats.blocksRead());
    set(field, "blocks-damaged", stats.blocksDamaged());
    set(field, "bytes-in-range", stats.bytesInRange());
    set(field, "records-in-range", stats.recordsInRange());
    set(field, "bytes-read", stats.bytesRead());
    set(field, "bytes-scanned", stats.bytesScanned());
  }

  private static void set(Field field, String name, long value) {
    field.set(PREFIX + name, Long.toString(value));
  }

  /** Ends the scan threads; no request must come any more. */
  @Override
  public void close() {
    runner.close();
  }
}
