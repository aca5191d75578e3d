package io.cordwood.query;

import io.cordwood.common.http.ApiParams;
import io.cordwood.common.http.ApiPaths;
import io.cordwood.common.http.HttpError;
import io.cordwood.common.http.Request;
import io.cordwood.query.Query.Detail;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.StringJoiner;
import java.util.function.Function;

/**
 * How a node that gathers asks another for what it holds in one tier: a query's parameters, with
 * ULIDs for times, so that all nodes take "5m ago" for the same, and two more.
 *
 * <pre>
 *   tier    ingest, store: what this node has received, or consumed
 *   detail  plan, count, bytes, ulids
 * </pre>
 */
record TierQuestion(Tier tier, Query query) {
  static URI uri(URI node, Tier tier, Query query) {
    var parameters = new StringJoiner("&");
    add(parameters, ApiParams.TIER, tier.toString());
    add(parameters, ApiParams.DETAIL, query.detail().name().toLowerCase(Locale.ROOT));
    add(parameters, ApiParams.Q, query.pattern().pattern());
    add(parameters, ApiParams.REGEX, Boolean.toString(query.pattern().regex()));
    add(parameters, ApiParams.IGNORE_CASE, Boolean.toString(query.pattern().ignoreCase()));
    add(parameters, ApiParams.INVERT, Boolean.toString(query.invert()));
    add(parameters, ApiParams.FROM, query.range().from().toString());
    add(parameters, ApiParams.TO, query.range().to().toString());
    query.topics().forEach(topic -> add(parameters, ApiParams.TOPIC, topic.name()));
    if (query.first() != Query.UNLIMITED) {
      add(parameters, ApiParams.LIMIT, Long.toString(query.first()));
    }
    if (query.last() != Query.UNLIMITED) {
      add(parameters, ApiParams.LAST, Long.toString(query.last()));
    }
    return node.resolve(ApiPaths.QUERY_TIER + "?" + parameters);
  }

  private static void add(StringJoiner parameters, String name, String value) {
    parameters.add(name + "=" + URLEncoder.encode(value, StandardCharsets.UTF_8));
  }

  static TierQuestion of(Request request, QueryParams params) {
    Tier tier = oneOf(request, ApiParams.TIER, Tier::valueOf);
    Detail detail = oneOf(request, ApiParams.DETAIL, Detail::valueOf);
    return new TierQuestion(tier, params.query(request).with(detail));
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
