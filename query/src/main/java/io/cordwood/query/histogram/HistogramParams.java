package io.cordwood.query.histogram;

import io.cordwood.common.http.ApiParams;
import io.cordwood.common.http.server.HttpError;
import io.cordwood.common.http.server.Params;
import io.cordwood.common.http.server.Request;
import io.cordwood.common.ulid.UlidRange;
import io.cordwood.query.fields.GroupField;
import io.cordwood.query.fields.Grouping;
import io.cordwood.query.fields.Level;
import io.cordwood.query.http.GroupingParams;
import io.cordwood.query.http.MatchingParams;
import io.cordwood.query.http.QueryParams;
import io.cordwood.query.match.PatternSpec;
import io.cordwood.query.request.Query;
import io.cordwood.query.request.Query.Detail;
import io.cordwood.query.scan.PatternTally;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Reads a histogram's parameters: those of {@link QueryParams} that say which records match, from
 * when to when, and from whom, and these ones; one that is not as it must be is answered 400.
 *
 * <pre>
 *   bucket   how long each bucket is, such as 1m
 *   buckets  instead: at most this number, of a length that reads well; 60 unless given
 *   levels   a number for each {@link Level}, instead of for each q
 *   by       a number for each value of a field, or each topic, instead of for each q
 *   top      at most N of these values, those of the most records (10)
 *   rate     numbers are per second
 *   format   text (default): a line a bucket, its begin and a number for each q; json; csv
 * </pre>
 *
 * Without from, or to, the first or the last record is the end.
 */
final class HistogramParams {
  private static final int USUAL_BUCKETS = 60;
  private static final int USUAL_VALUES = 10;
  private static final int MOST_VALUES = 1000;

  /** Without those that would choose records by their places among others. */
  static final Params ALL =
      MatchingParams.ALL
          .and(QueryParams.RANGE)
          .and(ApiParams.BUCKET, ApiParams.BUCKETS, ApiParams.LEVELS, ApiParams.FORMAT)
          .and(ApiParams.BY, ApiParams.TOP, ApiParams.RATE)
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
   * @param names of what is told apart: patterns, or levels
   * @param top number of values of a field that are told apart, if it is split by one
   */
  record Wanted(Query query, Optional<Duration> width, int most, List<String> names, int top) {
    boolean isSplit() {
      return query.detail() == Detail.FIELD_GROUPS;
    }

    Buckets buckets(UlidRange range) {
      return width.map(w -> Buckets.of(w, range)).orElseGet(() -> Buckets.atMost(most, range));
    }
  }

  Wanted wanted(Request request) {
    PatternSpec pattern = MatchingParams.pattern(request);
    List<GroupField> by = GroupingParams.by(request, ApiParams.BY);
    Detail detail = detail(request, pattern, by);
    List<String> names = names(detail, pattern);
    if (names.size() > PatternTally.MAX_PATTERNS) {
      throw new HttpError(
          400,
          "parameter q: expected at most %d patterns to be told apart, found %d"
              .formatted(PatternTally.MAX_PATTERNS, names.size()));
    }
    long top = QueryParams.positive(request, ApiParams.TOP, MOST_VALUES);
    if (top != Query.UNLIMITED && by.isEmpty()) {
      throw new HttpError(400, "expected by with top, found no by");
    }
    return new Wanted(
        params.query(request, pattern, detail).groupedBy(Grouping.by(by)),
        width(request),
        most(request),
        names,
        top == Query.UNLIMITED ? USUAL_VALUES : (int) top);
  }

  private static List<String> names(Detail detail, PatternSpec pattern) {
    return switch (detail) {
      case LEVELS -> Stream.of(Level.values()).map(Level::word).toList();
      case FIRST_PATTERN -> pattern.patterns();
      default -> List.of("count");
    };
  }

  private static Detail detail(Request request, PatternSpec pattern, List<GroupField> by) {
    if (by.size() > 1 || (!by.isEmpty() && request.flag(ApiParams.LEVELS))) {
      throw new HttpError(400, "parameter by: expected one field without levels, found more");
    } else if (!by.isEmpty()) {
      return Detail.FIELD_GROUPS;
    } else if (request.flag(ApiParams.LEVELS)) {
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
