package io.cordwood.query;

import io.cordwood.common.http.ApiParams;
import io.cordwood.common.http.HttpError;
import io.cordwood.common.http.Request;
import io.cordwood.common.segment.SegmentSource;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.ulid.UlidRange;
import io.cordwood.query.match.Matchers;
import io.cordwood.query.match.PatternSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Reads the parameters of a lookup by position; one that is not as it must be is answered 400.
 *
 * <pre>
 *   from_ulid    only records after this one; none: from the first on
 *   limit        at most so many
 *   topic        only records of this topic; may be given several times
 *   format       ulid (default), text, json
 *   settled      only records that are settled
 *   late_window  how late a record may arrive and still be before what is settled; 10s by default
 * </pre>
 */
final class ReadParams {
  private static final Duration MAX_LATE_WINDOW = Duration.ofDays(1);

  private final SegmentSource source;

  ReadParams(SegmentSource source) {
    this.source = source;
  }

  /**
   * What is asked for.
   *
   * @param after the position to read on from
   * @param settled up to where only late records can still appear, by the time of the question
   * @param query empty if no record can be asked for
   */
  record Page(Ulid after, Optional<Ulid> settled, Optional<Query> query, RecordFormat format) {
    /** The positions after so many records, the last of which is {@code next}. */
    ReadPositions positions(Ulid next, long records) {
      boolean limited = query.isPresent() && records >= query.get().first();
      return new ReadPositions(
          next, settled.map(ulid -> limited && next.isBefore(ulid) ? next : ulid));
    }
  }

  Page page(Request request) {
    Ulid after = after(request);
    // Before any segment is looked at: what is written by now is in the segments by then.
    Optional<Ulid> settled = settled(request);
    Ulid to = Ulid.MAX;
    if (request.flag(ApiParams.SETTLED)) {
      to =
          settled.orElseThrow(() ->
              new HttpError(
                  400,
                  "parameter settled: expected false, since this node receives no records and"
                      + " cannot know"));
    }
    RecordFormat format = QueryParams.format(request, "ulid");
    return new Page(after, settled, query(request, after, to), format);
  }

  private static Optional<Query> query(Request request, Ulid after, Ulid to) {
    long limit = QueryParams.positive(request, ApiParams.LIMIT, Query.UNLIMITED);
    var topics = QueryParams.topics(request);
    if (!after.isBefore(to)) {
      return Optional.empty();
    }
    return Optional.of(
        new Query(
            Matchers.compile(new PatternSpec("", false, false)),
            false,
            new UlidRange(after.plus(1), to),
            topics,
            limit,
            Query.UNLIMITED,
            Query.Detail.ULIDS));
  }

  private static Ulid after(Request request) {
    try {
      return request.param(ApiParams.FROM_ULID).map(Ulid::parse).orElse(Ulid.MIN);
    } catch (IllegalArgumentException e) {
      throw new HttpError(400, "parameter from_ulid: " + e.getMessage());
    }
  }

  private Optional<Ulid> settled(Request request) {
    Duration window = request.durationParam(ApiParams.LATE_WINDOW).orElse(SegmentSource.LATE);
    if (window.compareTo(MAX_LATE_WINDOW) > 0) {
      throw new HttpError(
          400, "parameter late_window: expected at most 24h, found " + window.toSeconds() + "s");
    }
    Optional<Instant> now = source.stampTime();
    return now.map(time -> Ulid.lastOf(time.minus(window).toEpochMilli() - 1));
  }
}
