package io.cordwood.query;

import io.cordwood.common.http.ApiPaths;
import io.cordwood.common.http.Request;
import io.cordwood.common.http.Response;
import io.cordwood.common.http.Routes;
import io.cordwood.common.segment.SegmentSource;
import io.cordwood.query.Query.Detail;
import io.cordwood.query.ScanStats.Snapshot;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;

/**
 * {@code GET /query}: records, streamed in ULID order; {@code HEAD /query}: only what it would
 * read. {@link QueryParams} reads the parameters.
 *
 * <p>The answer's statistics stand in trailers, of HEAD in headers: {@code cordwood-matches},
 * {@code cordwood-segments}, {@code cordwood-blocks}, {@code cordwood-blocks-skipped}, {@code
 * cordwood-bytes-read} and so on.
 */
public final class QueryApi implements AutoCloseable {
  private static final String PREFIX = "cordwood-";

  private final QueryRunner runner;
  private final QueryParams params;
  private final QueryGate gate;
  private final ReadApi read;

  /**
   * @param threads that scan blocks, for all queries together
   * @param clock what "5m ago" is counted from
   */
  public QueryApi(SegmentSource source, int threads, MeterRegistry meters, InstantSource clock) {
    this.runner = new QueryRunner(source, threads);
    this.params = new QueryParams(clock);
    this.gate = new QueryGate(meters);
    this.read = new ReadApi(runner, gate, new ReadParams(source));
  }

  public void addRoutes(Routes routes) {
    routes.get(ApiPaths.QUERY, this::answer);
    routes.head(ApiPaths.QUERY, this::describe);
    read.addRoutes(routes);
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
    var stats = new ScanStats();
    gate.run(stats, () -> answer(query, format, stats, response));
  }

  private void answer(Query query, RecordFormat format, ScanStats stats, Response response)
      throws IOException {
    if (query.detail() == Detail.COUNT) {
      runner.run(query, stats, response::clientGone, (hits, group) -> true);
      response.header("content-type", "text/plain; charset=utf-8");
      response.body().write((stats.matches.get() + "\n").getBytes(StandardCharsets.US_ASCII));
    } else {
      stream(query, format, stats, response);
    }
    eachStatistic(stats.snapshot(), response::trailer);
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
