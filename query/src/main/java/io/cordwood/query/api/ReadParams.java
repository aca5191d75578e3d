package io.cordwood.query.api;

import io.cordwood.common.http.ApiParams;
import io.cordwood.common.http.server.Params;
import io.cordwood.common.http.server.Request;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.query.http.MatchingParams;
import io.cordwood.query.http.PositionParams;
import io.cordwood.query.http.QueryParams;
import io.cordwood.query.http.RecordFormat;
import io.cordwood.query.request.Query;
import io.cordwood.query.request.Topics;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Reads the parameters of a lookup by position; one that is not as it must be is answered 400.
 *
 * <pre>
 *   from_ulid    only records after this one; none: from the first on
 *   limit        at most this number
 *   topic        only records of these topics ({@link Topics}); may be given several times
 *   format       ulid (default), text, json
 *   settled      only records that are settled
 *   late_window  how late a record may arrive and still be before what is settled; 10s by default
 *   here         only what this node holds; no other one is asked
 *   time_limit   what has not come by then is missing; none unless given
 * </pre>
 */
final class ReadParams {
  static final Params ALL =
      Params.of(
              ApiParams.FROM_ULID,
              ApiParams.LIMIT,
              ApiParams.TOPIC,
              ApiParams.FORMAT,
              ApiParams.SETTLED,
              ApiParams.LATE_WINDOW)
          .and(QueryParams.GATHERING);

  private ReadParams() {}

  /**
   * The requested page.
   *
   * @param after the position to read on from
   * @param query for all that is after it
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
    Ulid after = PositionParams.after(request).orElse(Ulid.MIN);
    return new Page(
        after,
        query(request, after),
        request.flag(ApiParams.SETTLED),
        PositionParams.lateWindow(request),
        QueryParams.format(request, "ulid"));
  }

  private static Query query(Request request, Ulid after) {
    var range = PositionParams.behind(after);
    return Query.everything(range, MatchingParams.topics(request), Query.Detail.ULIDS)
        .firstOnly(QueryParams.positive(request, ApiParams.LIMIT, Query.UNLIMITED));
  }
}
