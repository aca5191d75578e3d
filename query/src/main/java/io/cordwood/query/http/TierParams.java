package io.cordwood.query.http;

import io.cordwood.common.http.ApiParams;
import io.cordwood.common.http.KnownParts;
import io.cordwood.common.http.server.HttpError;
import io.cordwood.common.http.server.Request;
import io.cordwood.query.Tier;
import io.cordwood.query.match.PatternSpec;
import io.cordwood.query.request.ContextRecords;
import io.cordwood.query.request.MatchAll;
import io.cordwood.query.request.Query;
import io.cordwood.query.request.Query.Detail;
import io.cordwood.query.request.Selection;
import io.cordwood.query.request.Spans;
import io.cordwood.query.wire.TierQuestion;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;

/** Reads what {@link TierQuestion} asks; a parameter that is not as it must be is answered 400. */
public final class TierParams {
  private TierParams() {}

  public static TierQuestion of(Request request, QueryParams params) {
    Tier tier = oneOf(request, tierName(request), Tier::valueOf);
    Detail detail = oneOf(request, ApiParams.DETAIL, Detail::valueOf);
    Selection selection = selection(request);
    return new TierQuestion(
        request.param(ApiParams.TO_NODE),
        tier,
        selection.isAll()
            ? params
                .query(request, pattern(request), detail)
                .groupedBy(GroupingParams.grouping(request))
            : Query.selected(
                selection, params.range(request), MatchingParams.only(request), detail),
        request.flag(ApiParams.PROGRESS),
        request.flag(ApiParams.LABELS),
        known(request),
        request.param(ApiParams.DELETIONS));
  }

  private static Optional<KnownParts> known(Request request) {
    return Request.checked("known", () -> request.param(ApiParams.KNOWN).map(KnownParts::parse));
  }

  private static Selection selection(Request request) {
    try {
      List<String> spans = request.params(ApiParams.SPAN);
      List<String> near = request.params(ApiParams.NEAR);
      if (!spans.isEmpty()) {
        return new Spans(spans.stream().map(Spans.Span::parse).toList());
      }
      return near.isEmpty()
          ? MatchAll.SELECTED
          : new ContextRecords(
              near.stream().map(ContextRecords.Anchor::parse).toList(),
              (int) QueryParams.within(request, ApiParams.BEFORE, 0, ContextRecords.MAX_EACH_SIDE),
              (int) QueryParams.within(request, ApiParams.AFTER, 0, ContextRecords.MAX_EACH_SIDE),
              request.durationParam(ApiParams.REACH).orElse(Duration.ZERO));
    } catch (IllegalArgumentException e) {
      throw new HttpError(400, "parameter span or near: " + e.getMessage());
    }
  }

  private static PatternSpec pattern(Request request) {
    return new PatternSpec(
        request.params(ApiParams.Q),
        request.flag(ApiParams.REGEX),
        request.flag(ApiParams.IGNORE_CASE),
        oneOf(request, extentName(request), PatternSpec.Extent::valueOf),
        request.params(ApiParams.AND));
  }

  private static String tierName(Request request) {
    return request.params(ApiParams.LABEL).isEmpty() ? ApiParams.TIER : ApiParams.TIER_LABELS;
  }

  private static String extentName(Request request) {
    if (request.params(ApiParams.WHERE).isEmpty()) {
      return ApiParams.EXTENT;
    }
    boolean isOnLabels = request.param(ApiParams.EXTENT_LABELS).isPresent();
    return isOnLabels ? ApiParams.EXTENT_LABELS : ApiParams.EXTENT_WHERE;
  }

  private static <T> T oneOf(Request request, String name, Function<String, T> parse) {
    String value = request.requiredParam(name);
    try {
      return parse.apply(value.toUpperCase(Locale.ROOT));
    } catch (IllegalArgumentException e) {
      throw new HttpError(400, "parameter " + name + ": found \"" + value + "\"");
    }
  }
}
