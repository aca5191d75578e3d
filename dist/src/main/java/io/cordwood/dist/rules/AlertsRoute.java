package io.cordwood.dist.rules;

import io.cordwood.cli.alert.Rule;
import io.cordwood.cli.alert.RuleStatus;
import io.cordwood.common.access.Caller;
import io.cordwood.common.access.TopicPatterns;
import io.cordwood.common.http.ApiPaths;
import io.cordwood.common.http.server.Request;
import io.cordwood.common.http.server.Response;
import io.cordwood.common.http.server.Routes;
import io.cordwood.query.request.Topics;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * {@code GET /alerts}: how each rule of this node stands, as one object in JSON. Whoever may see
 * some topics only sees the rules that count nothing else; with a token for some labels, none.
 */
public final class AlertsRoute {
  private AlertsRoute() {}

  /**
   * Adds it.
   *
   * @param rules null for a node without any
   */
  public static void addTo(Routes routes, @Nullable NodeRules rules) {
    routes.get(ApiPaths.ALERTS, (request, response) -> answer(rules, request, response));
  }

  private static void answer(@Nullable NodeRules rules, Request request, Response response) {
    if (rules == null) {
      response.json(AlertsJson::writeNone);
      return;
    }
    Caller caller = request.caller();
    List<RuleStatus> seen =
        rules.status().stream().filter(status -> mayBeSeen(status.rule(), caller)).toList();
    boolean seesAll = caller.topics().areAll() && caller.labels().isEmpty();
    response.json(json -> AlertsJson.write(seen, seesAll ? rules.trouble() : "", json));
  }

  static boolean mayBeSeen(Rule rule, Caller caller) {
    return mayBeSeen(rule.topics(), caller.topics(), !caller.labels().isEmpty());
  }

  static boolean mayBeSeen(List<String> topics, TopicPatterns allowed, boolean hasLabels) {
    return !hasLabels
        && (allowed.areAll() || Topics.parse(topics).areIn(Topics.parse(allowed.texts())));
  }
}
