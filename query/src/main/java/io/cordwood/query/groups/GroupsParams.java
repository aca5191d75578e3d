package io.cordwood.query.groups;

import io.cordwood.common.http.ApiParams;
import io.cordwood.common.http.server.HttpError;
import io.cordwood.common.http.server.Params;
import io.cordwood.common.http.server.Request;
import io.cordwood.query.fields.GroupField;
import io.cordwood.query.groups.Measure.Kind;
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
 *   by      fields, with commas between: records of the same values belong together; topic, and
 *           steps of a number such as status/100, too
 *   every   stretches of time, such as 1m: records of the same one belong together
 *   sum, avg, min, max, p50, p90, p99
 *           a field whose numbers are measured; each may be given several times
 *   top     at most this number of groups, those of the most records
 *   format  text (default): a line a group, with tabs; json
 * </pre>
 */
final class GroupsParams {
  static final Params ALL =
      MatchingParams.ALL
          .and(QueryParams.RANGE)
          .and(ApiParams.BY, ApiParams.EVERY, ApiParams.TOP, ApiParams.FORMAT)
          .and(Arrays.stream(Kind.values()).map(Kind::parameter).toArray(String[]::new))
          .and(QueryParams.GATHERING);

  private final QueryParams params;

  GroupsParams(QueryParams params) {
    this.params = params;
  }

  /** The requested groups; {@code every} of zero: all times are one. */
  record Wanted(Query query, Duration every, GroupsForm form) {}

  Wanted wanted(Request request) {
    List<GroupField> by = GroupingParams.by(request);
    List<Measure> measures = new ArrayList<>();
    for (Kind kind : Kind.values()) {
      GroupingParams.fields(request, kind.parameter())
          .forEach(field -> measures.add(new Measure(kind, field)));
    }
    Duration every = request.durationParam(ApiParams.EVERY).orElse(Duration.ZERO);
    long top = QueryParams.positive(request, ApiParams.TOP, Integer.MAX_VALUE);
    if (top != Query.UNLIMITED && !every.isZero()) {
      throw new HttpError(400, "expected one of every and top, found both");
    }
    var form = form(by, measures, !every.isZero(), top, QueryParams.isJson(request));
    return new Wanted(
        params
            .query(request, MatchingParams.pattern(request), Detail.FIELD_GROUPS)
            .groupedBy(form.grouping()),
        every,
        form);
  }

  private static GroupsForm form(
      List<GroupField> by, List<Measure> measures, boolean byTime, long top, boolean json) {
    try {
      return GroupsForm.of(by, measures, byTime, top, json);
    } catch (IllegalArgumentException e) {
      throw new HttpError(400, "parameter by, or what is measured: " + e.getMessage());
    }
  }
}
