package io.cordwood.query.groups;

import io.cordwood.common.http.ApiParams;
import io.cordwood.common.http.server.HttpError;
import io.cordwood.common.http.server.Params;
import io.cordwood.common.http.server.Request;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.ulid.UlidRange;
import io.cordwood.query.groups.GroupsForm.Lines;
import io.cordwood.query.groups.GroupsForm.MeasureSpec;
import io.cordwood.query.groups.Measure.Kind;
import io.cordwood.query.http.AnswerForm;
import io.cordwood.query.http.GroupingParams;
import io.cordwood.query.http.MatchingParams;
import io.cordwood.query.http.QueryParams;
import io.cordwood.query.request.Query;
import io.cordwood.query.request.Query.Detail;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Reads what is to be counted and measured: the parameters of {@link QueryParams} that say which
 * records match, from when to when, and from whom, and these ones; one that is not as it must be is
 * answered 400.
 *
 * <pre>
 *   by      fields, with commas between: records of the same values belong together; topic, shape,
 *           and steps of a number such as status/100, too
 *   every   stretches of time, such as 1m: records of the same one belong together
 *   sum, avg, min, max, p50, p90, p99, distinct
 *           a field that is measured; each may be given several times
 *   rate    how many records there are per second of every, or of the range
 *   percent what part of all records that is, or of those of the same stretch of time
 *   example the text of a record of each group
 *   sort    a column
 *   top     at most this number of groups, the first
 *   format  text (default): a line a group, with tabs; json; csv
 * </pre>
 */
final class GroupsParams {
  private static final double MILLIS = 1000;

  static final Params ALL =
      MatchingParams.ALL
          .and(QueryParams.RANGE)
          .and(ApiParams.BY, ApiParams.EVERY, ApiParams.TOP, ApiParams.FORMAT)
          .and(ApiParams.SORT, ApiParams.RATE, ApiParams.PERCENT, ApiParams.EXAMPLE)
          .and(Arrays.stream(Kind.values()).map(Kind::parameter).toArray(String[]::new))
          .and(QueryParams.GATHERING);

  private final QueryParams params;

  GroupsParams(QueryParams params) {
    this.params = params;
  }

  /** The requested groups; {@code every} of zero: all times are one. */
  record Wanted(Query query, Duration every, GroupsForm form) {}

  Wanted wanted(Request request) {
    Duration every = request.durationParam(ApiParams.EVERY).orElse(Duration.ZERO);
    long top = QueryParams.positive(request, ApiParams.TOP, Integer.MAX_VALUE);
    if (top != Query.UNLIMITED && !every.isZero()) {
      throw new HttpError(400, "expected one of every and top, found both");
    }
    var form = form(request, shares(request, every), top);
    Detail detail = form.grouping().needsMore() ? Detail.FIELD_SETS : Detail.FIELD_GROUPS;
    return new Wanted(
        params.query(request, MatchingParams.pattern(request), detail).groupedBy(form.grouping()),
        every,
        form);
  }

  /** Those of the fields that records have. */
  static final Params OF_FIELDS =
      MatchingParams.ALL
          .and(QueryParams.RANGE)
          .and(ApiParams.TOP, ApiParams.FORMAT)
          .and(QueryParams.GATHERING);

  /** The fields that records have, each by itself. */
  Wanted fields(Request request) {
    long top = QueryParams.positive(request, ApiParams.TOP, Integer.MAX_VALUE);
    var form = GroupsForm.ofFields(top, AnswerForm.ofTable(request).kind());
    Query query = params.query(request, MatchingParams.pattern(request), Detail.FIELD_SETS);
    return new Wanted(query.groupedBy(form.grouping()), Duration.ZERO, form);
  }

  private Shares shares(Request request, Duration every) {
    double seconds = request.flag(ApiParams.RATE) ? seconds(request, every) : 0;
    return new Shares(!every.isZero(), seconds, request.flag(ApiParams.PERCENT));
  }

  private double seconds(Request request, Duration every) {
    if (!every.isZero()) {
      return every.toMillis() / MILLIS;
    }
    UlidRange range = params.range(request);
    if (range.from().equals(Ulid.MIN)) {
      throw new HttpError(400, "parameter rate: expected every or from as well, found neither");
    }
    long end = Math.min(range.to().millis(), params.now().toEpochMilli());
    return Math.max(1, end - range.from().millis()) / MILLIS;
  }

  private static GroupsForm form(Request request, Shares shares, long top) {
    List<MeasureSpec> asked = new ArrayList<>();
    for (Kind kind : Kind.values()) {
      GroupingParams.names(request, kind.parameter())
          .forEach(field -> asked.add(new MeasureSpec(kind, field)));
    }
    var lines =
        new Lines(
            request.param(ApiParams.SORT).map(Order::new),
            top,
            request.flag(ApiParams.EXAMPLE),
            AnswerForm.ofTable(request).kind());
    try {
      return Columns.checked(
          GroupsForm.of(
              GroupingParams.by(request, ApiParams.BY),
              asked,
              MatchingParams.extract(request),
              shares,
              lines));
    } catch (IllegalArgumentException e) {
      throw new HttpError(400, "parameter by, sort, or what is measured: " + e.getMessage());
    }
  }
}
