package io.cordwood.query.histogram;

import io.cordwood.common.http.ApiParams;
import io.cordwood.common.http.server.HttpError;
import io.cordwood.common.http.server.Params;
import io.cordwood.common.http.server.Request;
import io.cordwood.common.ulid.UlidRange;
import io.cordwood.query.fields.Level;
import io.cordwood.query.http.MatchingParams;
import io.cordwood.query.http.QueryParams;
import io.cordwood.query.match.PatternSpec;
import io.cordwood.query.request.Query;
import io.cordwood.query.request.Query.Detail;
import io.cordwood.query.scan.PatternTally;
import java.time.Duration;
import java.util.Optional;

/**
 * Reads a histogram's parameters: those of {@link QueryParams} that say which records match, from
 * when to when, and from whom, and these ones; one that is not as it must be is answered 400.
 *
 * <pre>
 *   bucket   how long each bucket is, such as 1m
 *   buckets  instead: at most this number, of a length that reads well; 60 unless given
 *   levels   a number for each {@link Level}, instead of for each q
 *   format   text (default): a line a bucket, its begin and a number for each q; json
 * </pre>
 *
 * Without from, or to, the first or the last record is the end.
 */
final class HistogramParams {
  private static final int USUAL_BUCKETS = 60;

  /** Without those that would choose records by their places among others. */
  static final Params ALL =
      MatchingParams.ALL
          .and(QueryParams.RANGE)
          .and(ApiParams.BUCKET, ApiParams.BUCKETS, ApiParams.LEVELS, ApiParams.FORMAT)
          .and(QueryParams.GATHERING);

  private final QueryParams params;

  HistogramParams(QueryParams params) {
    this.params = params;
  }

  /**
   * The requested histogram.
   *
   * @param query for numbers of records, or for {@link PatternTally}s
   * @param width of each bucket; empty if they are to be at most this number
   * @param patterns that are told apart, or levels
   */
  record Wanted(Query query, Optional<Duration> width, int most, int patterns) {
    Buckets buckets(UlidRange range) {
      return width.map(w -> Buckets.of(w, range)).orElseGet(() -> Buckets.atMost(most, range));
    }
  }

  Wanted wanted(Request request) {
    PatternSpec pattern = MatchingParams.pattern(request);
    Detail detail = detail(request, pattern);
    int several = detail == Detail.LEVELS ? Level.values().length : pattern.patterns().size();
    int patterns = detail == Detail.COUNT ? 1 : several;
    if (patterns > PatternTally.MAX_PATTERNS) {
      throw new HttpError(
          400,
          "parameter q: expected at most %d patterns to be told apart, found %d"
              .formatted(PatternTally.MAX_PATTERNS, patterns));
    }
    return new Wanted(
        params.query(request, pattern, detail), width(request), most(request), patterns);
  }

  private static Detail detail(Request request, PatternSpec pattern) {
    if (request.flag(ApiParams.LEVELS)) {
      return Detail.LEVELS;
    }
    boolean several = pattern.patterns().size() > 1 && !request.flag(ApiParams.INVERT);
    return several ? Detail.FIRST_PATTERN : Detail.COUNT;
  }

  private static Optional<Duration> width(Request request) {
    Optional<Duration> width = request.durationParam(ApiParams.BUCKET);
    if (width.isPresent() && width.get().isZero()) {
      throw new HttpError(400, "parameter bucket: expected 1ms or more, found 0");
    }
    if (width.isPresent() && request.param(ApiParams.BUCKETS).isPresent()) {
      throw new HttpError(400, "expected one of bucket and buckets, found both");
    }
    return width;
  }

  private static int most(Request request) {
    long most = request.longParam(ApiParams.BUCKETS).orElse(USUAL_BUCKETS);
    if (most < 1 || most > Buckets.MAX) {
      throw new HttpError(
          400,
          "parameter buckets: expected a number from 1 to %d, found %d"
              .formatted(Buckets.MAX, most));
    }
    return (int) most;
  }
}
