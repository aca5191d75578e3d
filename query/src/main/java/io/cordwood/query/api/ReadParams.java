package io.cordwood.query.api;

import io.cordwood.common.http.ApiParams;
import io.cordwood.common.http.HttpError;
import io.cordwood.common.http.Request;
import io.cordwood.common.segment.SegmentSource;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.ulid.UlidRange;
import io.cordwood.query.Query;
import io.cordwood.query.Topics;
import io.cordwood.query.http.QueryParams;
import io.cordwood.query.http.RecordFormat;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Reads the parameters of a lookup by position; one that is not as it must be is answered 400.
 *
 * <pre>
 *   from_ulid    only records after this one; none: from the first on
 *   limit        at most so many
 *   topic        only records of these topics ({@link Topics}); may be given several times
 *   format       ulid (default), text, json
 *   settled      only records that are settled
 *   late_window  how late a record may arrive and still be before what is settled; 10s by default
 *   here         only what this node holds; no other one is asked
 *   time_limit   what has not come by then is missing; none unless given
 * </pre>
 */
final class ReadParams {
  private static final Duration MAX_LATE_WINDOW = Duration.ofDays(1);

  private ReadParams() {}

  /**
   * What is asked for.
   *
   * @param after the position to read on from
   * @param query for all that is behind it
   * @param settledOnly whether what is not settled is to be left out
   * @param lateWindow how late a record may be and still not come before what is settled
   */
  record Page(
      Ulid after, Query query, boolean settledOnly, Duration lateWindow, RecordFormat format) {
    /**
     * Up to where only late records can still appear.
     *
     * @param stampTime of the nodes that receive, before any segment was looked at
     */
    Optional<Ulid> settled(Optional<Instant> stampTime) {
      return stampTime.map(time -> Ulid.lastOf(time.minus(lateWindow).toEpochMilli() - 1));
    }
  }

  static Page page(Request request) {
    Ulid after = after(request);
    return new Page(
        after,
        query(request, after),
        request.flag(ApiParams.SETTLED),
        lateWindow(request),
        QueryParams.format(request, "ulid"));
  }

  private static Query query(Request request, Ulid after) {
    var range = new UlidRange(after.equals(Ulid.MAX) ? after : after.plus(1), Ulid.MAX);
    return Query.everything(range, QueryParams.topics(request), Query.Detail.ULIDS)
        .firstOnly(QueryParams.positive(request, ApiParams.LIMIT, Query.UNLIMITED));
  }

  private static Ulid after(Request request) {
    try {
      return request.param(ApiParams.FROM_ULID).map(Ulid::parse).orElse(Ulid.MIN);
    } catch (IllegalArgumentException e) {
      throw new HttpError(400, "parameter from_ulid: " + e.getMessage());
    }
  }

  private static Duration lateWindow(Request request) {
    Duration window = request.durationParam(ApiParams.LATE_WINDOW).orElse(SegmentSource.LATE);
    if (window.compareTo(MAX_LATE_WINDOW) > 0) {
      throw new HttpError(
          400, "parameter late_window: expected at most 24h, found " + window.toSeconds() + "s");
    }
    return window;
  }
}
